package org.jspdl.parquet;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.io.api.Binary;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.input.FormatException;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspecify.annotations.Nullable;

/// What one column holds in the current row: nothing, bytes, a number, or a list of numbers.
final class RowValues {
    private static final Shape NUMBER = Shape.of();
    private static final long NO_NULL = -1;

    private final ParquetColumn column;
    private final ColumnReader reader;
    private final @Nullable ElementType type;
    private final boolean list;
    private final int defined;
    private final int listDefined;
    private long[] numbers = new long[1];
    private int count;
    private @Nullable MemorySegment bytes;
    private boolean present;
    private long nullAt = NO_NULL;

    RowValues(ParquetColumn column, ColumnReader reader) {
        this.column = column;
        this.reader = reader;
        this.type = column.elementType();
        this.list = column.isList();
        this.defined = reader.getDescriptor().getMaxDefinitionLevel();
        this.listDefined = column.nesting().listDefined();
    }

    /// Passes over rows.
    void pass(long rows) {
        for (long row = 0; row < rows; row++) {
            do {
                if (reader.getCurrentDefinitionLevel() == defined) {
                    reader.skip();
                }
                reader.consume();
            } while (list && reader.getCurrentRepetitionLevel() > 0);
        }
    }

    /// Takes the values of the next row.
    void advance() {
        count = 0;
        bytes = null;
        nullAt = NO_NULL;
        int level = reader.getCurrentDefinitionLevel();
        // A list that is null or empty has one place without a value: which of the two, its level tells, and so
        // it does for an element that is null.
        present = list ? level >= listDefined : level == defined;
        boolean empty = list && level <= listDefined;
        for (long at = 0; at == 0 || (list && reader.getCurrentRepetitionLevel() > 0); at++) {
            if (reader.getCurrentDefinitionLevel() == defined) {
                take();
            } else if (list && !empty && nullAt == NO_NULL) {
                nullAt = at;
            }
            reader.consume();
        }
    }

    private void take() {
        switch (column.values().form()) {
            case NUMBER -> {
                if (count == numbers.length) {
                    numbers = Arrays.copyOf(numbers, 2 * count);
                }
                numbers[count++] = number();
            }
            case BYTES -> bytes = MemorySegment.ofBuffer(reader.getBinary().toByteBuffer());
            case UUID -> bytes = uuid(reader.getBinary());
            case NOTHING, REFUSED ->
                throw FormatException.because("Parquet: the column '" + column.name() + "' of nulls has a value");
        }
    }

    /// The bits of a number, as many as its type has.
    private long number() {
        return switch (column.leaf().getPrimitiveType().getPrimitiveTypeName()) {
            case BOOLEAN -> reader.getBoolean() ? 1 : 0;
            case INT32 -> reader.getInteger();
            case INT64 -> reader.getLong();
            case FLOAT -> Float.floatToRawIntBits(reader.getFloat());
            case DOUBLE -> Double.doubleToRawLongBits(reader.getDouble());
            case FIXED_LEN_BYTE_ARRAY, BINARY, INT96 -> half(reader.getBinary());
        };
    }

    private static long half(Binary value) {
        ByteBuffer two = value.toByteBuffer();
        return (two.get(two.position()) & 0xFF) | ((two.get(two.position() + 1) & 0xFF) << 8);
    }

    private static MemorySegment uuid(Binary value) {
        ByteBuffer sixteen = value.toByteBuffer(); // the most significant byte first
        String text = new UUID(sixteen.getLong(sixteen.position()), sixteen.getLong(sixteen.position() + 8)).toString();
        return MemorySegment.ofArray(text.getBytes(StandardCharsets.US_ASCII));
    }

    /// Why the values of this row cannot be given; empty if they can.
    String objection() {
        return nullAt == NO_NULL
                ? ""
                : "Parquet: the list in the column '" + column.name() + "' has a null as its element " + nullAt
                        + ", which an array cannot hold; write it without nulls, or leave the column out with"
                        + " ShardOptions.columns";
    }

    /// The bytes that the values take.
    long byteSize() {
        if (type != null) {
            return (long) count * type.byteSize();
        }
        return bytes == null ? 0 : bytes.byteSize();
    }

    /// Gives the values to `sample`, in `target`, which has their size. Nothing if the row has none.
    void put(ShardSample sample, MemorySegment target) {
        if (!present) {
            return;
        }
        if (type == null) {
            if (bytes != null) {
                target.copyFrom(bytes);
            }
            sample.with(column.name(), target);
            return;
        }
        for (int i = 0; i < count; i++) {
            switch (type.byteSize()) {
                case 1 -> target.set(ValueLayout.JAVA_BYTE, i, (byte) numbers[i]);
                case 2 -> target.set(ValueLayout.JAVA_SHORT_UNALIGNED, 2L * i, (short) numbers[i]);
                case 4 -> target.set(ValueLayout.JAVA_INT_UNALIGNED, 4L * i, (int) numbers[i]);
                default -> target.set(ValueLayout.JAVA_LONG_UNALIGNED, 8L * i, numbers[i]);
            }
        }
        sample.with(column.name(), type, list ? Shape.of(count) : NUMBER, target);
    }
}
