package org.jspdl.json;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Reads one JSON document value by value, without a tree. Strict as RFC 8259.
///
/// ```java
/// JsonReader json = JsonReader.of(text);
/// json.beginObject();
/// while (json.hasNext()) {
///     switch (json.nextName()) {
///         case "shape" -> shape = longs(json);
///         default -> json.skipValue();
///     }
/// }
/// json.endObject();
/// json.endDocument();
/// ```
///
/// Refused with a [JsonException]: an object with the same name twice, text after the document, surrogates without
/// their other half, more than [#MAX_DEPTH] levels, numbers of more than 1,000 characters, and numbers that the
/// requested type cannot hold. A call that doesn't fit the structure of the document (a name where an array goes on) is
/// an [IllegalStateException]. One thread at a time.
public final class JsonReader {
    /// Objects and arrays may be nested this deep.
    public static final int MAX_DEPTH = 64;

    /// What the reader stands before.
    private enum State {
        /// The value of the document, of a name, or of an array after its comma.
        VALUE,
        /// The name of a member, after its comma.
        NAME,
        /// The first element or the end of an array or object.
        FIRST,
        /// A comma or the end of an array or object.
        NEXT,
        /// The end of the document.
        END
    }

    private final JsonScanner in;
    private State state = State.VALUE;
    private int depth;
    private boolean nonFinite;
    /// One bit for each open level: set for objects.
    private long objects;

    private final @Nullable NameSet[] names = new @Nullable NameSet[MAX_DEPTH + 1];

    private JsonReader(String text) {
        in = new JsonScanner(text);
    }

    /// Reads `text`.
    public static JsonReader of(String text) {
        return new JsonReader(text);
    }

    /// Reads the whole of `bytes`.
    ///
    /// @throws JsonException if they are not UTF-8; the message names the byte
    public static JsonReader utf8(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        if (text.indexOf('\uFFFD') >= 0) { // written so, or put there for malformed bytes
            checkUtf8(bytes, text);
        }
        return new JsonReader(text);
    }

    /// Also takes `NaN`, `Infinity` and `-Infinity` for numbers, which Python writes and JSON does not have:
    /// [#nextDouble] and [#nextRaw] give them, [#nextNumber] refuses them.
    public JsonReader withNonFinite() {
        nonFinite = true;
        return this;
    }

    private static void checkUtf8(byte[] bytes, String text) {
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharBuffer out = CharBuffer.allocate(text.length() + 1);
        if (decoder.decode(in, out, true).isError()) {
            throw new JsonException(text, out.position(), "byte " + in.position() + " of the text is not UTF-8");
        }
    }

    /// Offset in the text, in `char`s, of what comes next: a value, a name, or an end.
    public int offset() {
        in.space();
        return in.at;
    }

    /// Whether the current array or object has another element.
    public boolean hasNext() {
        if (state == State.VALUE || state == State.NAME) {
            return true;
        }
        if (depth == 0) {
            throw new IllegalStateException("no array or object is open");
        }
        in.space();
        char close = inObject() ? '}' : ']';
        if (in.isAt(close)) {
            return false;
        }
        if (state == State.NEXT) {
            if (!in.isAt(',')) {
                throw in.expected("',' or '" + close + "'");
            }
            in.at++;
        }
        state = inObject() ? State.NAME : State.VALUE;
        return true;
    }

    /// The kind of the next value, which stays unread.
    public JsonToken peek() {
        return switch (value()) {
            case '{' -> JsonToken.OBJECT;
            case '[' -> JsonToken.ARRAY;
            case '"' -> JsonToken.STRING;
            case 't', 'f' -> JsonToken.BOOLEAN;
            case 'n' -> JsonToken.NULL;
            case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> JsonToken.NUMBER;
            case 'N', 'I' -> {
                if (!nonFinite) {
                    throw in.expected("a value");
                }
                yield JsonToken.NUMBER;
            }
            default -> throw in.expected("a value");
        };
    }

    /// Enters an object.
    public void beginObject() {
        open('{', "an object");
        objects |= 1L << (depth - 1);
        NameSet set = names[depth];
        if (set == null) {
            names[depth] = new NameSet();
        } else {
            set.clear();
        }
    }

    /// Enters an array.
    public void beginArray() {
        open('[', "an array");
        objects &= ~(1L << (depth - 1));
    }

    private void open(char bracket, String what) {
        if (value() != bracket) {
            throw in.expected(what);
        }
        if (depth == MAX_DEPTH) {
            throw in.wrong("nested more than " + MAX_DEPTH + " levels deep");
        }
        in.at++;
        depth++;
        state = State.FIRST;
    }

    /// Leaves an object after its last member.
    public void endObject() {
        close(true, '}');
    }

    /// Leaves an array after its last element.
    public void endArray() {
        close(false, ']');
    }

    private void close(boolean object, char bracket) {
        if (depth == 0 || inObject() != object) {
            throw new IllegalStateException("no " + (object ? "object" : "array") + " is open here");
        }
        if (hasNext()) {
            throw in.expected("'" + bracket + "'");
        }
        in.at++;
        depth--;
        done();
    }

    /// The document must end here, but for white space.
    public void endDocument() {
        if (state != State.END) {
            throw new IllegalStateException("the document was not read to its end");
        }
        if (in.space()) {
            throw in.wrong("more text after the value");
        }
    }

    /// The name of the next member; its value comes next.
    public String nextName() {
        if (depth == 0 || !inObject() || !hasNext() || state != State.NAME) {
            throw new IllegalStateException("no name comes next");
        }
        in.space();
        int start = in.at;
        if (!in.isAt('"')) {
            throw in.expected("a name in quotes");
        }
        String name = in.string();
        NameSet set = names[depth];
        if (set != null && !set.add(name)) {
            in.at = start;
            throw in.wrong("the name '" + name + "' is there twice");
        }
        in.space();
        if (!in.isAt(':')) {
            throw in.expected("':'");
        }
        in.at++;
        state = State.VALUE;
        return name;
    }

    /// A text, unescaped.
    public String nextString() {
        if (value() != '"') {
            throw in.expected("a string");
        }
        String string = in.string();
        done();
        return string;
    }

    /// A whole number, written without a fraction or an exponent.
    public long nextLong() {
        int start = startOfNumber("a whole number");
        boolean whole = in.number();
        if (whole) {
            try {
                long value = Long.parseLong(in.text, start, in.at, 10);
                done();
                return value;
            } catch (NumberFormatException tooLarge) {
                // reported below
            }
        }
        String found = in.text.substring(start, in.at);
        in.at = start;
        throw in.wrong("expected a whole number of 64 bits but found " + found);
    }

    /// The `double` nearest to a number.
    public double nextDouble() {
        if (nonFinite && (value() == 'N' || value() == 'I' || value() == '-')) {
            int begin = in.at;
            if (in.nonFinite()) {
                done();
                return Double.parseDouble(in.text.substring(begin, in.at));
            }
        }
        int start = startOfNumber("a number");
        in.number();
        double value = Double.parseDouble(in.text.substring(start, in.at));
        if (Double.isInfinite(value)) {
            in.at = start;
            throw in.wrong("the number is too large for a double");
        }
        done();
        return value;
    }

    /// A number exactly: a `Long` if it is whole and has 64 bits, else a `BigDecimal`.
    public Number nextNumber() {
        int start = startOfNumber("a number");
        boolean whole = in.number();
        Number value = null;
        if (whole && in.at - start <= 20) {
            try {
                value = Long.parseLong(in.text, start, in.at, 10);
            } catch (NumberFormatException tooLarge) {
                // more than 64 bits
            }
        }
        if (value == null) {
            try {
                value = new BigDecimal(in.text.substring(start, in.at));
            } catch (NumberFormatException farExponent) {
                in.at = start;
                throw in.wrong("the exponent of the number is too large");
            }
        }
        done();
        return value;
    }

    /// `true` or `false`.
    public boolean nextBoolean() {
        char c = value();
        if (c != 't' && c != 'f') {
            throw in.expected("true or false");
        }
        in.word(c == 't' ? "true" : "false");
        done();
        return c == 't';
    }

    /// Reads `null`.
    public void nextNull() {
        if (value() != 'n') {
            throw in.expected("null");
        }
        in.word("null");
        done();
    }

    /// Reads and checks one value of any kind, and returns it as it is written.
    public String nextRaw() {
        value();
        int start = in.at;
        skipValue();
        return in.text.substring(start, in.at);
    }

    /// Passes over one value of any kind, which is checked as if it was read.
    public void skipValue() {
        switch (peek()) {
            case OBJECT -> {
                beginObject();
                while (hasNext()) {
                    nextName();
                    skipValue();
                }
                endObject();
            }
            case ARRAY -> {
                beginArray();
                while (hasNext()) {
                    skipValue();
                }
                endArray();
            }
            case STRING -> {
                in.skipString();
                done();
            }
            case NUMBER -> {
                if (!(nonFinite && in.nonFinite())) {
                    in.number();
                }
                done();
            }
            case BOOLEAN -> nextBoolean();
            case NULL -> nextNull();
        }
    }

    /// Goes to the next value and returns its first character.
    private char value() {
        if (state != State.VALUE && (depth == 0 || inObject() || !hasNext())) {
            if (depth > 0 && !inObject()) {
                throw in.expected("another element");
            }
            throw new IllegalStateException(depth == 0 ? "the document has one value" : "a name comes next");
        }
        if (!in.space()) {
            throw in.expected("a value");
        }
        return in.text.charAt(in.at);
    }

    private void done() {
        state = depth == 0 ? State.END : State.NEXT;
    }

    private boolean inObject() {
        return (objects >>> (depth - 1) & 1) != 0;
    }

    private int startOfNumber(String what) {
        char c = value();
        if (c != '-' && !JsonScanner.isDigit(c)) {
            throw in.expected(what);
        }
        return in.at;
    }

    JsonException tooMany(int values) {
        return in.wrong(String.format("more than %,d values", values));
    }
}
