package org.jspdl.data.text;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/// The bytes of a text in UTF-8 as tokens 0 to 255, and one more for the end of a document: needs no vocabulary, and
/// loses nothing.
public final class ByteTokenizer implements Tokenizer {
    /// The token that ends a document.
    public static final int END_OF_DOCUMENT = 256;

    /// A tokenizer; all are alike.
    public ByteTokenizer() {}

    @Override
    public int[] encode(String text) {
        CharBuffer in = CharBuffer.wrap(text);
        ByteBuffer bytes;
        try {
            bytes = StandardCharsets.UTF_8.newEncoder().encode(in);
        } catch (CharacterCodingException half) {
            throw new IllegalArgumentException(
                    String.format(
                            "the text is no Unicode: character %d is U+%04X, half of a pair",
                            in.position(), (int) text.charAt(in.position())),
                    half);
        }
        int[] tokens = new int[bytes.remaining()];
        for (int i = 0; i < tokens.length; i++) {
            tokens[i] = bytes.get() & 0xFF;
        }
        return tokens;
    }

    @Override
    public String decode(int[] tokens) {
        byte[] bytes = new byte[tokens.length];
        int count = 0;
        for (int token : tokens) {
            if (token < 0 || token > END_OF_DOCUMENT) {
                throw new IllegalArgumentException("tokens must be from 0 to 256 but one was " + token);
            }
            if (token != END_OF_DOCUMENT) {
                bytes[count++] = (byte) token;
            }
        }
        return new String(bytes, 0, count, StandardCharsets.UTF_8);
    }

    @Override
    public int vocabularySize() {
        return END_OF_DOCUMENT + 1;
    }
}
