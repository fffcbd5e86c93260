package org.jspdl.json;

/// The characters of a document, and what they are made into: strings, numbers and words.
final class JsonScanner {
    private static final int MAX_NUMBER = 1000;
    private static final String[] NON_FINITE = {"NaN", "Infinity", "-Infinity"};

    final String text;
    int at;

    JsonScanner(String text) {
        this.text = text;
    }

    /// Passes white space; false at the end of the text.
    boolean space() {
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c != ' ' && c != '\n' && c != '\t' && c != '\r') {
                return true;
            }
            at++;
        }
        return false;
    }

    /// Whether `c` comes next, which is not passed.
    boolean isAt(char c) {
        return at < text.length() && text.charAt(at) == c;
    }

    /// Passes a string that may be dropped.
    void skipString() {
        int end = plainEnd();
        if (end < 0) {
            string();
        } else {
            at = end + 1;
        }
    }

    /// Where the string that begins here ends, if it has no escapes and no surrogates; else negative.
    private int plainEnd() {
        int end = at + 1;
        int length = text.length();
        while (end < length) {
            char c = text.charAt(end);
            if (c == '"') {
                return end;
            }
            if (c < ' ' || c == '\\' || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE)) {
                return -1;
            }
            end++;
        }
        return -1;
    }

    /// Passes a string and returns it unescaped.
    String string() {
        int end = plainEnd();
        if (end >= 0) {
            String plain = text.substring(at + 1, end);
            at = end + 1;
            return plain;
        }
        at++;
        StringBuilder out = new StringBuilder();
        while (true) {
            if (at >= text.length()) {
                throw wrong("the text ends within a string");
            }
            char c = text.charAt(at);
            if (c == '"') {
                at++;
                return out.toString();
            }
            if (c < ' ') {
                throw wrong(String.format("the control character U+%04X must be escaped", (int) c));
            }
            if (c == '\\') {
                escape(out);
            } else if (Character.isSurrogate(c)) {
                char low = at + 1 < text.length() ? text.charAt(at + 1) : 0;
                if (!Character.isSurrogatePair(c, low)) {
                    throw lone(c);
                }
                out.append(c).append(low);
                at += 2;
            } else {
                out.append(c);
                at++;
            }
        }
    }

    private void escape(StringBuilder out) {
        char c = at + 1 < text.length() ? text.charAt(at + 1) : 0;
        char plain = switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> 0;
            default -> throw wrong("unknown escape in a string");
        };
        if (c != 'u') {
            out.append(plain);
            at += 2;
            return;
        }
        char unit = hexadecimal(at);
        if (Character.isSurrogate(unit)) {
            boolean escaped = at + 7 < text.length() && text.charAt(at + 6) == '\\' && text.charAt(at + 7) == 'u';
            char low = escaped ? hexadecimal(at + 6) : 0;
            if (!Character.isSurrogatePair(unit, low)) {
                throw lone(unit);
            }
            out.append(unit).append(low);
            at += 12;
        } else {
            out.append(unit);
            at += 6;
        }
    }

    private char hexadecimal(int escape) {
        int value = 0;
        for (int i = escape + 2; i < escape + 6; i++) {
            char c = i < text.length() ? text.charAt(i) : 0;
            int digit = c < 128 ? Character.digit(c, 16) : -1;
            if (digit < 0) {
                throw wrong("an escape needs four hexadecimal digits");
            }
            value = value << 4 | digit;
        }
        return (char) value;
    }

    private JsonException lone(char surrogate) {
        return wrong(String.format("the surrogate U+%04X lacks its other half", (int) surrogate));
    }

    /// Passes `NaN`, `Infinity` or `-Infinity`; false, passing nothing, if none of them comes.
    boolean nonFinite() {
        for (String word : NON_FINITE) {
            if (text.startsWith(word, at)) {
                at += word.length();
                return true;
            }
        }
        return false;
    }

    /// Passes a number; true if it has no fraction and no exponent.
    boolean number() {
        int start = at;
        if (text.charAt(at) == '-') {
            at++;
        }
        int first = at;
        digits();
        if (text.charAt(first) == '0' && at > first + 1) {
            at = start;
            throw wrong("a number must not begin with 0");
        }
        boolean whole = true;
        if (at < text.length() && text.charAt(at) == '.') {
            at++;
            digits();
            whole = false;
        }
        if (at < text.length() && (text.charAt(at) == 'e' || text.charAt(at) == 'E')) {
            at++;
            if (at < text.length() && (text.charAt(at) == '+' || text.charAt(at) == '-')) {
                at++;
            }
            digits();
            whole = false;
        }
        if (at - start > MAX_NUMBER) {
            at = start;
            throw wrong("the number has more than " + MAX_NUMBER + " characters");
        }
        return whole;
    }

    private void digits() {
        int start = at;
        while (at < text.length() && isDigit(text.charAt(at))) {
            at++;
        }
        if (at == start) {
            throw expected("a digit");
        }
    }

    static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    /// Passes `word`.
    void word(String word) {
        if (!text.startsWith(word, at)) {
            throw expected(word);
        }
        at += word.length();
    }

    JsonException expected(String what) {
        if (at >= text.length()) {
            return wrong("expected " + what + " but the text ends");
        }
        int found = text.codePointAt(at);
        return wrong("expected " + what + " but found "
                + (Character.isISOControl(found) || (found >= 0xD800 && found <= 0xDFFF) || found == 0xFEFF
                        ? String.format("U+%04X", found)
                        : "'" + Character.toString(found) + "'"));
    }

    JsonException wrong(String problem) {
        return new JsonException(text, at, problem);
    }
}
