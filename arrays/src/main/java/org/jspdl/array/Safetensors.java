package org.jspdl.array;

import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.jspdl.archive.internal.LittleEndian;
import org.jspdl.archive.internal.MappedFile;
import org.jspdl.input.FormatException;
import org.jspdl.json.JsonException;
import org.jspdl.json.JsonReader;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.memory.Tensor;
import org.jspecify.annotations.Nullable;

/// A safetensors file: named arrays, viewed where they lie, and text about them.
///
/// The header is checked as the format wants it: every array lies within the file, none overlaps another, and nothing
/// lies between them. Safe for any number of threads. A file [#open]ed is mapped until it is closed; one [#over] memory
/// borrows it. Where such a file becomes shorter, copying an array throws an [UncheckedIOException], and reading the
/// bytes of a view an [InternalError].
public final class Safetensors implements AutoCloseable {
    private static final int LENGTH_BYTES = 8;
    /// The format's own limit.
    private static final long MOST_HEADER = 100_000_000;

    private final MappedFile bytes;
    private final long dataOffset;
    private final SequencedMap<String, ArrayView> arrays = new LinkedHashMap<>();
    private final Map<String, String> metadata = new LinkedHashMap<>();
    private final List<long[]> extents = new ArrayList<>();

    private Safetensors(MappedFile bytes) {
        this.bytes = bytes;
        MemorySegment file = bytes.segment();
        long size = file.byteSize();
        long header = size < LENGTH_BYTES ? 0 : LittleEndian.i64(file, 0);
        if (size < LENGTH_BYTES || header < 2 || header > Math.min(MOST_HEADER, size - LENGTH_BYTES)) {
            throw FormatException.because(String.format(
                    "safetensors: the header claims %,d bytes of a file of %,d: no safetensors file, or a truncated one",
                    header, size));
        }
        this.dataOffset = LENGTH_BYTES + header;
        try {
            read(JsonReader.utf8(file.asSlice(LENGTH_BYTES, header).toArray(ValueLayout.JAVA_BYTE)));
        } catch (JsonException malformed) {
            throw FormatException.because("safetensors: the header is " + malformed.getMessage());
        }
        checkExtents(size - dataOffset);
    }

    /// The arrays in `file`, which is the content of a safetensors file and stays the caller's.
    ///
    /// @throws FormatException if it is none, damaged or truncated
    public static Safetensors over(MemorySegment file) {
        return new Safetensors(MappedFile.borrowed(file));
    }

    /// Maps the file at `path`.
    ///
    /// @throws FormatException as [#over] does; the message begins with the path
    /// @throws UncheckedIOException if it cannot be read
    public static Safetensors open(Path path) {
        MappedFile bytes = MappedFile.map(path);
        try {
            return bytes.read(() -> new Safetensors(bytes));
        } catch (FormatException broken) {
            bytes.close();
            throw broken.withSource(path.toString());
        } catch (UncheckedIOException lost) {
            bytes.close();
            throw lost;
        }
    }

    private void read(JsonReader json) {
        json.beginObject();
        while (json.hasNext()) {
            String name = json.nextName();
            if (name.equals("__metadata__")) {
                readMetadata(json);
            } else {
                arrays.put(name, array(name, json));
            }
        }
        json.endObject();
        json.endDocument();
    }

    private void readMetadata(JsonReader json) {
        json.beginObject();
        while (json.hasNext()) {
            metadata.put(json.nextName(), json.nextString());
        }
        json.endObject();
    }

    private ArrayView array(String name, JsonReader json) {
        ElementType type = null;
        long[] shape = null;
        long[] offsets = null;
        json.beginObject();
        while (json.hasNext()) {
            String key = json.nextName();
            switch (key) {
                case "dtype" -> type = type(name, json.nextString());
                case "shape" -> shape = integers(json);
                case "data_offsets" -> offsets = integers(json);
                default ->
                    throw FormatException.because("safetensors: '" + name + "' has '" + key
                            + "', where only dtype, shape and data_offsets are allowed");
            }
        }
        json.endObject();
        if (type == null || shape == null || offsets == null || offsets.length != 2) {
            throw FormatException.because("safetensors: '" + name + "' lacks its dtype, shape or two data_offsets");
        }
        return view(name, type, shape, offsets);
    }

    private ArrayView view(String name, ElementType type, long[] extents, long[] offsets) {
        Shape shape;
        long needed;
        try {
            shape = Shape.of(extents);
            needed = Tensor.byteSize(type, shape);
        } catch (IllegalArgumentException | ArithmeticException tooLarge) {
            throw FormatException.because(
                    "safetensors: '" + name + "' has too many elements: " + Arrays.toString(extents));
        }
        long there = bytes.segment().byteSize() - dataOffset;
        if (offsets[0] > offsets[1] || offsets[1] > there || offsets[1] - offsets[0] != needed) {
            throw FormatException.because(String.format(
                    "safetensors: '%s', %s %s, needs %,d bytes but lies from byte %d to %d of %,d",
                    name, type, shape, needed, offsets[0], offsets[1], there));
        }
        this.extents.add(offsets);
        return ArrayView.of(
                        type,
                        shape,
                        bytes.segment().asSlice(dataOffset + offsets[0], needed),
                        ByteOrder.LITTLE_ENDIAN,
                        MemoryOrder.ROW_MAJOR)
                .of(bytes);
    }

    private static long[] integers(JsonReader json) {
        List<Long> numbers = new ArrayList<>();
        json.beginArray();
        while (json.hasNext()) {
            long number = json.nextLong();
            if (number < 0) {
                throw FormatException.because("safetensors: the header has a negative number: " + number);
            }
            numbers.add(number);
        }
        json.endArray();
        return numbers.stream().mapToLong(Long::longValue).toArray();
    }

    private static ElementType type(String name, String dtype) {
        ElementType type = typeOf(dtype);
        if (type == null) {
            throw FormatException.because("safetensors: '" + name + "' has elements of a type not supported: " + dtype);
        }
        return type;
    }

    private static @Nullable ElementType typeOf(String dtype) {
        return switch (dtype) {
            case "BOOL" -> ElementType.BOOL;
            case "U8" -> ElementType.UINT8;
            case "I8" -> ElementType.INT8;
            case "U16" -> ElementType.UINT16;
            case "I16" -> ElementType.INT16;
            case "U32" -> ElementType.UINT32;
            case "I32" -> ElementType.INT32;
            case "U64" -> ElementType.UINT64;
            case "I64" -> ElementType.INT64;
            case "F8_E4M3" -> ElementType.FLOAT8_E4M3;
            case "F8_E5M2" -> ElementType.FLOAT8_E5M2;
            case "F16" -> ElementType.FLOAT16;
            case "BF16" -> ElementType.BFLOAT16;
            case "F32" -> ElementType.FLOAT32;
            case "F64" -> ElementType.FLOAT64;
            case "C64" -> ElementType.COMPLEX64;
            default -> null;
        };
    }

    private void checkExtents(long size) {
        extents.sort(Comparator.<long[]>comparingLong(extent -> extent[0]).thenComparingLong(extent -> extent[1]));
        long end = 0;
        for (long[] extent : extents) {
            if (extent[0] != end) {
                throw FormatException.because(String.format(
                        "safetensors: an array begins at byte %d of the data where the one before ends at %,d",
                        extent[0], end));
            }
            end = extent[1];
        }
        if (end != size) {
            throw FormatException.because(
                    String.format("safetensors: the arrays end at byte %d of the data, which has %,d", end, size));
        }
    }

    /// The arrays by name, in the order of the header; views of the file.
    public SequencedMap<String, ArrayView> arrays() {
        return Collections.unmodifiableSequencedMap(arrays);
    }

    /// The array called `name`.
    ///
    /// @throws IllegalArgumentException if there is none
    public ArrayView array(String name) {
        ArrayView array = arrays.get(name);
        if (array == null) {
            throw new IllegalArgumentException("there is no array '" + name + "'; there are " + arrays.keySet());
        }
        return array;
    }

    /// What the file says about itself.
    public Map<String, String> metadata() {
        return Collections.unmodifiableMap(metadata);
    }

    /// Unmaps what [#open] has mapped; arrays of it must not be used any more.
    @Override
    public void close() {
        bytes.close();
    }
}
