package org.jspdl.parquet;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.io.api.Binary;
import org.jspdl.data.shards.ShardOptions;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.input.FormatException;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspecify.annotations.Nullable;

/// What one column holds in the current row: nothing, one value, or a list of them, or of lists.
///
/// A list of numbers is an array, lists of lists one of more dimensions. A list of texts is their bytes, one behind the
/// other, and a second field with the length of each. Nulls within a list, and lists of different lengths within one,
/// are an objection, unless the validity is wanted, too: then nulls are zeros or empty.
final class RowValues {
    private static final long NO_NULL = -1;
    /// What a text takes beside its bytes.
    private static final long TEXT_OVERHEAD = 64;
    private static final MemorySegment NO_BYTES = MemorySegment.ofArray(new byte[0]);

    private final WantedColumn wanted;
    private final ParquetColumn column;
    private final ColumnReader reader;
    private final ShardOptions options;
    private final @Nullable ElementType type;
    private final int defined;
    private final ListLevels lists;
    private final List<MemorySegment> texts = new ArrayList<>();
    private final BitSet valid = new BitSet();
    private long[] numbers = new long[1];
    private long left;
    private int count;
    private long textBytes;
    private boolean present;
    private boolean nullList;
    private long nullAt = NO_NULL;

    /// @param values of the column in the row group, nulls and empty lists among them
    RowValues(WantedColumn wanted, ColumnReader reader, long values, ShardOptions options) {
        this.options = options;
        this.wanted = wanted;
        this.column = wanted.column();
        this.reader = reader;
        this.type = column.elementType();
        this.left = values;
        this.defined = reader.getDescriptor().getMaxDefinitionLevel();
        this.lists = new ListLevels(column.lists());
    }

    /// Passes over rows.
    void pass(long rows) {
        for (long row = 0; row < rows; row++) {
            do {
                requireMore();
                if (reader.getCurrentDefinitionLevel() == defined) {
                    reader.skip();
                }
                consume();
            } while (column.isList() && reader.getCurrentRepetitionLevel() > 0);
        }
    }

    private void consume() {
        left--;
        reader.consume();
    }

    /// Behind its last value, a reader gives it again.
    private void requireMore() {
        if (left <= 0) {
            throw FormatException.because(
                    "Parquet: the column '" + column.name() + "' has values of fewer rows than its group");
        }
    }

    /// Makes sure that the last row of the group has taken the last value.
    void requireEnd() {
        if (left != 0) {
            throw FormatException.because("Parquet: the column '" + column.name() + "' has " + left
                    + " values behind the last row of its group: which rows they belong to cannot be told");
        }
    }

    /// Takes the values of the next row.
    void advance() {
        count = 0;
        textBytes = 0;
        texts.clear();
        valid.clear();
        nullAt = NO_NULL;
        nullList = false;
        requireMore();
        if (!column.isList()) {
            present = reader.getCurrentDefinitionLevel() == defined;
            element(present);
            consume();
            return;
        }
        present = reader.getCurrentDefinitionLevel() >= column.lists().getFirst();
        lists.begin();
        int repeated = 0;
        do {
            int level = reader.getCurrentDefinitionLevel();
            ListLevels.Found found = lists.next(repeated, level);
            if (found == ListLevels.Found.ELEMENT) {
                if (level != defined && nullAt == NO_NULL) {
                    nullAt = count;
                }
                element(level == defined);
            } else {
                nullList |= found == ListLevels.Found.NULL_LIST;
            }
            consume();
            repeated = reader.getCurrentRepetitionLevel();
        } while (repeated > 0);
        lists.end();
    }

    private void element(boolean there) {
        valid.set(count, there);
        if (type != null) {
            if (count == numbers.length) {
                options.within(0, 2L * Long.BYTES * count, "a list of Parquet");
                numbers = Arrays.copyOf(numbers, 2 * count);
            }
            numbers[count] = there ? number() : 0;
        } else {
            MemorySegment bytes = there ? bytes() : NO_BYTES;
            texts.add(bytes);
            textBytes = options.within(textBytes, bytes.byteSize(), "a list of Parquet");
            options.within(textBytes, TEXT_OVERHEAD * count, "a list of Parquet");
        }
        count++;
    }

    private MemorySegment bytes() {
        return switch (column.values().form()) {
            case BYTES -> MemorySegment.ofBuffer(reader.getBinary().toByteBuffer());
            case UUID -> uuid(reader.getBinary());
            case TEXT -> converted(Objects.requireNonNull(column.values().text()));
            case NUMBER, NOTHING, REFUSED ->
                throw FormatException.because("Parquet: the column '" + column.name() + "' of nulls has a value");
        };
    }

    private MemorySegment converted(LogicalText text) {
        try {
            return text(text.of(reader));
        } catch (DateTimeException | ArithmeticException | NumberFormatException impossible) {
            throw FormatException.because("Parquet: the column '" + column.name() + "' has a value that is no "
                    + column.values().name() + ": " + impossible.getMessage());
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
        return text(new UUID(sixteen.getLong(sixteen.position()), sixteen.getLong(sixteen.position() + 8)).toString());
    }

    private static MemorySegment text(String text) {
        return MemorySegment.ofArray(text.getBytes(StandardCharsets.UTF_8));
    }

    /// Why the values of this row cannot be given; empty if they can.
    String objection() {
        if (!present) {
            return "";
        }
        if (nullAt != NO_NULL && column.isList() && !wanted.validity()) {
            return "Parquet: the list in the column '" + column.name() + "' has a null as its element " + nullAt
                    + ", which an array cannot hold; ask for the column '" + column.name() + WantedColumn.VALID
                    + "', too, which says where, or leave both out with ShardOptions.columns";
        }
        if (nullList) {
            return "Parquet: the list in the column '" + column.name()
                    + "' has a null in place of a list, which an array"
                    + " cannot hold; write an empty list, or leave the column out with ShardOptions.columns";
        }
        return lists.isRagged()
                ? "Parquet: the lists within the list in the column '" + column.name()
                        + "' have different lengths, which an array cannot hold; write them as one list and their"
                        + " lengths, or leave the column out with ShardOptions.columns"
                : "";
    }

    /// The bytes that the fields take.
    long byteSize() {
        return valueBytes() + lengthBytes() + validityBytes();
    }

    private long valueBytes() {
        if (!present || !wanted.values()) {
            return 0;
        }
        return type == null ? textBytes : (long) count * type.byteSize();
    }

    private long lengthBytes() {
        boolean given = present && wanted.values() && type == null && column.isList();
        return given ? (long) count * Long.BYTES : 0;
    }

    private long validityBytes() {
        if (!wanted.validity() || (column.isList() && !present)) {
            return 0;
        }
        return column.isList() ? count : 1;
    }

    /// Gives the fields to `sample`, in `target`, which has their size. None if the row has no list or no value.
    void put(ShardSample sample, MemorySegment target) {
        Shape shape = column.isList() ? lists.shape() : Shape.of();
        MemorySegment values = target.asSlice(0, valueBytes());
        if (present && wanted.values()) {
            if (type == null) {
                putTexts(sample, values, target.asSlice(values.byteSize(), lengthBytes()), shape);
            } else {
                putNumbers(values, type);
                sample.with(column.name(), type, shape, values);
            }
        }
        if (wanted.validity() && (present || !column.isList())) {
            MemorySegment flags = target.asSlice(target.byteSize() - validityBytes());
            for (int i = 0; i < flags.byteSize(); i++) {
                flags.set(ValueLayout.JAVA_BYTE, i, (byte) (valid.get(i) ? 1 : 0));
            }
            sample.with(column.name() + WantedColumn.VALID, ElementType.BOOL, shape, flags);
        }
    }

    private void putTexts(ShardSample sample, MemorySegment values, MemorySegment lengths, Shape shape) {
        long at = 0;
        for (MemorySegment each : texts) {
            MemorySegment.copy(each, 0, values, at, each.byteSize());
            at += each.byteSize();
        }
        sample.with(column.name(), values);
        if (column.isList()) {
            for (int i = 0; i < count; i++) {
                lengths.set(
                        ValueLayout.JAVA_LONG_UNALIGNED,
                        (long) i * Long.BYTES,
                        texts.get(i).byteSize());
            }
            sample.with(column.name() + WantedColumn.LENGTHS, ElementType.INT64, shape, lengths);
        }
    }

    private void putNumbers(MemorySegment target, ElementType elements) {
        for (int i = 0; i < count; i++) {
            switch (elements.byteSize()) {
                case 1 -> target.set(ValueLayout.JAVA_BYTE, i, (byte) numbers[i]);
                case 2 -> target.set(ValueLayout.JAVA_SHORT_UNALIGNED, 2L * i, (short) numbers[i]);
                case 4 -> target.set(ValueLayout.JAVA_INT_UNALIGNED, 4L * i, (int) numbers[i]);
                default -> target.set(ValueLayout.JAVA_LONG_UNALIGNED, 8L * i, numbers[i]);
            }
        }
    }
}
