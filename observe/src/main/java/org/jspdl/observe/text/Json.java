package org.jspdl.observe.text;

import java.util.Locale;

/// Writes one JSON document, with two spaces for each level.
///
/// Keys and values are given in turn; brackets must be closed by the caller. One thread at a time.
public final class Json {
    private final StringBuilder text = new StringBuilder(2048);
    private int depth;
    private boolean first = true;

    /// Begins the object that is the document.
    public static Json object() {
        Json json = new Json();
        json.open('{');
        return json;
    }

    private Json() {}

    /// A key; its value follows.
    public Json key(String name) {
        separate();
        quote(name);
        text.append(": ");
        first = true;
        return this;
    }

    /// A key with a text.
    public Json put(String name, String value) {
        key(name);
        quote(value);
        first = false;
        return this;
    }

    /// A key with a whole number.
    public Json put(String name, long value) {
        key(name).text.append(value);
        first = false;
        return this;
    }

    /// A key with a number of up to six decimal places; `null` if it is not finite.
    public Json put(String name, double value) {
        key(name).text.append(Double.isFinite(value) ? String.format(Locale.ROOT, "%.6f", value) : "null");
        first = false;
        return this;
    }

    /// A number in an array.
    public Json value(double value) {
        separate();
        text.append(Double.isFinite(value) ? String.format(Locale.ROOT, "%.6f", value) : "null");
        return this;
    }

    /// A whole number in an array.
    public Json value(long value) {
        separate();
        text.append(value);
        return this;
    }

    /// A text in an array.
    public Json value(String value) {
        separate();
        quote(value);
        return this;
    }

    /// A key with a truth value.
    public Json flag(String name, boolean value) {
        key(name).text.append(value);
        first = false;
        return this;
    }

    /// A key whose value is unknown.
    public Json unknown(String name) {
        key(name).text.append("null");
        first = false;
        return this;
    }

    /// A key with an object.
    public Json beginObject(String name) {
        key(name).open('{');
        return this;
    }

    /// An object in an array.
    public Json beginObject() {
        separate();
        open('{');
        return this;
    }

    /// A key with an array.
    public Json beginArray(String name) {
        key(name).open('[');
        return this;
    }

    /// Ends the object begun last.
    public Json endObject() {
        return close('}');
    }

    /// Ends the array begun last.
    public Json endArray() {
        return close(']');
    }

    /// The document, closed, with a line break at its end.
    public String document() {
        close('}');
        return text.append('\n').toString();
    }

    private void open(char bracket) {
        text.append(bracket);
        depth++;
        first = true;
    }

    private Json close(char bracket) {
        depth--;
        if (!first) {
            lineBreak();
        }
        text.append(bracket);
        first = false;
        return this;
    }

    private void separate() {
        if (!first) {
            text.append(',');
        }
        lineBreak();
        first = false;
    }

    private void lineBreak() {
        text.append('\n').repeat(' ', 2 * depth);
    }

    private void quote(String value) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '"' -> text.append("\\\"");
                case '\\' -> text.append("\\\\");
                case '\n' -> text.append("\\n");
                case '\t' -> text.append("\\t");
                default -> {
                    if (c < ' ') {
                        text.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
                    } else {
                        text.append(c);
                    }
                }
            }
        }
        text.append('"');
    }
}
