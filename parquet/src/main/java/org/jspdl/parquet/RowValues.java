package org.jspdl.parquet;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.io.api.Binary;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspecify.annotations.Nullable;

/// What one column holds in the current row: nothing, bytes, a number, or a list of numbers.
final class RowValues {
    private static final Shape NUMBER = Shape.of();

    private final ParquetColumn column;
    private final ColumnReader reader;
    private final @Nullable ElementType type;
    private final boolean list;
    private final int defined;
    private long[] numbers = new long[1];
    private int count;
    private @Nullable Binary bytes;
    private boolean present;

    RowValues(ParquetColumn column, ColumnReader reader) {
        this.column = column;
        this.reader = reader;
        this.type = column.elementType();
        this.list = column.isList();
        this.defined = reader.getDescriptor().getMaxDefinitionLevel();
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
        // A list that is null or empty has one place without a value; which of the two, the level above it
        // tells.
        present = (list && reader.getCurrentDefinitionLevel() > 0) || reader.getCurrentDefinitionLevel() == defined;
        do {
            if (reader.getCurrentDefinitionLevel() == defined) {
                take();
            }
            reader.consume();
        } while (list && reader.getCurrentRepetitionLevel() > 0);
    }

    private void take() {
        if (type == null) {
            bytes = reader.getBinary();
            return;
        }
        if (count == numbers.length) {
            numbers = Arrays.copyOf(numbers, 2 * count);
        }
        numbers[count++] = switch (type) {
            case BOOL -> reader.getBoolean() ? 1 : 0;
            case INT32 -> reader.getInteger();
            case INT64 -> reader.getLong();
            case FLOAT32 -> Float.floatToRawIntBits(reader.getFloat());
            default -> Double.doubleToRawLongBits(reader.getDouble());
        };
    }

    /// The bytes that the values take.
    long byteSize() {
        if (bytes != null) {
            return bytes.length();
        }
        return type == null ? 0 : (long) count * type.byteSize();
    }

    /// Gives the values to `sample`, in `target`, which has their size. Nothing if the row has none.
    void put(ShardSample sample, MemorySegment target) {
        if (!present) {
            return;
        }
        if (type == null) {
            if (bytes != null) {
                target.copyFrom(MemorySegment.ofBuffer(bytes.toByteBuffer()));
            }
            sample.with(column.name(), target);
            return;
        }
        for (int i = 0; i < count; i++) {
            switch (type.byteSize()) {
                case 1 -> target.set(ValueLayout.JAVA_BYTE, i, (byte) numbers[i]);
                case 4 -> target.set(ValueLayout.JAVA_INT_UNALIGNED, 4L * i, (int) numbers[i]);
                default -> target.set(ValueLayout.JAVA_LONG_UNALIGNED, 8L * i, numbers[i]);
            }
        }
        sample.with(column.name(), type, list ? Shape.of(count) : NUMBER, target);
    }
}
