package org.jspdl.plan.record;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Array;
import java.lang.reflect.RecordComponent;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SequencedMap;
import java.util.zip.CRC32C;
import org.jspdl.memory.NamedValues;
import org.jspdl.memory.Tensor;
import org.jspecify.annotations.Nullable;

/// The CRC-32C of values such as [NamedValues] have: each is preceded by its kind and length, so that no two say the
/// same bytes. One thread at a time.
final class ContentCrc {
    private static final int CHUNK = 1 << 30;

    private final CRC32C sum = new CRC32C();
    private final ByteBuffer number = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private boolean unknown;

    /// Begins anew.
    void reset() {
        sum.reset();
    }

    long value() {
        return sum.getValue();
    }

    /// Whether there was a value of which nobody knows what it holds.
    boolean isUnknown() {
        return unknown;
    }

    /// What `value`, of several rows, has in row `row`.
    void addRow(Object value, int row) {
        switch (value) {
            case Tensor tensor -> addBytes(tensor.row(row));
            case List<?> list -> add(list.get(row));
            default -> add(Array.get(value, row));
        }
    }

    /// What all rows of `value` have in common.
    void addKind(Object value) {
        switch (value) {
            case Tensor tensor -> addText(tensor.type() + " " + tensor.shape());
            case List<?> list -> addText("list of " + list.size());
            default -> addText(value.getClass().getSimpleName() + " " + Array.getLength(value));
        }
    }

    /// A value with all that it holds.
    void add(@Nullable Object value) {
        switch (value) {
            case null -> addText("null");
            case Tensor tensor -> {
                addKind(tensor);
                addBytes(tensor.segment());
            }
            case Float real -> addNumber(Float.floatToRawIntBits(real));
            case Double real -> addNumber(Double.doubleToRawLongBits(real));
            case Number whole when isWhole(whole) -> addNumber(whole.longValue());
            case Boolean yes -> addText(yes.toString());
            case Character one -> addNumber(one);
            case CharSequence text -> addText(text.toString());
            case Enum<?> constant -> addText(constant.name());
            case NamedValues named -> addMap(named.namedValues());
            case SequencedMap<?, ?> map -> addMap(map);
            case Map<?, ?> map -> addUnordered(map.entrySet());
            case Map.Entry<?, ?> entry -> {
                add(entry.getKey());
                add(entry.getValue());
            }
            case List<?> list -> {
                addNumber(list.size());
                list.forEach(this::add);
            }
            case Collection<?> all -> addUnordered(all);
            case Record fields -> addRecord(fields);
            case MemorySegment bytes -> addBytes(bytes);
            case Object array when array.getClass().isArray() -> addArray(array);
            default -> unknown = true;
        }
    }

    private static boolean isWhole(Number number) {
        return number instanceof Long || number instanceof Integer || number instanceof Short || number instanceof Byte;
    }

    private void addMap(Map<?, ?> map) {
        addNumber(map.size());
        map.forEach((key, value) -> {
            add(key);
            add(value);
        });
    }

    /// Other processes may have another order.
    private void addUnordered(Collection<?> all) {
        addNumber(all.size());
        List<Long> sums = new ArrayList<>();
        for (Object each : all) {
            ContentCrc own = new ContentCrc();
            own.add(each);
            unknown |= own.unknown;
            sums.add(own.value());
        }
        sums.sort(null);
        sums.forEach(this::addNumber);
    }

    private void addRecord(Record fields) {
        for (RecordComponent field : fields.getClass().getRecordComponents()) {
            try {
                addText(field.getName());
                add(field.getAccessor().invoke(fields));
            } catch (ReflectiveOperationException notOpen) {
                unknown = true;
            }
        }
    }

    private void addArray(Object array) {
        addKind(array);
        switch (array) {
            case byte[] bytes -> sum.update(bytes);
            case int[] numbers -> addBytes(MemorySegment.ofArray(numbers));
            case long[] numbers -> addBytes(MemorySegment.ofArray(numbers));
            case float[] numbers -> addBytes(MemorySegment.ofArray(numbers));
            case double[] numbers -> addBytes(MemorySegment.ofArray(numbers));
            default -> {
                for (int i = 0; i < Array.getLength(array); i++) {
                    add(Array.get(array, i));
                }
            }
        }
    }

    private void addNumber(long value) {
        number.clear().putLong(value);
        sum.update(number.array());
    }

    void addText(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        addNumber(bytes.length);
        sum.update(bytes);
    }

    private void addBytes(MemorySegment bytes) {
        addNumber(bytes.byteSize());
        if (!bytes.isNative()) { // arrays of numbers are no byte buffers
            sum.update(bytes.toArray(ValueLayout.JAVA_BYTE));
            return;
        }
        for (long at = 0; at < bytes.byteSize(); at += CHUNK) {
            sum.update(bytes.asSlice(at, Math.min(CHUNK, bytes.byteSize() - at)).asByteBuffer());
        }
    }

    /// The length of an array; empty for what is none.
    static OptionalInt arrayLength(Object value) {
        return value.getClass().isArray() ? OptionalInt.of(Array.getLength(value)) : OptionalInt.empty();
    }
}
