package org.jspdl.data.shards.mds;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.function.LongFunction;
import org.jspdl.data.shards.ShardOptions;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.input.FormatException;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Lease;
import org.jspdl.memory.Shape;

/// A column of an MDS file, and how its values are encoded.
///
/// @param name     what it is called
/// @param encoding as the file says it: `jpeg`, `int`, `ndarray:float32:3,4`
/// @param size     the bytes of each value; 0 if the sample says it
record MdsColumn(String name, String encoding, int size) {
    private static final Set<String> BYTES =
            Set.of("bytes", "str", "json", "jpeg", "png", "str_int", "str_float", "str_decimal");
    private static final Map<String, ElementType> NUMBERS = Map.ofEntries(
            Map.entry("int", ElementType.INT64),
            Map.entry("uint8", ElementType.UINT8),
            Map.entry("uint16", ElementType.UINT16),
            Map.entry("uint32", ElementType.UINT32),
            Map.entry("uint64", ElementType.UINT64),
            Map.entry("int8", ElementType.INT8),
            Map.entry("int16", ElementType.INT16),
            Map.entry("int32", ElementType.INT32),
            Map.entry("int64", ElementType.INT64),
            Map.entry("float16", ElementType.FLOAT16),
            Map.entry("float32", ElementType.FLOAT32),
            Map.entry("float64", ElementType.FLOAT64));
    /// The numbers that stand for types where a value says its own.
    private static final Map<Integer, String> TYPE_CODES = Map.ofEntries(
            Map.entry(8, "uint8"),
            Map.entry(9, "int8"),
            Map.entry(16, "uint16"),
            Map.entry(17, "int16"),
            Map.entry(18, "float16"),
            Map.entry(32, "uint32"),
            Map.entry(33, "int32"),
            Map.entry(34, "float32"),
            Map.entry(64, "uint64"),
            Map.entry(65, "int64"),
            Map.entry(66, "float64"));
    /// Several images in a value, and how many bytes come before their sizes: the last four say how many there are.
    private static final Map<String, Integer> LISTS =
            Map.of("jpeg_array", 4, "jpegarray", 4, "list[jpeg]", 8, "list[png]", 8);
    private static final String LENGTHS = ".lengths";
    private static final Map<String, Integer> PIXELS = Map.of("L", 1, "RGB", 3, "RGBA", 4);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private String base() {
        int colon = encoding.indexOf(':');
        return colon < 0 ? encoding : encoding.substring(0, colon);
    }

    /// Whether values are image files.
    boolean isImage() {
        return base().equals("jpeg") || base().equals("png");
    }

    /// In a word, for people.
    String kind() {
        return encoding + (isSupported() ? "" : " (not supported)");
    }

    private boolean isSupported() {
        String base = base();
        return BYTES.contains(base)
                || NUMBERS.containsKey(base)
                || LISTS.containsKey(base)
                || base.equals("ndarray")
                || base.equals("pil");
    }

    /// Whether it gives something that is wanted.
    boolean isWanted(ShardOptions options) {
        return options.wants(name) || options.columns().contains(name + LENGTHS);
    }

    /// @throws FormatException if such values cannot be read
    void check() {
        if (!isSupported()) {
            throw FormatException.because("MDS: the column '" + name + "' is encoded as '" + encoding
                    + "', which is not supported"
                    + (encoding.equals("pkl") ? ", because unpickling runs code that the file brings" : "")
                    + "; name the columns you want with ShardOptions.columns");
        }
    }

    /// Gives a value to `sample`, which owns its memory.
    ///
    /// @param memory for so many bytes beside it
    void put(ShardSample sample, MemorySegment value, LongFunction<Lease> memory) {
        String base = base();
        Integer head = LISTS.get(base);
        ElementType number = NUMBERS.get(base);
        if (head != null) {
            list(sample, value, head, memory);
        } else if (number != null) {
            array(sample, number, Shape.of(), value);
        } else if (base.equals("ndarray")) {
            ndarray(sample, value);
        } else if (base.equals("pil")) {
            pixels(sample, value);
        } else {
            sample.with(name, value);
        }
    }

    /// The images stand one behind the other, as texts of a list do in other formats; their lengths are a second
    /// field.
    private void list(ShardSample sample, MemorySegment value, int head, LongFunction<Lease> memory) {
        long count = number(value, head - Integer.BYTES, Integer.BYTES);
        long begin = head + count * Integer.BYTES;
        if (head > Integer.BYTES && number(value, 0, Integer.BYTES) != 0) {
            throw damaged("has lists of a newer kind");
        }
        if (begin > value.byteSize()) {
            throw damaged("has " + value.byteSize() + " bytes for " + count + " images and their sizes");
        }
        if (sample.has(name + LENGTHS)) {
            throw damaged("has lengths, which are called as another column is");
        }
        Lease lengths = memory.apply(count * Long.BYTES);
        long end = begin;
        for (long i = 0; i < count; i++) {
            long length = number(value, head + i * Integer.BYTES, Integer.BYTES);
            lengths.segment().set(ValueLayout.JAVA_LONG_UNALIGNED, i * Long.BYTES, length);
            end += length;
        }
        sample.with(name + LENGTHS, ElementType.INT64, Shape.of(count), lengths);
        if (end != value.byteSize()) {
            throw damaged("has images of " + (end - begin) + " bytes in " + (value.byteSize() - begin));
        }
        sample.with(name, value.asSlice(begin));
    }

    private void array(ShardSample sample, ElementType type, Shape shape, MemorySegment elements) {
        long expected = type.byteSize();
        for (int i = 0; i < shape.rank(); i++) {
            expected = Math.multiplyExact(expected, shape.extent(i));
        }
        if (elements.byteSize() != expected) {
            throw damaged("has " + elements.byteSize() + " bytes for " + shape + " elements of " + type);
        }
        sample.with(name, type, shape, elements);
    }

    /// What the encoding does not say of type and shape, the value begins with.
    private void ndarray(ShardSample sample, MemorySegment value) {
        String[] given = encoding.split(":");
        long at = 0;
        String type = given.length > 1 ? given[1] : TYPE_CODES.get(unsigned(value, at++, 1));
        if (type == null || !NUMBERS.containsKey(type) || type.equals("int")) {
            throw damaged("has elements of an unknown type");
        }
        long[] extents;
        if (given.length > 2) {
            String[] texts = given[2].split(",");
            extents = new long[texts.length];
            for (int i = 0; i < texts.length; i++) {
                extents[i] = Long.parseLong(texts[i].strip());
            }
        } else {
            int head = unsigned(value, at++, 1);
            int width = 1 << (head & 3);
            extents = new long[head >> 2];
            for (int i = 0; i < extents.length; i++) {
                extents[i] = number(value, at, width);
                at += width;
            }
        }
        array(sample, NUMBERS.get(type), Shape.of(extents), value.asSlice(at));
    }

    /// Raw pixels: width, height, the length of the name of the mode and the name before them.
    private void pixels(ShardSample sample, MemorySegment value) {
        long head = 3L * Integer.BYTES;
        long mode = number(value, 2L * Integer.BYTES, Integer.BYTES);
        if (mode > value.byteSize() - head) {
            throw damaged("has pixels of a mode of " + mode + " letters");
        }
        String called = new String(value.asSlice(head, mode).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
        Integer channels = PIXELS.get(called);
        if (channels == null) {
            throw damaged(
                    "has pixels of the mode '" + called + "', of which only " + PIXELS.keySet() + " are supported");
        }
        Shape shape = Shape.of(number(value, Integer.BYTES, Integer.BYTES), number(value, 0, Integer.BYTES), channels);
        array(sample, ElementType.UINT8, shape, value.asSlice(head + mode));
    }

    private int unsigned(MemorySegment value, long at, int width) {
        return (int) number(value, at, width);
    }

    private long number(MemorySegment value, long at, int width) {
        if (at > value.byteSize() - width) {
            throw damaged("ends before its shape does");
        }
        long number = switch (width) {
            case 1 -> value.get(ValueLayout.JAVA_BYTE, at) & 0xFF;
            case 2 ->
                (value.get(ValueLayout.JAVA_BYTE, at) & 0xFF) | (value.get(ValueLayout.JAVA_BYTE, at + 1) & 0xFF) << 8;
            case 4 -> value.get(INT, at) & 0xFFFF_FFFFL;
            default -> (value.get(INT, at) & 0xFFFF_FFFFL) | (long) value.get(INT, at + Integer.BYTES) << 32;
        };
        if (number < 0) {
            throw damaged("has an extent of " + Long.toUnsignedString(number));
        }
        return number;
    }

    private FormatException damaged(String what) {
        return FormatException.because("MDS: the column '" + name + "' " + what);
    }
}
