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
