package org.jspdl.python.item;

import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspdl.json.Json;
import org.jspdl.json.JsonWriter;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.NamedValues;
import org.jspdl.memory.Shape;
import org.jspdl.memory.Tensor;
import org.jspdl.plan.function.SampleFunctions;
import org.jspecify.annotations.Nullable;

/// What an item holds, taken apart: arrays, whose bytes go through the ring, other values, and the structure that puts
/// them together again.
///
/// The structure is JSON: `{"d": {name: ...}}` a dictionary, `{"l": [...]}` a list, `{"t": [type, [extents]]}` the next
/// array, `{"v": 0}` the next value. It is the same text for all items of the same types and shapes.
public final class ItemContent {
    private final JsonWriter structure = JsonWriter.compact();
    private final List<Piece> pieces = new ArrayList<>();
    private final List<@Nullable Object> values = new ArrayList<>();

    /// The bytes of an array: a tensor's, or an array's on the heap.
    ///
    /// @param bytes off the heap or on it
    public record Piece(MemorySegment bytes) {}

    private ItemContent() {}

    /// Takes `item` apart; it stays the owner of its memory.
    ///
    /// @throws IllegalArgumentException if it holds something that Python has no equal of
    public static ItemContent of(Object item) {
        ItemContent content = new ItemContent();
        content.add(item);
        return content;
    }

    /// The structure, as JSON.
    public String structure() {
        return structure.document();
    }

    /// The arrays in the order of the structure.
    public List<Piece> pieces() {
        return pieces;
    }

    /// The other values in the order of the structure: texts, numbers, booleans and nulls, as a JSON list;
    /// `{"float": "NaN"}` for the numbers that JSON lacks. Empty if there are none.
    public String values() {
        return values.isEmpty() ? "" : Json.write(values);
    }

    private void add(@Nullable Object item) {
        switch (item) {
            case null -> value(null);
            case Tensor tensor -> tensor(tensor);
            case NamedValues named -> dictionary(named.namedValues());
            case Map<?, ?> map -> dictionary(map);
            case Optional<?> optional -> add(optional.orElse(null));
            case String text -> value(text);
            case Double number when !Double.isFinite(number) -> value(Map.of("float", number.toString()));
            case Float number when !Float.isFinite(number) -> value(Map.of("float", number.toString()));
            case Float number -> value((double) number); // its exact value, as in an array, not its shortest text
            case BigDecimal number
            when Double.isInfinite(number.doubleValue()) ->
                throw new IllegalArgumentException(number
                        + " cannot be handed over to Python, whose floats end before; let the plan yield a text");
            case Number number -> value(number);
            case Boolean flag -> value(flag);
            case Enum<?> constant -> value(constant.name());
            case SampleFunctions.Opaque(String pickle) -> value(Map.of("pickle", pickle));
            case Path path -> value(path.toString());
            case Record fields -> dictionary(RecordFields.of(fields));
            case Collection<?> elements -> elements(new ArrayList<@Nullable Object>(elements));
            case Object[] elements -> elements(Arrays.asList(elements));
            default -> array(item);
        }
    }

    private void array(Object item) {
        switch (item) {
            case byte[] array -> piece(ElementType.UINT8, array.length, MemorySegment.ofArray(array));
            case short[] array -> piece(ElementType.INT16, array.length, MemorySegment.ofArray(array));
            case int[] array -> piece(ElementType.INT32, array.length, MemorySegment.ofArray(array));
            case long[] array -> piece(ElementType.INT64, array.length, MemorySegment.ofArray(array));
            case boolean[] array -> piece(ElementType.BOOL, array.length, MemorySegment.ofArray(bytes(array)));
            case float[] array -> piece(ElementType.FLOAT32, array.length, MemorySegment.ofArray(array));
            case double[] array -> piece(ElementType.FLOAT64, array.length, MemorySegment.ofArray(array));
            default ->
                throw new IllegalArgumentException("a " + item.getClass().getName()
                        + " cannot be handed over to Python: the plan must yield tensors, arrays, numbers, texts,"
                        + " booleans, or records, maps and lists of them");
        }
    }

    private static byte[] bytes(boolean[] flags) {
        byte[] bytes = new byte[flags.length];
        for (int i = 0; i < flags.length; i++) {
            bytes[i] = (byte) (flags[i] ? 1 : 0);
        }
        return bytes;
    }

    private void tensor(Tensor tensor) {
        Shape shape = tensor.shape();
        describe(tensor.type(), shape.extents());
        pieces.add(new Piece(tensor.segment().asSlice(0, Tensor.byteSize(tensor.type(), shape))));
    }

    private void piece(ElementType type, int length, MemorySegment bytes) {
        describe(type, length);
        pieces.add(new Piece(bytes));
    }

    private void describe(ElementType type, long... extents) {
        structure.beginObject().beginArray("t").value(type.name()).beginArray();
        for (long extent : extents) {
            structure.value(extent);
        }
        structure.endArray().endArray().endObject();
    }

    private void value(@Nullable Object value) {
        structure.beginObject().put("v", 0).endObject();
        values.add(value);
    }

    private void dictionary(Map<?, ?> map) {
        structure.beginObject().beginObject("d");
        Set<String> names = HashSet.newHashSet(map.size());
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            String name = String.valueOf(entry.getKey());
            if (!names.add(name)) {
                throw new IllegalArgumentException(
                        "a map with two keys that are written '" + name + "' cannot be handed over to Python");
            }
            structure.name(name);
            add(entry.getValue());
        }
        structure.endObject().endObject();
    }

    /// Numbers become an array, as a batch of numbers is meant; everything else a list.
    private void elements(List<? extends @Nullable Object> elements) {
        if (!elements.isEmpty() && elements.stream().allMatch(ItemContent::isWhole)) {
            long[] array =
                    elements.stream().mapToLong(e -> ((Number) e).longValue()).toArray();
            piece(ElementType.INT64, array.length, MemorySegment.ofArray(array));
        } else if (!elements.isEmpty() && elements.stream().allMatch(Number.class::isInstance)) {
            double[] array =
                    elements.stream().mapToDouble(e -> exact((Number) e)).toArray();
            piece(ElementType.FLOAT64, array.length, MemorySegment.ofArray(array));
        } else {
            structure.beginObject().beginArray("l");
            for (@Nullable Object element : elements) {
                add(element);
            }
            structure.endArray().endObject();
        }
    }

    /// A number as a float: of the same value if it is whole, as an identifier is, and else the nearest one.
    private static double exact(Number number) {
        double nearest = number.doubleValue();
        boolean isOther = switch (number) {
            case BigInteger whole -> !isValue(nearest, new BigDecimal(whole));
            case BigDecimal decimal ->
                Double.isInfinite(nearest) || (decimal.stripTrailingZeros().scale() <= 0 && !isValue(nearest, decimal));
            case Double _, Float _ -> false;
            default -> !isValue(nearest, BigDecimal.valueOf(number.longValue()));
        };
        if (isOther) {
            throw new IllegalArgumentException("numbers cannot be handed over to Python as an array: as float64 "
                    + number + " would be another number; let the plan yield texts, or whole numbers of 64 bits alone");
        }
        return nearest;
    }

    private static boolean isValue(double nearest, BigDecimal number) {
        return Double.isFinite(nearest) && new BigDecimal(nearest).compareTo(number) == 0;
    }

    private static boolean isWhole(@Nullable Object element) {
        return element instanceof Long
                || element instanceof Integer
                || element instanceof Short
                || element instanceof Byte;
    }
}
