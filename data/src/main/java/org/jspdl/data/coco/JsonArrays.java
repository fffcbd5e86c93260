package org.jspdl.data.coco;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import org.jspdl.input.FormatException;
import org.jspdl.json.JsonReader;

/// The elements of arrays that are members of one large JSON object, one by one: a document of 500 MB has elements of a
/// few hundred bytes. What is outside of the wanted arrays is passed over, and checked for its brackets alone.
final class JsonArrays {
    private static final int MOST_BYTES = 64 << 20;

    private final MemorySegment text;
    private long at;

    /// What takes an element.
    @FunctionalInterface
    interface Taker {
        /// Takes one element, which it reads to its end.
        ///
        /// @throws org.jspdl.json.JsonException if it is none
        void take(String array, JsonReader element);
    }

    private JsonArrays(MemorySegment text) {
        this.text = text;
    }

    /// Gives the elements of the arrays that are called as `wanted` says to `taker`, in the order of the document.
    ///
    /// @throws FormatException if it is no such document
    static void read(MemorySegment text, Set<String> wanted, Taker taker) {
        new JsonArrays(text).read(wanted, taker);
    }

    private void read(Set<String> wanted, Taker taker) {
        expect('{');
        if (peek() == '}') {
            at++;
            requireEnd();
            return;
        }
        Set<String> names = new HashSet<>();
        do {
            String name = JsonReader.utf8(value()).nextString();
            if (!names.add(name)) {
                throw wrong("the name '" + name + "' is there twice, and ends");
            }
            expect(':');
            if (wanted.contains(name) && peek() == '[') {
                elements(name, taker);
            } else {
                skip();
            }
        } while (goesOn('}'));
        requireEnd();
    }

    /// Refuses what follows the document, such as a second one, which nobody would read.
    private void requireEnd() {
        while (at < text.byteSize()) {
            if (" \n\r\t".indexOf(text.get(ValueLayout.JAVA_BYTE, at)) < 0) {
                throw wrong("there is more text behind the document,");
            }
            at++;
        }
    }

    private void elements(String name, Taker taker) {
        expect('[');
        if (peek() == ']') {
            at++;
            return;
        }
        do {
            JsonReader element = JsonReader.utf8(value());
            taker.take(name, element);
            element.endDocument();
        } while (goesOn(']'));
    }

    private byte[] value() {
        peek();
        long begin = at;
        skip();
        if (at - begin > MOST_BYTES) {
            throw wrong("a value has more than " + MOST_BYTES + " bytes");
        }
        return text.asSlice(begin, at - begin).toArray(ValueLayout.JAVA_BYTE);
    }

    /// Whether a comma comes next, which is passed, or the end.
    private boolean goesOn(char end) {
        byte next = peek();
        if (next != ',' && next != end) {
            throw wrong("expected , or " + end);
        }
        at++;
        return next == ',';
    }

    private void expect(char wanted) {
        if (peek() != wanted) {
            throw wrong("expected " + wanted);
        }
        at++;
    }

    /// The next byte that is no white space.
    private byte peek() {
        while (at < text.byteSize()) {
            byte next = text.get(ValueLayout.JAVA_BYTE, at);
            if (next != ' ' && next != '\n' && next != '\r' && next != '\t') {
                return next;
            }
            at++;
        }
        throw wrong("the document ends early");
    }

    /// Passes over a value.
    private void skip() {
        peek();
        int depth = 0;
        while (at < text.byteSize()) {
            byte next = text.get(ValueLayout.JAVA_BYTE, at);
            switch (next) {
                case '"' -> string();
                case '{', '[' -> {
                    depth++;
                    at++;
                }
                case '}', ']', ',', ':', ' ', '\n', '\r', '\t' -> {
                    if (depth == 0) {
                        return;
                    }
                    depth -= next == '}' || next == ']' ? 1 : 0;
                    at++;
                    if (depth == 0) {
                        return;
                    }
                }
                default -> at++;
            }
        }
        if (depth > 0) {
            throw wrong("the document ends early");
        }
    }

    private void string() {
        for (at++; at < text.byteSize(); at++) {
            byte next = text.get(ValueLayout.JAVA_BYTE, at);
            if (next == '"') {
                at++;
                return;
            }
            at += next == '\\' ? 1 : 0;
        }
        throw wrong("the document ends early");
    }

    private FormatException wrong(String what) {
        return FormatException.because(what + " at byte " + at);
    }

    /// The text of a byte that may begin a document: files of Windows have a mark there.
    static MemorySegment withoutMark(MemorySegment text) {
        byte[] mark = "\uFEFF".getBytes(StandardCharsets.UTF_8);
        boolean marked = text.byteSize() >= mark.length
                && text.asSlice(0, mark.length).mismatch(MemorySegment.ofArray(mark)) < 0;
        return marked ? text.asSlice(mark.length) : text;
    }
}
