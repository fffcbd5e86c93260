package org.jspdl.json;

import java.io.IOException;
import java.io.Writer;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Writes one JSON document into memory. Strict as RFC 8259: what it writes, [JsonReader] reads as the same values.
///
/// ```java
/// JsonWriter json = JsonWriter.indented().beginObject();
/// json.put("name", name).beginArray("sizes");
/// sizes.forEach(json::value);
/// String document = json.endArray().endObject().document();
/// ```
///
/// Calls that would not give a document (a value where a name belongs, a bracket that is not open) are an
/// [IllegalStateException]. Texts with a surrogate without its other half have no JSON and are refused, see
/// [Json#wellFormed]. One thread at a time.
public final class JsonWriter {
    private static final char[] HEXADECIMAL = "0123456789abcdef".toCharArray();
    private static final int EXACT = -1;

    private final StringBuilder text = new StringBuilder(256);
    private final boolean indented;
    private double scale = EXACT;
    private int depth;
    /// One bit for each open level: set for objects.
    private long objects;
    /// No element of the current level was written yet.
    private boolean first = true;

    private boolean named;
    private boolean newLine;
    private boolean complete;

    private JsonWriter(boolean indented) {
        this.indented = indented;
    }

    /// Writes a document on one line, without spaces.
    public static JsonWriter compact() {
        return new JsonWriter(false);
    }

    /// Writes a document with two spaces for each level and a line break at its end.
    public static JsonWriter indented() {
        return new JsonWriter(true);
    }

    /// From here on, doubles are rounded to `places` (at most 9) decimal places, and those that are not finite are
    /// written as null. Without it they are exact, and refused if not finite.
    public JsonWriter rounded(int places) {
        if (places < 0 || places > 9) {
            throw new IllegalArgumentException("decimal places must be from 0 to 9 but were " + places);
        }
        scale = Math.pow(10, places);
        return this;
    }

    /// Begins an object: the document, an element of an array, or the value of a name.
    public JsonWriter beginObject() {
        open('{');
        objects |= 1L << (depth - 1);
        return this;
    }

    /// Begins an array: the document, an element of an array, or the value of a name.
    public JsonWriter beginArray() {
        open('[');
        objects &= ~(1L << (depth - 1));
        return this;
    }

    /// A member that is an object.
    public JsonWriter beginObject(String name) {
        return name(name).beginObject();
    }

    /// A member that is an array.
    public JsonWriter beginArray(String name) {
        return name(name).beginArray();
    }

    /// Ends the object begun last.
    public JsonWriter endObject() {
        return close('}', true);
    }

    /// Ends the array begun last.
    public JsonWriter endArray() {
        return close(']', false);
    }

    /// The name of a member, whose value follows. That no name is written twice is up to the caller.
    public JsonWriter name(String name) {
        if (depth == 0 || !inObject() || named) {
            throw new IllegalStateException("no name belongs here: " + name);
        }
        separate();
        quote(name);
        text.append(indented ? ": " : ":");
        named = true;
        return this;
    }

    /// A text; null for null.
    public JsonWriter value(@Nullable String value) {
        before();
        if (value == null) {
            text.append("null");
        } else {
            quote(value);
        }
        return this;
    }

    /// A whole number.
    public JsonWriter value(long value) {
        before();
        text.append(value);
        return this;
    }

    /// A number, see [#rounded].
    ///
    /// @throws IllegalArgumentException if it is not finite and not rounded
    public JsonWriter value(double value) {
        before();
        if (Double.isFinite(value)) {
            double rounded = scale == EXACT ? value : Math.rint(value * scale) / scale;
            text.append(Double.isFinite(rounded) ? rounded : value);
        } else if (scale == EXACT) {
            throw new IllegalArgumentException("JSON has no number " + value);
        } else {
            text.append("null");
        }
        return this;
    }

    /// A boolean.
    public JsonWriter value(boolean value) {
        before();
        text.append(value);
        return this;
    }

    /// A value of any kind: null, text, boolean, number, or a map or iterable of them.
    ///
    /// @throws IllegalArgumentException if it is none of these
    public JsonWriter value(@Nullable Object value) {
        return switch (value) {
            case null -> value((String) null);
            case CharSequence string -> value(string.toString());
            case Boolean flag -> value(flag.booleanValue());
            case Double number -> value(number.doubleValue());
            case Float number ->
                Float.isFinite(number) && scale == EXACT ? raw(number.toString()) : value((double) number);
            case Long number -> value(number.longValue());
            case Integer number -> value(number.longValue());
            case Short number -> value(number.longValue());
            case Byte number -> value(number.longValue());
            case BigInteger number -> raw(number.toString());
            case BigDecimal number -> raw(number.toString());
            case Map<?, ?> map -> {
                beginObject();
                map.forEach((name, each) -> name(String.valueOf(name)).value(each));
                yield endObject();
            }
            case Iterable<?> elements -> {
                beginArray();
                elements.forEach(this::value);
                yield endArray();
            }
            default ->
                throw new IllegalArgumentException(
                        "JSON has no value for a " + value.getClass().getName());
        };
    }

    /// A member that is a text; null for null.
    public JsonWriter put(String name, @Nullable String value) {
        return name(name).value(value);
    }

    /// A member that is a whole number.
    public JsonWriter put(String name, long value) {
        return name(name).value(value);
    }

    /// A member that is a number, see [#rounded].
    public JsonWriter put(String name, double value) {
        return name(name).value(value);
    }

    /// A member that is a boolean.
    public JsonWriter put(String name, boolean value) {
        return name(name).value(value);
    }

    /// A member of any kind, see [#value(Object)].
    public JsonWriter put(String name, @Nullable Object value) {
        return name(name).value(value);
    }

    /// A member that is null.
    public JsonWriter putNull(String name) {
        return name(name).value((String) null);
    }

    /// The document, which must be complete.
    public String document() {
        if (!complete) {
            throw new IllegalStateException("the document is not complete");
        }
        return indented ? text + "\n" : text.toString();
    }

    /// Moves what was written so far to `out`, to write documents larger than memory. The rest comes with the next
    /// call.
    public void drainTo(Writer out) throws IOException {
        out.append(text);
        text.setLength(0);
    }

    /// Puts the next element, or the bracket that ends the current ones, on a new line: for long documents that are
    /// not indented.
    public JsonWriter newLine() {
        newLine = true;
        return this;
    }

    private JsonWriter raw(String number) {
        before();
        text.append(number);
        return this;
    }

    private void open(char bracket) {
        if (depth == JsonReader.MAX_DEPTH) {
            throw new IllegalStateException("nested more than " + JsonReader.MAX_DEPTH + " levels deep");
        }
        before();
        complete = false;
        text.append(bracket);
        depth++;
        first = true;
    }

    private JsonWriter close(char bracket, boolean object) {
        if (depth == 0 || inObject() != object || named) {
            throw new IllegalStateException("'" + bracket + "' closes nothing here");
        }
        depth--;
        if (!first || newLine) {
            lineBreak();
        }
        text.append(bracket);
        first = false;
        complete = depth == 0;
        return this;
    }

    /// Before any value.
    private void before() {
        if (depth == 0 ? complete : inObject() && !named) {
            throw new IllegalStateException(depth == 0 ? "a document is one value" : "a value needs a name here");
        }
        if (depth > 0 && !named) {
            separate();
        }
        named = false;
        complete = depth == 0;
    }

    private void separate() {
        if (!first) {
            text.append(',');
        }
        lineBreak();
        first = false;
    }

    private void lineBreak() {
        if (indented) {
            text.append('\n').repeat(' ', 2 * depth);
        } else if (newLine) {
            text.append('\n');
            newLine = false;
        }
    }

    private boolean inObject() {
        return (objects >>> (depth - 1) & 1) != 0;
    }

    private void quote(String value) {
        text.append('"');
        int length = value.length();
        int plain = 0;
        for (int i = 0; i < length; i++) {
            char c = value.charAt(i);
            if (c >= ' ' && c != '"' && c != '\\' && (c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE)) {
                continue;
            }
            if (Character.isSurrogate(c)) {
                if (i + 1 == length || !Character.isSurrogatePair(c, value.charAt(i + 1))) {
                    throw new IllegalArgumentException(
                            "the surrogate U+" + Integer.toHexString(c) + " lacks its other half at character " + i);
                }
                i++;
                continue;
            }
            text.append(value, plain, i).append('\\');
            plain = i + 1;
            switch (c) {
                case '"', '\\' -> text.append(c);
                case '\n' -> text.append('n');
                case '\r' -> text.append('r');
                case '\t' -> text.append('t');
                default -> text.append("u00").append(HEXADECIMAL[c >> 4]).append(HEXADECIMAL[c & 15]);
            }
        }
        text.append(value, plain, length).append('"');
    }
}
