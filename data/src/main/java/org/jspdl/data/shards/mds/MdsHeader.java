package org.jspdl.data.shards.mds;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspdl.data.shards.ShardSchema;
import org.jspdl.input.FormatException;
import org.jspdl.json.JsonException;
import org.jspdl.json.JsonReader;
import org.jspdl.json.JsonToken;

/// What an MDS file begins with: the number of its samples, where each lies, and its columns as JSON.
///
/// @param offsets where each sample begins, and the last one ends: 4 bytes each in the file
/// @param columns in the order of the samples' values
@SuppressWarnings("ArrayRecordComponent") // never compared
record MdsHeader(int[] offsets, List<MdsColumn> columns) {
    private static final int MOST_CONFIG = 1 << 24;
    private static final int VERSION = 2;
    private static final int PIECE = 1 << 16;
    private static final ValueLayout.OfInt SIZE = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /// Reads the header, and leaves `content` at the first sample.
    ///
    /// @throws FormatException if there is none
    static MdsHeader read(InputStream content) throws IOException {
        long samples = ints(content, 1)[0] & 0xFFFF_FFFFL;
        if (samples >= Integer.MAX_VALUE / Integer.BYTES - 1) {
            throw FormatException.because(String.format("MDS: the file claims %,d samples", samples));
        }
        int first = ints(content, 1)[0];
        long config = (first & 0xFFFF_FFFFL) - Integer.BYTES * (2L + samples);
        if (config <= 0 || config > MOST_CONFIG) {
            throw FormatException.because("MDS: no MDS file, or a damaged one: its columns take " + config + " bytes");
        }
        int[] offsets = offsets(content, (int) samples, first);
        byte[] json = content.readNBytes((int) config);
        if (json.length < config) {
            throw truncated();
        }
        return new MdsHeader(offsets, columns(json));
    }

    /// Where the samples begin and the last one ends, read in pieces that are checked one by one: neither a wrong
    /// count nor a file of zeros, which a few bytes can hold when compressed, costs more memory than there are
    /// samples.
    private static int[] offsets(InputStream content, int samples, int first) throws IOException {
        int[] offsets = {first};
        for (int known = 1; known <= samples; ) {
            int[] piece = ints(content, Math.min(samples + 1 - known, PIECE));
            if (known + piece.length > offsets.length) {
                offsets = Arrays.copyOf(offsets, (int) Math.min(samples + 1L, 2L * (known + piece.length)));
            }
            for (int offset : piece) {
                if (Integer.compareUnsigned(offset, offsets[known - 1]) <= 0) { // each column takes a byte or more
                    throw FormatException.because("MDS: sample " + (known - 1) + " ends before it begins");
                }
                offsets[known++] = offset;
            }
        }
        return offsets;
    }

    /// Little-endian numbers.
    private static int[] ints(InputStream content, int count) throws IOException {
        byte[] bytes = content.readNBytes(Integer.BYTES * count);
        if (bytes.length < Integer.BYTES * count) {
            throw truncated();
        }
        int[] ints = new int[count];
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asIntBuffer().get(ints);
        return ints;
    }

    static FormatException truncated() {
        return FormatException.because("MDS: the file is truncated");
    }

    private static List<MdsColumn> columns(byte[] config) {
        List<String> names = List.of();
        List<String> encodings = List.of();
        List<String> sizes = List.of();
        long version = VERSION;
        try {
            JsonReader json = JsonReader.utf8(config);
            json.beginObject();
            while (json.hasNext()) {
                switch (json.nextName()) {
                    case "column_names" -> names = texts(json);
                    case "column_encodings" -> encodings = texts(json);
                    case "column_sizes" -> sizes = texts(json);
                    case "version" -> version = json.nextLong();
                    default -> json.skipValue();
                }
            }
            json.endObject();
        } catch (JsonException noJson) {
            throw FormatException.because("MDS: the columns are damaged: " + noJson.getMessage());
        }
        if (version != VERSION || names.isEmpty() || encodings.size() != names.size() || sizes.size() != names.size()) {
            throw FormatException.because("MDS: the columns of version " + version + " are " + names + ", encoded as "
                    + encodings + ", of the sizes " + sizes + ", which do not fit");
        }
        List<MdsColumn> columns = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            String size = sizes.get(i);
            if (!size.matches("null|\\d{1,9}")) {
                throw FormatException.because("MDS: the column '" + names.get(i) + "' has the size " + size);
            }
            columns.add(
                    new MdsColumn(names.get(i), encodings.get(i), size.equals("null") ? 0 : Integer.parseInt(size)));
        }
        return List.copyOf(columns);
    }

    private static List<String> texts(JsonReader json) {
        List<String> texts = new ArrayList<>();
        json.beginArray();
        while (json.hasNext()) {
            texts.add(json.peek() == JsonToken.STRING ? json.nextString() : json.nextRaw());
        }
        json.endArray();
        return texts;
    }

    int samples() {
        return offsets.length - 1;
    }

    /// Where sample `index` begins.
    long offset(long index) {
        return offsets[(int) index] & 0xFFFF_FFFFL;
    }

    /// The bytes at the beginning of a sample that say how long its values of no fixed size are.
    long sizeBytes() {
        return Integer.BYTES
                * columns.stream().filter(column -> column.size() == 0).count();
    }

    /// How long the values of a sample are.
    ///
    /// @throws FormatException if they do not fill it
    long[] sizes(MemorySegment sample) {
        long[] sizes = new long[columns.size()];
        long at = 0;
        long all = sizeBytes();
        for (int i = 0; i < sizes.length; i++) {
            sizes[i] = columns.get(i).size();
            if (sizes[i] == 0 && at <= sample.byteSize() - Integer.BYTES) {
                sizes[i] = sample.get(SIZE, at) & 0xFFFF_FFFFL;
                at += Integer.BYTES;
            }
            all += sizes[i];
        }
        if (all != sample.byteSize()) {
            throw FormatException.because(
                    String.format("MDS: the values of a sample of %,d bytes claim %,d", sample.byteSize(), all));
        }
        return sizes;
    }

    /// What the columns mean: an encoded image, and a number that is called as labels are, or `y`.
    ShardSchema schema() {
        List<String> names = columns.stream().map(MdsColumn::name).toList();
        ShardSchema named = ShardSchema.of(names, "");
        Optional<String> image = columns.stream()
                .filter(MdsColumn::isImage)
                .map(MdsColumn::name)
                .findFirst()
                .or(named::image);
        Optional<String> label = named.label().or(() -> names.contains("y") ? Optional.of("y") : Optional.empty());
        return new ShardSchema(names, image, label, List.of());
    }
}
