package org.jspdl.pipeline.internal;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The little JSON that checkpoints and quarantine files need: objects, arrays, strings, whole and decimal numbers,
/// booleans.
///
/// Source: RFC 8259. Reading is strict, and bounded in depth, because checkpoints come from outside.
public final class Json {
    private static final int DEEPEST = 64;

    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    /// Writes maps, collections, strings, numbers and booleans.
    public static String write(Object value) {
        StringBuilder out = new StringBuilder();
        write(value, out);
        return out.toString();
    }

    private static void write(Object value, StringBuilder out) {
        switch (value) {
            case Map<?, ?> map -> {
                String separator = "{";
                for (Map.Entry<?, ?> entry : map.entrySet()) {
                    out.append(separator);
                    quote(entry.getKey().toString(), out);
                    out.append(':');
                    write(entry.getValue(), out);
                    separator = ",";
                }
                out.append(map.isEmpty() ? "{}" : "}");
            }
            case Iterable<?> list -> {
                String separator = "";
                out.append('[');
                for (Object element : list) {
                    out.append(separator);
                    write(element, out);
                    separator = ",";
                }
                out.append(']');
            }
            case Number number -> out.append(number);
            case Boolean truth -> out.append(truth);
            default -> quote(value.toString(), out);
        }
    }

    private static void quote(String text, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"', '\\' -> out.append('\\').append(c);
                case '\n' -> out.append("\\n");
                case '\t' -> out.append("\\t");
                case '\r' -> out.append("\\r");
                default -> {
                    if (c < ' ') {
                        out.append(String.format("\\u%04x", (int) c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }

    /// Reads one value: `Map`, `List`, `String`, `Long`, `Double` or `Boolean`.
    ///
    /// @throws IllegalArgumentException if `text` is not JSON, with the place
    public static Object read(String text) {
        Json json = new Json(text);
        Object value = json.value(0);
        json.space();
        if (json.at < text.length()) {
            throw json.wrong("more text after the value");
        }
        return value;
    }

    private Object value(int depth) {
        if (depth > DEEPEST) {
            throw wrong("nested more than " + DEEPEST + " deep");
        }
        space();
        char c = peek();
        return switch (c) {
            case '{' -> object(depth);
            case '[' -> array(depth);
            case '"' -> string();
            case 't' -> literal("true", true);
            case 'f' -> literal("false", false);
            default -> number();
        };
    }

    private Map<String, Object> object(int depth) {
        Map<String, Object> map = new LinkedHashMap<>();
        at++;
        space();
        if (peek() == '}') {
            at++;
            return map;
        }
        while (true) {
            space();
            if (peek() != '"') {
                throw wrong("expected a name in quotes");
            }
            String key = string();
            space();
            expect(':');
            map.put(key, value(depth + 1));
            space();
            if (peek() == '}') {
                at++;
                return map;
            }
            expect(',');
        }
    }

    private List<Object> array(int depth) {
        List<Object> list = new ArrayList<>();
        at++;
        space();
        if (peek() == ']') {
            at++;
            return list;
        }
        while (true) {
            list.add(value(depth + 1));
            space();
            if (peek() == ']') {
                at++;
                return list;
            }
            expect(',');
        }
    }

    private String string() {
        StringBuilder out = new StringBuilder();
        at++;
        while (true) {
            char c = peek();
            at++;
            if (c == '"') {
                return out.toString();
            }
            out.append(c == '\\' ? escape() : c);
        }
    }

    private char escape() {
        char c = peek();
        at++;
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'u' -> {
                if (at + 4 > text.length()) {
                    throw wrong("the text ends within an escape");
                }
                String digits = text.substring(at, at + 4);
                at += 4;
                try {
                    yield (char) Integer.parseInt(digits, 16);
                } catch (NumberFormatException notHex) {
                    throw wrong("not a hexadecimal number: " + digits);
                }
            }
            default -> throw wrong("unknown escape \\" + c);
        };
    }

    private Object literal(String word, Object value) {
        if (!text.startsWith(word, at)) {
            throw wrong("expected " + word);
        }
        at += word.length();
        return value;
    }

    private Object number() {
        int start = at;
        while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        String digits = text.substring(start, at);
        try {
            if (digits.chars().anyMatch(c -> c == '.' || c == 'e' || c == 'E')) {
                return Double.valueOf(digits);
            }
            return Long.valueOf(digits);
        } catch (NumberFormatException notNumber) {
            at = start;
            throw wrong("expected a value");
        }
    }

    private void expect(char c) {
        if (peek() != c) {
            throw wrong("expected '" + c + "'");
        }
        at++;
    }

    private char peek() {
        if (at >= text.length()) {
            throw wrong("the text ends too early");
        }
        return text.charAt(at);
    }

    private void space() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    private IllegalArgumentException wrong(String what) {
        return new IllegalArgumentException("not JSON at character " + at + ": " + what);
    }
}
