package org.jspdl.data.text;

/// Turns texts into numbers, and numbers into texts. Safe for use by several threads at once.
public interface Tokenizer {
    /// The tokens of `text`, without marks for its beginning or end unless the tokenizer itself adds them.
    ///
    /// @throws IllegalArgumentException if `text` has half of a surrogate pair
    int[] encode(String text);

    /// The text of `tokens`; marks are left out, and what is no UTF-8 becomes U+FFFD.
    ///
    /// @throws IllegalArgumentException if a token is none of this tokenizer's
    String decode(int[] tokens);

    /// Every token is below this number.
    int vocabularySize();
}
