package org.jspdl.data.shards.arrow;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import org.jspdl.input.FormatException;
import org.jspecify.annotations.Nullable;

/// The values of a field in one batch: buffers, and the vectors of the fields that it consists of. Lives as long as the
/// [ArrowBody] that holds its buffers. An access outside of a buffer throws an [IndexOutOfBoundsException].
///
/// @param field      what they are
/// @param length     how many
/// @param validity   a bit for each, 1 where there is a value; null if there is one everywhere
/// @param buffers    those behind the validity, in the order of the layout
/// @param children   of lists and structures
/// @param dictionary where the values are, if these are places in it: parts that follow each other, none before one was
///     read; null if these are the values
record ArrowVector(
        ArrowField field,
        long length,
        @Nullable MemorySegment validity,
        List<MemorySegment> buffers,
        List<ArrowVector> children,
        @Nullable List<ArrowVector> dictionary) {
    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final int NODE = 16;
    private static final int VIEW = 16;
    private static final int SHORT_VIEW = 12;
    private static final long DENSE = 1;

    /// Puts the vectors of a batch together, each taking its nodes and buffers in the order of the schema.
    static final class Assembly {
        private final ArrowBody body;
        private final LongFunction<List<ArrowVector>> dictionaries;
        private int node;
        private int buffer;
        private int variadic;

        /// @param dictionaries the parts of a dictionary by its number
        Assembly(ArrowBody body, LongFunction<List<ArrowVector>> dictionaries) {
            this.body = body;
            this.dictionaries = dictionaries;
        }

        /// The vector of the next field; null if it is not wanted, whose buffers are then passed over.
        @Nullable
        ArrowVector next(ArrowField field, boolean wanted) throws IOException {
            return field.isEncoded() ? encoded(field, wanted) : plain(field, wanted);
        }

        private @Nullable ArrowVector encoded(ArrowField field, boolean wanted) throws IOException {
            ArrowVector indices = plain(java.util.Objects.requireNonNull(field.indices()), wanted);
            return indices == null
                    ? null
                    : new ArrowVector(
                            indices.field,
                            indices.length,
                            indices.validity,
                            indices.buffers,
                            List.of(),
                            dictionaries.apply(field.dictionary()));
        }

        private @Nullable ArrowVector plain(ArrowField field, boolean wanted) throws IOException {
            FlatTable batch = body.batch();
            int number = node++;
            if (number >= batch.count(1)) {
                throw FormatException.because("Arrow: a batch has fewer columns than the schema");
            }
            long length = batch.within(1, number, NODE, 0);
            long nulls = batch.within(1, number, NODE, Long.BYTES);
            if (length < 0 || nulls < 0 || nulls > length) {
                throw FormatException.because(
                        "Arrow: a column claims " + length + " values, " + nulls + " of them null");
            }
            MemorySegment validity = null;
            if (body.message().hasValidity(field.type())) {
                int place = buffer++;
                validity = wanted && nulls > 0 ? body.buffer(place) : null;
            }
            List<MemorySegment> buffers = new ArrayList<>();
            for (int left = buffers(field); left > 0; left--) {
                int place = buffer++;
                if (wanted) {
                    buffers.add(body.buffer(place));
                }
            }
            List<ArrowVector> children = new ArrayList<>();
            for (ArrowField child : field.children()) {
                ArrowVector vector = next(child, wanted);
                if (vector != null) {
                    children.add(vector);
                }
            }
            return wanted ? new ArrowVector(field, length, validity, buffers, children, null) : null;
        }

        private int buffers(ArrowField field) {
            return switch (field.type()) {
                case NONE, NULL, STRUCT, FIXED_LIST, RUN_END_ENCODED -> 0;
                case INT, FLOAT, BOOL, DECIMAL, DATE, TIME, TIMESTAMP, INTERVAL, DURATION, FIXED_BINARY -> 1;
                case LIST, LARGE_LIST, MAP -> 1;
                case BINARY, TEXT, LARGE_BINARY, LARGE_TEXT, LIST_VIEW, LARGE_LIST_VIEW -> 2;
                case UNION -> field.detail() == DENSE ? 2 : 1;
                case BINARY_VIEW, TEXT_VIEW -> 1 + views();
            };
        }

        private int views() {
            FlatTable batch = body.batch();
            if (variadic >= batch.count(4)) {
                throw FormatException.because("Arrow: a batch does not say how many buffers its views have");
            }
            long views = batch.within(4, variadic++, Long.BYTES, 0);
            if (views < 0 || views > batch.count(2)) {
                throw FormatException.because("Arrow: a column of views claims " + views + " buffers");
            }
            return (int) views;
        }
    }

    /// Whether there is no value at `index`, whatever the dictionary says.
    boolean isNull(long index) {
        if (index < 0 || index >= length) {
            throw new IndexOutOfBoundsException("value " + index + " of " + length);
        }
        return field.type() == ArrowField.Type.NULL
                || (validity != null && (validity.get(ValueLayout.JAVA_BYTE, index >> 3) >> (index & 7) & 1) == 0);
    }

    /// A number or boolean, as its bits.
    long bits(long index) {
        MemorySegment data = buffers.getFirst();
        boolean signed = field.detail() != 0;
        return switch (width()) {
            case 1 -> data.get(ValueLayout.JAVA_BYTE, index >> 3) >> (index & 7) & 1;
            case 8 -> signed ? data.get(ValueLayout.JAVA_BYTE, index) : data.get(ValueLayout.JAVA_BYTE, index) & 0xFF;
            case 16 -> signed ? data.get(SHORT, 2 * index) : data.get(SHORT, 2 * index) & 0xFFFF;
            case 32 -> signed ? data.get(INT, 4 * index) : data.get(INT, 4 * index) & 0xFFFF_FFFFL;
            default -> data.get(LONG, 8 * index);
        };
    }

    /// The bits of a value of a type whose values have up to 64.
    private int width() {
        return switch (field.type()) {
            case BOOL -> 1;
            case INT, FLOAT, DECIMAL -> field.parameter();
            case DATE -> field.parameter() == 0 ? 32 : 64;
            case TIME -> field.detail();
            default -> 64;
        };
    }

    /// The bytes of a text or of binary data.
    MemorySegment bytes(long index) {
        return switch (field.type()) {
            case FIXED_BINARY -> fixed(index, field.parameter());
            case BINARY_VIEW, TEXT_VIEW -> view(index);
            default -> {
                long begin = offset(index);
                yield buffers.get(1).asSlice(begin, offset(index + 1) - begin);
            }
        };
    }

    /// The bytes of a value of this size, of which one follows the other.
    MemorySegment fixed(long index, int size) {
        return buffers.getFirst().asSlice(index * size, size);
    }

    /// Short values lie in the view, longer ones in one of the buffers behind it.
    private MemorySegment view(long index) {
        MemorySegment view = fixed(index, VIEW);
        int size = view.get(INT, 0);
        if (size >= 0 && size <= SHORT_VIEW) {
            return view.asSlice(Integer.BYTES, size);
        }
        return buffers.get(1 + view.get(INT, 8)).asSlice(view.get(INT, 12), size);
    }

    /// Where list `index` begins among the elements.
    long begin(long index) {
        return switch (field.type()) {
            case FIXED_LIST -> index * field.parameter();
            default -> offset(index);
        };
    }

    /// Where list `index` ends among the elements.
    ///
    /// @throws FormatException if that is before its begin
    long end(long index) {
        long end = switch (field.type()) {
            case FIXED_LIST -> (index + 1) * field.parameter();
            case LIST_VIEW -> begin(index) + buffers.get(1).get(INT, 4 * index);
            case LARGE_LIST_VIEW -> begin(index) + buffers.get(1).get(LONG, 8 * index);
            default -> offset(index + 1);
        };
        if (end < begin(index)) {
            throw FormatException.because("Arrow: a list of the column '" + field.name() + "' ends before it begins");
        }
        return end;
    }

    private long offset(long index) {
        return field.type().isLarge()
                ? buffers.getFirst().get(LONG, 8 * index)
                : buffers.getFirst().get(INT, 4 * index);
    }
}
