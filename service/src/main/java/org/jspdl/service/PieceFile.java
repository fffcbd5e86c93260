package org.jspdl.service;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.jspdl.array.ArrayView;
import org.jspdl.array.Safetensors;
import org.jspdl.data.image.ImagePiece;
import org.jspdl.data.image.ImageSample;
import org.jspdl.input.DecodeException;
import org.jspdl.input.FormatException;
import org.jspdl.input.InputException;
import org.jspdl.json.Json;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Lease;
import org.jspdl.service.exchange.Exchanges;

/// A piece as it is sent: a safetensors file with `label`, `index` and `pixels` of the images that there are, and in
/// its metadata the address and what failed.
final class PieceFile {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final int LENGTH_BYTES = 8;
    private static final int CHUNK = 1 << 30;
    /// Characters of a text about a failure that are sent.
    private static final int LONGEST_TEXT = 400;
    /// Bytes of JSON for a failure: two texts of which each character may take six, and the rest.
    private static final long FAILURE_BYTES = 2 * 6 * LONGEST_TEXT + 200;
    private static final long HEADER_BYTES = 2_048;

    private PieceFile() {}

    /// The most bytes that a piece may have.
    static long mostBytes(int count, long rowBytes) {
        return LENGTH_BYTES + HEADER_BYTES + count * (rowBytes + 2 * Integer.BYTES + FAILURE_BYTES);
    }

    /// The parts of a piece in the order in which they are sent: all but pixels, and then the pixels of each image,
    /// where they are.
    ///
    /// @param images   by place, without those that failed
    /// @param failures by number of a place
    static List<MemorySegment> parts(
            PieceAddress address,
            List<? extends ImageSample> images,
            long rowBytes,
            Map<Integer, InputException> failures) {
        long count = images.size();
        long labels = count * Integer.BYTES;
        Map<String, Object> header = new LinkedHashMap<>();
        Map<String, String> metadata = new LinkedHashMap<>();
        metadata.put("address", address.path());
        metadata.put("failures", Json.write(told(failures)));
        header.put("__metadata__", metadata);
        header.put("label", array("I32", List.of(count), 0, labels));
        header.put("index", array("I32", List.of(count), labels, 2 * labels));
        header.put("pixels", array("U8", List.of(count, rowBytes), 2 * labels, 2 * labels + count * rowBytes));
        byte[] json = Json.write(header).getBytes(StandardCharsets.UTF_8);
        int padded = Math.ceilDiv(json.length, LENGTH_BYTES) * LENGTH_BYTES;
        MemorySegment first = MemorySegment.ofArray(new byte[Math.toIntExact(LENGTH_BYTES + padded + 2 * labels)]);
        first.set(LONG, 0, padded);
        MemorySegment.copy(json, 0, first, ValueLayout.JAVA_BYTE, LENGTH_BYTES, json.length);
        first.asSlice(LENGTH_BYTES + json.length, padded - json.length).fill((byte) ' ');
        MemorySegment data = first.asSlice(LENGTH_BYTES + padded);
        List<MemorySegment> parts = new ArrayList<>(images.size() + 1);
        parts.add(first);
        for (int i = 0; i < count; i++) {
            ImageSample image = images.get(i);
            data.set(INT, (long) i * Integer.BYTES, image.label());
            data.set(INT, labels + (long) i * Integer.BYTES, image.index());
            MemorySegment pixels = image.pixels();
            if (pixels.byteSize() != rowBytes) {
                throw new IllegalStateException(
                        image.name() + " has " + pixels.byteSize() + " bytes of pixels, not " + rowBytes);
            }
            parts.add(pixels);
        }
        return parts;
    }

    private static Map<String, Object> array(String type, List<Long> shape, long from, long to) {
        Map<String, Object> array = new LinkedHashMap<>();
        array.put("dtype", type);
        array.put("shape", shape);
        array.put("data_offsets", List.of(from, to));
        return array;
    }

    private static Map<String, Object> told(Map<Integer, InputException> failures) {
        Map<String, Object> told = new LinkedHashMap<>();
        new TreeMap<>(failures)
                .forEach((place, failure) -> told.put(
                        place.toString(),
                        List.of(
                                failure instanceof DecodeException ? "decode" : "format",
                                shortened(failure.source().orElse("")),
                                shortened(failure.reason()))));
        return told;
    }

    private static String shortened(String text) {
        return Json.wellFormed(text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT - 4) + " ...");
    }

    /// The checksum of `bytes` as it is sent.
    static String checksum(MemorySegment bytes) {
        return checksum(List.of(bytes));
    }

    /// The same of parts that follow one another.
    static String checksum(List<MemorySegment> parts) {
        CRC32C sum = new CRC32C();
        for (MemorySegment part : parts) {
            for (long at = 0; at < part.byteSize(); at += CHUNK) {
                sum.update(
                        part.asSlice(at, Math.min(CHUNK, part.byteSize() - at)).asByteBuffer());
            }
        }
        return Exchanges.told(sum);
    }

    /// Reads the piece in `lease`, which is closed with what this returns, and by the caller if this throws.
    ///
    /// @throws FormatException if it is not the piece of `address`, with images of `rowBytes` bytes
    static ImagePiece read(Lease lease, PieceAddress address, long rowBytes) {
        // borrows the memory, so there is nothing to close
        @SuppressWarnings("resource")
        Safetensors file = Safetensors.over(lease.segment());
        if (!address.path().equals(file.metadata().get("address"))) {
            throw FormatException.because(
                    "it is the piece " + file.metadata().get("address") + ", asked for was " + address.path());
        }
        int count = address.places().count();
        Map<Integer, InputException> failures = failures(file.metadata().getOrDefault("failures", ""), count);
        long images = (long) count - failures.size();
        ArrayView labels = array(file, "label", ElementType.INT32, images * Integer.BYTES);
        ArrayView indices = array(file, "index", ElementType.INT32, images * Integer.BYTES);
        ArrayView pixels = array(file, "pixels", ElementType.UINT8, images * rowBytes);
        int[] rows = new int[count];
        int next = 0;
        for (int i = 0; i < count; i++) {
            rows[i] = failures.containsKey(i) ? -1 : next++;
        }
        return new Received(lease, rows, failures, labels.segment(), indices.segment(), pixels.segment(), rowBytes);
    }

    private static ArrayView array(Safetensors file, String name, ElementType type, long bytes) {
        ArrayView array = file.arrays().get(name);
        if (array == null || array.type() != type || array.segment().byteSize() != bytes) {
            throw FormatException.because("its array '" + name + "' is "
                    + (array == null
                            ? "missing"
                            : array.type() + " of " + array.segment().byteSize() + " bytes, not " + type + " of "
                                    + bytes));
        }
        return array;
    }

    private static Map<Integer, InputException> failures(String text, int count) {
        Map<Integer, InputException> failures = new TreeMap<>();
        try {
            if (!(Json.parse(text) instanceof Map<?, ?> told)) {
                throw new IllegalArgumentException("they are no object");
            }
            for (Map.Entry<?, ?> each : told.entrySet()) {
                int place = Integer.parseInt(String.valueOf(each.getKey()));
                if (place < 0 || place >= count) {
                    throw new IllegalArgumentException("place " + place + " of " + count);
                }
                if (!(each.getValue() instanceof List<?> what) || what.size() != 3) {
                    throw new IllegalArgumentException("a failure is a kind, a source and a reason");
                }
                String reason = String.valueOf(what.get(2));
                String source = String.valueOf(what.get(1));
                InputException failure = String.valueOf(what.getFirst()).equals("decode")
                        ? DecodeException.because(reason)
                        : FormatException.because(reason);
                failures.put(place, source.isEmpty() ? failure : failure.withSource(source));
            }
        } catch (IllegalArgumentException malformed) {
            throw FormatException.because("its failures are malformed: " + malformed.getMessage());
        }
        return failures;
    }

    /// @param rows by place, the row of its image; -1 if it failed
    private record Received(
            Lease lease,
            int[] rows,
            Map<Integer, InputException> failures,
            MemorySegment labels,
            MemorySegment indices,
            MemorySegment pixels,
            long rowBytes)
            implements ImagePiece {
        @Override
        public int size() {
            return rows.length;
        }

        @Override
        public Optional<InputException> failure(int i) {
            return Optional.ofNullable(failures.get(i));
        }

        @Override
        public MemorySegment pixels(int i) {
            return pixels.asSlice(rows[i] * rowBytes, rowBytes);
        }

        @Override
        public int label(int i) {
            return labels.get(INT, (long) rows[i] * Integer.BYTES);
        }

        @Override
        public int index(int i) {
            return indices.get(INT, (long) rows[i] * Integer.BYTES);
        }

        @Override
        public void close() {
            lease.close();
        }
    }
}
