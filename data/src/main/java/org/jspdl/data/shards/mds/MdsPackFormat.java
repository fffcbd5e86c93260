package org.jspdl.data.shards.mds;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspdl.data.shards.pack.PackFormat;
import org.jspdl.data.shards.pack.PackedField;
import org.jspdl.data.shards.pack.PackedRows;
import org.jspdl.input.FormatException;
import org.jspdl.json.JsonReader;
import org.jspdl.json.JsonWriter;
import org.jspdl.media.ImageFormat;
import org.jspdl.media.image.ImageDecoder;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.SegmentBuffers;

/// Writes MDS, version 2, and the `index.json` that MosaicML's Streaming begins with (its documentation, "Dataset
/// format"). Every sample needs the same fields. Numbers are `int64`, `uint64`, `float32` and `float64`; columns of
/// pictures of one format are `jpeg` or `png`, others `bytes`.
public final class MdsPackFormat implements PackFormat {
    private static final int VERSION = 2;
    /// Places in a file are numbers of 4 bytes.
    private static final long LARGEST = (1L << 32) - 1;

    /// For `ServiceLoader`.
    public MdsPackFormat() {}

    @Override
    public String name() {
        return "mds";
    }

    @Override
    public String ending() {
        return ".mds";
    }

    @Override
    public String image() {
        return "image";
    }

    @Override
    public String path() {
        return "";
    }

    @Override
    public long largestShard() {
        return LARGEST;
    }

    @Override
    public String write(PackedRows rows, List<String> classes, FileChannel file) throws IOException {
        List<MdsColumn> columns = columns(rows);
        byte[] about = about(columns).getBytes(StandardCharsets.UTF_8);
        long begin = Integer.BYTES * (rows.size() + 2L) + about.length;
        ByteBuffer head = little(Math.toIntExact(begin)).putInt(rows.size());
        long at = begin;
        for (int i = 0; i <= rows.size(); i++) {
            if (at > LARGEST) {
                throw FormatException.because("MDS: a shard of more than 4 GiB; give a smaller --size");
            }
            head.putInt((int) at);
            at += i < rows.size() ? sampleBytes(rows.row(i), columns) : 0;
        }
        long written = write(file, 0, head.put(about).flip());
        for (int i = 0; i < rows.size(); i++) {
            written = sample(rows, i, columns, file, written);
        }
        return new String(about, StandardCharsets.UTF_8);
    }

    private static ByteBuffer little(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static long write(FileChannel file, long at, ByteBuffer bytes) throws IOException {
        MemorySegment all = MemorySegment.ofBuffer(bytes);
        SegmentBuffers.write(file, at, all);
        return at + all.byteSize();
    }

    /// @throws FormatException if a sample lacks a field that another has
    private static List<MdsColumn> columns(PackedRows rows) {
        Map<String, Optional<ElementType>> all = rows.columns();
        for (int i = 0; i < rows.size(); i++) {
            if (rows.row(i).size() != all.size()) {
                throw FormatException.because("MDS: every sample must have the same fields, but one has "
                        + rows.row(i).stream().map(PackedField::name).toList() + " and all have " + all.keySet()
                        + "; --columns leaves fields out, --format parquet allows for missing ones");
            }
        }
        List<MdsColumn> columns = new ArrayList<>();
        all.forEach((name, type) -> columns.add(type.map(number -> number(name, number))
                .orElseGet(() -> new MdsColumn(name, encoding(rows, name), 0))));
        return columns;
    }

    private static MdsColumn number(String name, ElementType type) {
        return new MdsColumn(name, type.name().toLowerCase(Locale.ROOT), type.byteSize());
    }

    /// What all values of a column are.
    private static String encoding(PackedRows rows, String name) {
        Optional<ImageFormat> first = Optional.empty();
        for (int i = 0; i < rows.size(); i++) {
            Optional<ImageFormat> format = ImageDecoder.format(rows.value(field(rows.row(i), name)));
            if (format.isEmpty() || (i > 0 && !format.equals(first))) {
                return "bytes";
            }
            first = format;
        }
        return first.filter(ImageFormat.JPEG::equals).isPresent()
                ? "jpeg"
                : first.filter(ImageFormat.PNG::equals).isPresent() ? "png" : "bytes";
    }

    private static PackedField field(List<PackedField> row, String name) {
        return row.stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
    }

    private static long sampleBytes(List<PackedField> row, List<MdsColumn> columns) {
        return row.stream().mapToLong(PackedField::byteSize).sum()
                + Integer.BYTES
                        * columns.stream().filter(column -> column.size() == 0).count();
    }

    /// The sizes of the values that have no fixed one, then all values.
    private static long sample(PackedRows rows, int index, List<MdsColumn> columns, FileChannel file, long begin)
            throws IOException {
        List<PackedField> row = rows.row(index);
        ByteBuffer sizes = little(Integer.BYTES * columns.size());
        for (MdsColumn column : columns) {
            if (column.size() == 0) {
                sizes.putInt((int) field(row, column.name()).byteSize());
            }
        }
        long at = write(file, begin, sizes.flip());
        for (MdsColumn column : columns) {
            MemorySegment value = rows.value(field(row, column.name()));
            SegmentBuffers.write(file, at, value);
            at += value.byteSize();
        }
        return at;
    }

    private static String about(List<MdsColumn> columns) {
        JsonWriter json = JsonWriter.compact().beginObject();
        json.beginArray("column_encodings");
        columns.forEach(column -> json.value(column.encoding()));
        json.endArray().beginArray("column_names");
        columns.forEach(column -> json.value(column.name()));
        json.endArray().beginArray("column_sizes");
        columns.forEach(column -> {
            if (column.size() == 0) {
                json.value((String) null);
            } else {
                json.value(column.size());
            }
        });
        return json.endArray()
                .putNull("compression")
                .put("format", "mds")
                .beginArray("hashes")
                .endArray()
                .putNull("size_limit")
                .put("version", VERSION)
                .endObject()
                .document();
    }

    /// Each shard as its file describes it, and the file besides.
    @Override
    public Optional<IndexFile> index(List<Written> shards) {
        StringBuilder text = new StringBuilder("{\"shards\": [");
        String between = "\n";
        for (Written shard : shards) {
            JsonReader.of(shard.about()).skipValue(); // it must be one object
            String rest = shard.about().substring(0, shard.about().lastIndexOf('}'));
            String data = JsonWriter.compact()
                    .beginObject()
                    .put("basename", shard.name())
                    .put("bytes", shard.bytes())
                    .beginObject("hashes")
                    .endObject()
                    .endObject()
                    .document();
            text.append(between)
                    .append(rest)
                    .append(",\"raw_data\":")
                    .append(data)
                    .append(",\"samples\":")
                    .append(shard.samples())
                    .append(",\"zip_data\":null}");
            between = ",\n";
        }
        return Optional.of(new IndexFile(
                "index.json", text.append("\n], \"version\": 2}\n").toString()));
    }
}
