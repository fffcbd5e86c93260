package org.jspdl.data.shards.arrow;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspdl.data.shards.ShardFile;
import org.jspdl.data.shards.ShardSchema;
import org.jspdl.data.storage.StoredObject;
import org.jspdl.input.FormatException;
import org.jspecify.annotations.Nullable;

/// The messages of a file, with its footer, or of a stream, one after the other.
///
/// @param object   holds them
/// @param fields   the columns
/// @param features what Hugging Face's library says of the columns; empty if it says nothing
/// @param messages where those of a file begin, dictionaries first; null for a stream
/// @param first    where the first message behind the schema of a stream begins
record ArrowFile(
        StoredObject object,
        List<ArrowField> fields,
        String features,
        @Nullable List<Long> messages,
        long first) {
    private static final byte[] MAGIC = "ARROW1".getBytes(StandardCharsets.US_ASCII);
    private static final int BLOCK = 24;
    private static final int TAIL = Integer.BYTES + MAGIC.length;
    private static final int MOST_FOOTER = 256 << 20;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /// Reads what comes before the first batch.
    ///
    /// @param file   is told what the file says of its classes
    /// @param object stays the caller's
    static ArrowFile open(ShardFile file, StoredObject object) throws IOException {
        try {
            ArrowFile opened = isMagic(object, 0) ? file(object) : stream(object);
            file.classes().told(opened.features);
            return opened;
        } catch (IndexOutOfBoundsException | ArithmeticException damaged) {
            throw FormatException.because("Arrow: the metadata is damaged: " + damaged.getMessage());
        }
    }

    private static boolean isMagic(StoredObject object, long at) throws IOException {
        if (object.size() < at + MAGIC.length) {
            return false;
        }
        byte[] bytes = new byte[MAGIC.length];
        object.read(at, MemorySegment.ofArray(bytes));
        return java.util.Arrays.equals(bytes, MAGIC);
    }

    private static ArrowFile stream(StoredObject object) throws IOException {
        ArrowMessage message = ArrowMessage.read(object, 0);
        if (message == null || message.kind() != ArrowMessage.Kind.SCHEMA) {
            throw FormatException.because("Arrow: the file does not begin with a schema");
        }
        List<ArrowField> fields = ArrowField.of(message.header());
        return new ArrowFile(object, fields, features(message.header()), null, message.end());
    }

    private static ArrowFile file(StoredObject object) throws IOException {
        long size = object.size();
        if (size < 2L * TAIL || !isMagic(object, size - MAGIC.length)) {
            throw FormatException.because("Arrow: the file does not end with ARROW1: it is truncated");
        }
        MemorySegment four = MemorySegment.ofArray(new byte[Integer.BYTES]);
        object.read(size - TAIL, four);
        int length = four.get(INT, 0);
        if (length <= 0 || length > size - 2L * TAIL || length > MOST_FOOTER) {
            throw FormatException.because(
                    String.format("Arrow: the footer claims %,d bytes of a file of %,d", length, size));
        }
        byte[] bytes = new byte[length];
        object.read(size - TAIL - length, MemorySegment.ofArray(bytes));
        FlatTable footer = FlatTable.root(bytes);
        FlatTable schema = footer.required(1, "a schema");
        List<Long> messages = new ArrayList<>();
        for (int vector = 2; vector <= 3; vector++) {
            int count = footer.count(vector);
            for (int i = 0; i < count; i++) {
                long at = footer.within(vector, i, BLOCK, 0);
                if (at < 0 || at > size) {
                    throw FormatException.because("Arrow: the footer names a message at byte " + at);
                }
                messages.add(at);
            }
        }
        List<ArrowField> fields = ArrowField.of(schema);
        return new ArrowFile(object, fields, features(schema), List.copyOf(messages), 0);
    }

    private static String features(FlatTable schema) {
        for (int i = schema.count(2) - 1; i >= 0; i--) {
            FlatTable each = schema.table(2, i);
            if (each.text(0).equals(ShardSchema.HUGGING_FACE)) {
                return each.text(1);
            }
        }
        return "";
    }

    /// What the columns mean.
    ShardSchema schema() {
        return ShardSchema.of(ArrowLeaf.names(fields), features);
    }

    /// Passes over the messages, in order.
    final class Messages {
        private long at = first;
        private int next;

        /// The next dictionary or batch; null behind the last.
        @Nullable
        ArrowMessage next() throws IOException {
            if (messages != null) {
                if (next == messages.size()) {
                    return null;
                }
                at = messages.get(next++);
            }
            ArrowMessage message = ArrowMessage.read(object, at);
            if (message == null) {
                if (messages == null) {
                    return null;
                }
                throw FormatException.at(at, "Arrow: there is no message where the footer says so");
            }
            if (message.kind() == ArrowMessage.Kind.SCHEMA) {
                throw FormatException.at(at, "Arrow: there is a second schema");
            }
            at = message.end();
            return message;
        }
    }
}
