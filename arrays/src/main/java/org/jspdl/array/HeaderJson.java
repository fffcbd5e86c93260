package org.jspdl.array;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspdl.input.FormatException;

/// Reads the JSON of a safetensors header token by token: objects, arrays, strings and integers.
///
/// Strict as RFC 8259 wants it. Numbers with fractions, `true`, `false` and `null` have no place in such a header.
final class HeaderJson {
    private final String text;
    private int at;

    HeaderJson(byte[] utf8) {
        try {
            text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(utf8))
                    .toString();
        } catch (CharacterCodingException malformed) {
            throw FormatException.because("safetensors: the header is not UTF-8");
        }
    }

    /// Passes `wanted`, or fails.
    void expect(char wanted) {
        if (!passes(wanted)) {
            throw wrong("'" + wanted + "'");
        }
    }

    /// Passes `wanted` if it comes next.
    boolean passes(char wanted) {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        if (at < text.length() && text.charAt(at) == wanted) {
            at++;
            return true;
        }
        return false;
    }

    /// Passes a comma and says true, or `end` and says false.
    boolean more(char end) {
        if (passes(',')) {
            return true;
        }
        expect(end);
        return false;
    }

    String string() {
        expect('"');
        StringBuilder value = new StringBuilder();
        while (at < text.length()) {
            char c = text.charAt(at++);
            if (c == '"') {
                return value.toString();
            }
            if (c < ' ') {
                throw wrong("a string without control characters");
            }
            value.append(c == '\\' ? escaped() : c);
        }
        throw wrong("the end of a string");
    }

    private char escaped() {
        char c = at < text.length() ? text.charAt(at++) : 0;
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> {
                int code = 0;
                for (int i = 0; i < 4; i++) {
                    int digit = at < text.length() ? Character.digit(text.charAt(at++), 16) : -1;
                    if (digit < 0) {
                        throw wrong("four hexadecimal digits");
                    }
                    code = code << 4 | digit;
                }
                yield (char) code;
            }
            default -> throw wrong("an escape of JSON");
        };
    }

    /// A number that is not negative.
    long integer() {
        passes('\0'); // white space
        int start = at;
        long value = 0;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
            int digit = text.charAt(at++) - '0';
            if (value > (Long.MAX_VALUE - digit) / 10) {
                throw wrong("a number of 63 bits");
            }
            value = value * 10 + digit;
        }
        if (at == start || (text.charAt(start) == '0' && at > start + 1)) {
            throw wrong("a whole number that is not negative");
        }
        return value;
    }

    /// Nothing but white space may follow.
    void end() {
        passes('\0');
        if (at < text.length()) {
            throw wrong("the end");
        }
    }

    FormatException wrong(String wanted) {
        return FormatException.because(
                "safetensors: the header has something else than " + wanted + " at character " + at);
    }
}
