package org.jspdl.data.shards.arrow;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspdl.data.shards.ShardFile;
import org.jspdl.data.shards.ShardOptions;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.input.FormatException;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspecify.annotations.Nullable;

/// What one leaf holds in the current row: nothing, one value, or a list of them, or of lists. The fields are those
/// that Parquet's columns give: a list of numbers is an array; a list of texts is their bytes and the length of each;
/// nulls and lists of different lengths within a list are an objection, unless the validity is wanted, too.
final class LeafValues {
    /// What a text takes beside its bytes.
    private static final long TEXT_OVERHEAD = 64;
    private static final MemorySegment NO_BYTES = MemorySegment.ofArray(new byte[0]);

    private final ArrowLeaf leaf;
    private final boolean wantsValues;
    private final boolean wantsValidity;
    private final ShardOptions options;
    private final @Nullable ElementType type;
    private final long[] extents;
    private final List<MemorySegment> texts = new ArrayList<>();
    private final BitSet valid = new BitSet();
    private long[] numbers = new long[1];
    private int count;
    private long textBytes;
    private boolean present;
    private boolean ragged;
    private boolean nullList;
    private long nullAt;

    LeafValues(ArrowLeaf leaf, boolean wantsValues, boolean wantsValidity, ShardOptions options) {
        this.leaf = leaf;
        this.wantsValues = wantsValues;
        this.wantsValidity = wantsValidity;
        this.options = options;
        this.type = leaf.elementType();
        this.extents = new long[leaf.lists()];
    }

    /// Those that the columns of the options mean, in the order of the schema; all if there are none.
    ///
    /// @throws FormatException if there is no such column, or it is of a kind that is not supported
    static List<LeafValues> of(List<ArrowLeaf> leaves, ShardFile file) {
        List<String> names = file.columns(leaves.stream().map(ArrowLeaf::name).toList());
        for (String name : names) {
            if (leaves.stream().noneMatch(leaf -> leaf.givesFor(name) || leaf.validatesFor(name))) {
                throw FormatException.because("Arrow: there is no column '" + name + "', only "
                        + leaves.stream().map(ArrowLeaf::name).toList());
            }
        }
        List<LeafValues> wanted = new ArrayList<>();
        for (ArrowLeaf leaf : leaves) {
            boolean values = names.isEmpty() || names.stream().anyMatch(leaf::givesFor);
            boolean validity = names.stream().anyMatch(leaf::validatesFor);
            if (values || validity) {
                leaf.check();
                wanted.add(new LeafValues(leaf, values, validity, file.options()));
            }
        }
        return wanted;
    }

    /// The number of the column that it is in.
    int column() {
        return leaf.column();
    }

    /// Takes the values of a row of the column.
    void take(ArrowVector column, long row) {
        count = 0;
        textBytes = 0;
        texts.clear();
        valid.clear();
        Arrays.fill(extents, -1);
        present = false;
        ragged = false;
        nullList = false;
        nullAt = -1;
        collect(column, row, 0, 0);
    }

    private void collect(ArrowVector vector, long index, int step, int level) {
        if (vector.isNull(index)) {
            missing(level);
        } else if (vector.dictionary() != null) {
            inDictionary(vector.dictionary(), vector.bits(index), step, level);
        } else if (vector.field().type().isList()) {
            list(vector, index, step, level);
        } else if (vector.field().type() == ArrowField.Type.STRUCT) {
            collect(vector.children().get(leaf.steps().get(step)), index, step + 1, level);
        } else {
            present = true;
            element(vector, index);
        }
    }

    /// A null in place of the outermost list, or of a value without lists, is no value.
    private void missing(int level) {
        if (level > 0 && level < extents.length) {
            nullList = true;
        } else if (level > 0) {
            nullAt = nullAt < 0 ? count : nullAt;
            element(null, 0);
        }
    }

    private void inDictionary(List<ArrowVector> dictionary, long place, int step, int level) {
        long left = place;
        for (ArrowVector part : dictionary) {
            if (left >= 0 && left < part.length()) {
                collect(part, left, step, level);
                return;
            }
            left -= part.length();
        }
        throw FormatException.because("Arrow: the column '" + leaf.name() + "' names value " + place
                + ", which its dictionary " + (dictionary.isEmpty() ? "is not there to tell" : "has not"));
    }

    private void list(ArrowVector vector, long index, int step, int level) {
        present = true;
        long begin = vector.begin(index);
        long end = vector.end(index);
        options.within(0, end - begin, "a list of Arrow");
        ragged |= extents[level] >= 0 && extents[level] != end - begin;
        extents[level] = end - begin;
        ArrowVector elements = vector.children().getFirst();
        for (long i = begin; i < end; i++) {
            collect(elements, i, step, level + 1);
        }
    }

    private void element(@Nullable ArrowVector vector, long index) {
        valid.set(count, vector != null);
        if (type != null) {
            if (count == numbers.length) {
                options.within(0, 2L * Long.BYTES * count, "a list of Arrow");
                numbers = Arrays.copyOf(numbers, 2 * count);
            }
            numbers[count] = vector == null ? 0 : vector.bits(index);
        } else {
            MemorySegment bytes = vector == null ? NO_BYTES : bytes(vector, index);
            texts.add(bytes);
            textBytes = options.within(textBytes, bytes.byteSize(), "a list of Arrow");
            options.within(textBytes, TEXT_OVERHEAD * count, "a list of Arrow");
        }
        count++;
    }

    private MemorySegment bytes(ArrowVector vector, long index) {
        return leaf.form() == ArrowLeaf.Form.TEXT
                ? MemorySegment.ofArray(ArrowText.of(vector, index).getBytes(StandardCharsets.UTF_8))
                : vector.bytes(index);
    }

    private boolean isList() {
        return extents.length > 0;
    }

    /// Why the values of this row cannot be given; empty if they can.
    String objection() {
        if (present && nullAt >= 0 && !wantsValidity) {
            return "Arrow: the list in the column '" + leaf.name() + "' has a null as its element " + nullAt
                    + ", which an array cannot hold; ask for the column '" + leaf.name() + ArrowLeaf.VALID
                    + "', too, which says where, or leave both out with ShardOptions.columns";
        }
        if (nullList) {
            return "Arrow: the list in the column '" + leaf.name()
                    + "' has a null in place of a list, which an array cannot hold; write an empty list, or leave the"
                    + " column out with ShardOptions.columns";
        }
        return ragged
                ? "Arrow: the lists within the list in the column '" + leaf.name()
                        + "' have different lengths, which an array cannot hold; write them as one list and their"
                        + " lengths, or leave the column out with ShardOptions.columns"
                : "";
    }

    /// The bytes that the fields take.
    long byteSize() {
        return valueBytes() + lengthBytes() + validityBytes();
    }

    private long valueBytes() {
        if (!present || !wantsValues) {
            return 0;
        }
        return type == null ? textBytes : (long) count * type.byteSize();
    }

    private long lengthBytes() {
        return present && wantsValues && type == null && isList() ? (long) count * Long.BYTES : 0;
    }

    private long validityBytes() {
        if (!wantsValidity || (isList() && !present)) {
            return 0;
        }
        return isList() ? count : 1;
    }

    /// Gives the fields to `sample`, in `target`, which has their size. None if the row has no list or no value.
    void put(ShardSample sample, MemorySegment target) {
        long[] shown = new long[extents.length];
        for (int level = 0; level < shown.length; level++) {
            shown[level] = Math.max(0, extents[level]);
        }
        Shape shape = Shape.of(shown);
        if (present && wantsValues) {
            MemorySegment values = target.asSlice(0, valueBytes());
            if (type == null) {
                putTexts(sample, values, target.asSlice(values.byteSize(), lengthBytes()), shape);
            } else {
                putNumbers(values, type);
                sample.with(leaf.name(), type, shape, values);
            }
        }
        if (wantsValidity && (present || !isList())) {
            MemorySegment flags = target.asSlice(target.byteSize() - validityBytes());
            for (int i = 0; i < flags.byteSize(); i++) {
                flags.set(ValueLayout.JAVA_BYTE, i, (byte) (valid.get(i) ? 1 : 0));
            }
            sample.with(leaf.name() + ArrowLeaf.VALID, ElementType.BOOL, shape, flags);
        }
    }

    private void putTexts(ShardSample sample, MemorySegment values, MemorySegment lengths, Shape shape) {
        long at = 0;
        for (int i = 0; i < count; i++) {
            MemorySegment each = texts.get(i);
            MemorySegment.copy(each, 0, values, at, each.byteSize());
            at += each.byteSize();
            if (isList()) {
                lengths.set(ValueLayout.JAVA_LONG_UNALIGNED, (long) i * Long.BYTES, each.byteSize());
            }
        }
        sample.with(leaf.name(), values);
        if (isList()) {
            sample.with(leaf.name() + ArrowLeaf.LENGTHS, ElementType.INT64, shape, lengths);
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
