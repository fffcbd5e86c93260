package org.jspdl.data.text;

/// Turns texts into numbers, and numbers into texts. Safe for use by several threads at once.
public interface Tokenizer {
    /// The tokens of `text`, without marks for its beginning or end unless the tokenizer itself adds them.
    int[] encode(String text);

    /// The text of `tokens`; marks are left out.
    String decode(int[] tokens);

    /// Every token is below this number.
    int vocabularySize();
}
