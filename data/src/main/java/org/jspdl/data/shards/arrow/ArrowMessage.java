package org.jspdl.data.shards.arrow;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.jspdl.data.storage.StoredObject;
import org.jspdl.input.FormatException;
import org.jspecify.annotations.Nullable;

/// A message of a file or stream: its metadata, and where its body lies.
///
/// @param kind       what it is
/// @param header     the metadata of that kind
/// @param body       where the body begins in the file
/// @param bodyLength bytes of the body, which lie within the file
/// @param version    of the format, 4 or 5
record ArrowMessage(Kind kind, FlatTable header, long body, long bodyLength, int version) {
    private static final int CONTINUATION = -1;
    private static final int V4 = 3;
    /// From this version on, unions have no bits that say which values are null.
    private static final int PLAIN_UNIONS = 5;
    /// Metadata says where the parts of a body lie, some 32 bytes for each.
    private static final int MOST_METADATA = 64 << 20;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /// What a message is.
    enum Kind {
        SCHEMA,
        DICTIONARY,
        BATCH
    }

    /// Where the next message of a stream begins.
    long end() {
        return body + bodyLength;
    }

    /// The message at byte `at`; null at the end of a stream.
    ///
    /// @throws FormatException if there is none
    static @Nullable ArrowMessage read(StoredObject object, long at) throws IOException {
        long size = object.size();
        if (at == size) {
            return null; // a stream may end without saying so
        }
        int length = number(object, at, size);
        long begin = at + Integer.BYTES;
        if (length == CONTINUATION) {
            length = number(object, begin, size);
            begin += Integer.BYTES;
        }
        if (length == 0) {
            requireLast(object, begin, size);
            return null;
        }
        if (length < 0 || length > MOST_METADATA || length > size - begin) {
            throw FormatException.at(
                    at,
                    String.format(
                            "Arrow: the metadata claims %,d bytes of a file of %,d: no Arrow, or truncated",
                            length, size));
        }
        byte[] metadata = new byte[length];
        object.read(begin, MemorySegment.ofArray(metadata));
        return parsed(FlatTable.root(metadata), begin + length, size);
    }

    /// Streams that were joined would end with the first of them.
    private static void requireLast(StoredObject object, long end, long size) throws IOException {
        if (size - end >= 2L * Integer.BYTES && number(object, end, size) == CONTINUATION) {
            throw FormatException.at(
                    end,
                    "Arrow: behind the end of the stream there is another one, as in files that were joined; write them"
                            + " as one stream, or read each by itself");
        }
    }

    private static ArrowMessage parsed(FlatTable message, long body, long size) {
        int version = message.medium(0, 0);
        if (version < V4 || version > V4 + 1) {
            throw FormatException.because("Arrow: the format has version " + (version + 1) + ", not 4 or 5");
        }
        int kind = message.small(1);
        if (kind < 1 || kind > Kind.values().length) {
            throw FormatException.because("Arrow: there is a message of the kind " + kind + ", which is no table");
        }
        long bodyLength = message.large(3);
        if (bodyLength < 0 || bodyLength > size - body) {
            throw FormatException.at(
                    body, String.format("Arrow: a message claims %,d bytes of a file of %,d", bodyLength, size));
        }
        return new ArrowMessage(
                Kind.values()[kind - 1], message.required(2, "a header"), body, bodyLength, version + 1);
    }

    private static int number(StoredObject object, long at, long size) throws IOException {
        if (size - at < Integer.BYTES) {
            throw FormatException.at(at, "Arrow: the file ends within a message");
        }
        MemorySegment four = MemorySegment.ofArray(new byte[Integer.BYTES]);
        object.read(at, four);
        return four.get(INT, 0);
    }

    /// Whether values of such a type may have bits that say which of them are null.
    boolean hasValidity(ArrowField.Type type) {
        return type != ArrowField.Type.NULL
                && (version < PLAIN_UNIONS
                        || (type != ArrowField.Type.UNION && type != ArrowField.Type.RUN_END_ENCODED));
    }

    /// The rows of a batch, or of the batch that a dictionary is.
    long rows() {
        long rows = batch().large(0);
        if (rows < 0) {
            throw FormatException.because("Arrow: a batch claims " + rows + " rows");
        }
        return rows;
    }

    FlatTable batch() {
        return kind == Kind.DICTIONARY ? header.required(1, "a dictionary") : header;
    }
}
