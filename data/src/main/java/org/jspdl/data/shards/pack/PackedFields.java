package org.jspdl.data.shards.pack;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspdl.array.Npy;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.input.FormatException;
import org.jspdl.memory.ElementType;

/// What the fields of a sample become as files: bytes as they are, one number as text, more of them as NPY.
final class PackedFields {
    private static final Set<ElementType> NUMBERS = EnumSet.complementOf(EnumSet.of(
            ElementType.FLOAT8_E4M3,
            ElementType.FLOAT8_E5M2,
            ElementType.BFLOAT16,
            ElementType.COMPLEX64,
            ElementType.COMPLEX128));

    private PackedFields() {}

    /// Contents by the ends of the files' names; valid as long as the sample.
    static SequencedMap<String, MemorySegment> of(ShardSample sample) throws IOException {
        SequencedMap<String, MemorySegment> files = new LinkedHashMap<>();
        for (String name : sample.names()) {
            boolean array = isArray(sample, name);
            String ending = (array && !name.toLowerCase(Locale.ROOT).endsWith(".npy") ? name + ".npy" : name)
                    .toLowerCase(Locale.ROOT);
            if (name.isEmpty() || name.indexOf('/') >= 0 || name.indexOf('\0') >= 0 || name.startsWith(".")) {
                throw FormatException.because("a file's name cannot end with '" + name + "'")
                        .withSource(sample.shard());
            }
            if (files.putIfAbsent(ending, content(sample, name, array)) != null) {
                throw FormatException.because("two fields would be files '." + ending + "': " + sample.names())
                        .withSource(sample.shard());
            }
        }
        if (files.isEmpty()) {
            throw FormatException.because("sample " + sample.index() + " has no fields")
                    .withSource(sample.shard());
        }
        return files;
    }

    /// A field of a row.
    ///
    /// @param type of its one number; empty for bytes
    record Value(Optional<ElementType> type, MemorySegment bytes) {}

    /// The fields as a row has them, in the order of their names; valid as long as the sample.
    static SortedMap<String, Value> row(ShardSample sample) throws IOException {
        SortedMap<String, Value> row = new TreeMap<>();
        for (String name : sample.names()) {
            boolean array = isArray(sample, name);
            Optional<ElementType> type = array ? Optional.empty() : sample.elementType(name);
            Value value = type.isPresent()
                    ? widened(type.get(), sample.bytes(name))
                    : new Value(Optional.empty(), content(sample, name, array));
            String column = array && !name.toLowerCase(Locale.ROOT).endsWith(".npy") ? name + ".npy" : name;
            if (row.putIfAbsent(column, value) != null) {
                throw FormatException.because("two fields would be the column '" + column + "': " + sample.names())
                        .withSource(sample.shard());
            }
        }
        return row;
    }

    /// A number of a type that all formats have.
    private static Value widened(ElementType type, MemorySegment bytes) {
        MemorySegment wide = MemorySegment.ofArray(new byte[Long.BYTES]);
        return switch (type) {
            case UINT64, FLOAT32, FLOAT64 -> new Value(Optional.of(type), bytes);
            case FLOAT16 -> {
                float number = Float.float16ToFloat(bytes.get(ValueLayout.JAVA_SHORT_UNALIGNED, 0));
                wide.set(ValueLayout.JAVA_FLOAT_UNALIGNED, 0, number);
                yield new Value(Optional.of(ElementType.FLOAT32), wide.asSlice(0, Float.BYTES));
            }
            default -> {
                wide.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, integer(type, bytes));
                yield new Value(Optional.of(ElementType.INT64), wide);
            }
        };
    }

    private static long integer(ElementType type, MemorySegment bytes) {
        return switch (type) {
            case BOOL, UINT8 -> bytes.get(ValueLayout.JAVA_BYTE, 0) & 0xFF;
            case INT8 -> bytes.get(ValueLayout.JAVA_BYTE, 0);
            case UINT16 -> bytes.get(ValueLayout.JAVA_SHORT_UNALIGNED, 0) & 0xFFFF;
            case INT16 -> bytes.get(ValueLayout.JAVA_SHORT_UNALIGNED, 0);
            case UINT32 -> bytes.get(ValueLayout.JAVA_INT_UNALIGNED, 0) & 0xFFFF_FFFFL;
            case INT32 -> bytes.get(ValueLayout.JAVA_INT_UNALIGNED, 0);
            default -> bytes.get(ValueLayout.JAVA_LONG_UNALIGNED, 0);
        };
    }

    private static MemorySegment content(ShardSample sample, String name, boolean array) throws IOException {
        if (array) {
            ByteArrayOutputStream npy = new ByteArrayOutputStream();
            Npy.write(Channels.newChannel(npy), sample.array(name));
            return MemorySegment.ofArray(npy.toByteArray());
        }
        Optional<ElementType> type = sample.elementType(name);
        return type.isEmpty()
                ? sample.bytes(name)
                : MemorySegment.ofArray(number(sample, name, type.get()).getBytes(StandardCharsets.US_ASCII));
    }

    /// Whether a field is to be a file of its own kind: elements that are more, or of another type, than one
    /// number.
    private static boolean isArray(ShardSample sample, String name) {
        Optional<ElementType> type = sample.elementType(name);
        return type.isPresent() && (sample.array(name).shape().rank() > 0 || !NUMBERS.contains(type.get()));
    }

    private static String number(ShardSample sample, String name, ElementType type) {
        MemorySegment bytes = sample.bytes(name);
        return switch (type) {
            case FLOAT16 -> Float.toString(Float.float16ToFloat(bytes.get(ValueLayout.JAVA_SHORT_UNALIGNED, 0)));
            case FLOAT32 -> Float.toString(bytes.get(ValueLayout.JAVA_FLOAT_UNALIGNED, 0));
            case FLOAT64 -> Double.toString(bytes.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, 0));
            case UINT64 -> Long.toUnsignedString(bytes.get(ValueLayout.JAVA_LONG_UNALIGNED, 0));
            default -> Long.toString(sample.number(name));
        };
    }
}
