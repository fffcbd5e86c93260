package org.jspdl.data.dataset;

import java.util.LinkedHashMap;
import java.util.Map;

/// Reads a JSON object of one line: texts are unescaped, all other values are given as they are written, and null as no
/// value. Strict, and bounded in depth, because manifests come from outside (RFC 8259).
public final class JsonRow {
    private static final int DEEPEST = 64;

    private final String text;
    private int at;

    private JsonRow(String text) {
        this.text = text;
    }

    /// The members of the object in `line`, in its order.
    ///
    /// @throws IllegalArgumentException if the line is no JSON object
    public static Map<String, String> parse(String line) {
        return new JsonRow(line).object();
    }

    /// What the members of the object in `line` are, null among them: `text`, `whole number`, `number`, `truth
    /// value`, `list`, `object` or `null`.
    ///
    /// @throws IllegalArgumentException if the line is no JSON object
    public static Map<String, String> kinds(String line) {
        Map<String, String> kinds = new LinkedHashMap<>();
        new JsonRow(line).members((key, value, text) -> kinds.put(key, text ? "text" : kind(value)));
        return kinds;
    }

    private static String kind(String value) {
        return switch (value.charAt(0)) {
            case 't', 'f' -> "truth value";
            case 'n' -> "null";
            case '[' -> "list";
            case '{' -> "object";
            default -> value.matches("-?\\d+") ? "whole number" : "number";
        };
    }

    private Map<String, String> object() {
        Map<String, String> row = new LinkedHashMap<>();
        members((key, value, text) -> {
            if (text || !value.equals("null")) {
                row.put(key, value);
            }
        });
        return row;
    }

    /// Gets the members of an object in turn.
    private interface Members {
        /// @param text whether the value is a text, which is given without its quotes
        void member(String key, String value, boolean text);
    }

    private void members(Members members) {
        space();
        expect('{');
        for (boolean more = !closes('}'); more; more = continues('}')) {
            space();
            String key = string();
            space();
            expect(':');
            space();
            int begin = at;
            boolean text = peek() == '"';
            members.member(key, text ? string() : skipped(begin), text);
        }
        space();
        if (at < this.text.length()) {
            throw refused("nothing behind the object");
        }
    }

    private String skipped(int begin) {
        skip(0);
        return text.substring(begin, at);
    }

    /// Passes over one value.
    private void skip(int depth) {
        if (depth > DEEPEST) {
            throw refused("at most " + DEEPEST + " levels");
        }
        switch (peek()) {
            case '"' -> string();
            case '[' -> {
                at++;
                for (boolean more = !closes(']'); more; more = continues(']')) {
                    space();
                    skip(depth + 1);
                }
            }
            case '{' -> {
                at++;
                for (boolean more = !closes('}'); more; more = continues('}')) {
                    space();
                    string();
                    space();
                    expect(':');
                    space();
                    skip(depth + 1);
                }
            }
            case 't' -> word("true");
            case 'f' -> word("false");
            case 'n' -> word("null");
            default -> number();
        }
    }

    /// Whether a list or object is closed before its first element.
    private boolean closes(char end) {
        space();
        if (peek() != end) {
            return false;
        }
        at++;
        return true;
    }

    /// Whether another element follows.
    private boolean continues(char end) {
        space();
        char next = peek();
        if (next != ',' && next != end) {
            throw refused("',' or '" + end + "'");
        }
        at++;
        return next == ',';
    }

    private void number() {
        int begin = at;
        while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        if (!text.substring(begin, at).matches("-?(0|[1-9]\\d*)(\\.\\d+)?([eE][+-]?\\d+)?")) {
            at = begin;
            throw refused("a value");
        }
    }

    private void word(String word) {
        if (!text.startsWith(word, at)) {
            throw refused("a value");
        }
        at += word.length();
    }

    private String string() {
        expect('"');
        int end = at;
        while (end < text.length() && text.charAt(end) != '"' && text.charAt(end) != '\\' && text.charAt(end) >= ' ') {
            end++;
        }
        if (end < text.length() && text.charAt(end) == '"') {
            String plain = text.substring(at, end);
            at = end + 1;
            return plain;
        }
        StringBuilder out = new StringBuilder();
        while (peek() != '"') {
            char c = text.charAt(at++);
            if (c < ' ') {
                throw refused("no control character in a text");
            }
            out.append(c == '\\' ? escaped() : c);
        }
        at++;
        return out.toString();
    }

    private char escaped() {
        char c = peek();
        at++;
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> unicode();
            default -> throw refused("an escape");
        };
    }

    private char unicode() {
        if (at + 4 > text.length() || !text.substring(at, at + 4).matches("[0-9a-fA-F]{4}")) {
            throw refused("four hexadecimal digits");
        }
        char c = (char) Integer.parseInt(text, at, at + 4, 16);
        at += 4;
        return c;
    }

    private void space() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private char peek() {
        if (at >= text.length()) {
            throw refused("more");
        }
        return text.charAt(at);
    }

    private void expect(char c) {
        if (peek() != c) {
            throw refused("'" + c + "'");
        }
        at++;
    }

    private IllegalArgumentException refused(String expected) {
        return new IllegalArgumentException(
                "no JSON object: expected " + expected + " at character " + (at + 1) + " of " + text.length());
    }
}
