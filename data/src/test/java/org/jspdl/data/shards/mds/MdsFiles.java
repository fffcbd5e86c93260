package org.jspdl.data.shards.mds;

import io.airlift.compress.v3.zstd.ZstdNativeCompressor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/// Writes shards by the published layout of MDS, version 2.
public final class MdsFiles {
    private MdsFiles() {}

    /// Writes a shard of labeled images to `folder`, as it is, gzipped and compressed by zstd.
    public static List<Path> write(Path folder, int samples) throws IOException {
        byte[] plain = file(labeled(samples));
        return List.of(
                Files.write(folder.resolve("shard.mds"), plain),
                Files.write(folder.resolve("shard.mds.gz"), gzip(plain)),
                Files.write(folder.resolve("shard.mds.zstd"), zstd(plain)));
    }

    static byte[] gzip(byte[] plain) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(bytes)) {
            out.write(plain);
        }
        return bytes.toByteArray();
    }

    static byte[] zstd(byte[] plain) {
        ZstdNativeCompressor zstd = new ZstdNativeCompressor();
        byte[] room = new byte[zstd.maxCompressedLength(plain.length)];
        return Arrays.copyOf(room, zstd.compress(plain, 0, plain.length, room, 0, room.length));
    }

    /// A column, its values, and what a value is, with the size of those that all have it.
    record Column(String name, String encoding, int size, List<byte[]> values) {}

    static byte[] file(List<Column> columns) {
        int samples = columns.getFirst().values.size();
        List<String> encodings = new ArrayList<>();
        List<String> names = new ArrayList<>();
        List<String> sizes = new ArrayList<>();
        for (Column column : columns) {
            encodings.add("\"" + column.encoding + "\"");
            names.add("\"" + column.name + "\"");
            sizes.add(column.size == 0 ? "null" : String.valueOf(column.size));
        }
        byte[] config = ("{\"column_encodings\": " + encodings + ", \"column_names\": " + names
                        + ", \"column_sizes\": " + sizes + ", \"compression\": null, \"format\": \"mds\","
                        + " \"hashes\": [], \"size_limit\": 67108864, \"version\": 2}")
                .getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream bodies = new ByteArrayOutputStream();
        ByteBuffer head = ByteBuffer.allocate(4 * (samples + 2)).order(ByteOrder.LITTLE_ENDIAN);
        head.putInt(samples).putInt(head.capacity() + config.length);
        for (int i = 0; i < samples; i++) {
            for (Column column : columns) {
                if (column.size == 0) {
                    bodies.writeBytes(little(4, column.values.get(i).length));
                }
            }
            for (Column column : columns) {
                bodies.writeBytes(column.values.get(i));
            }
            head.putInt(head.capacity() + config.length + bodies.size());
        }
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        file.writeBytes(head.array());
        file.writeBytes(config);
        file.writeBytes(bodies.toByteArray());
        return file.toByteArray();
    }

    static byte[] little(int bytes, long value) {
        byte[] little = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            little[i] = (byte) (value >>> (8 * i));
        }
        return little;
    }

    static byte[] join(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /// Samples called `image 0` and so on, with labels below 7.
    static List<Column> labeled(int samples) {
        List<byte[]> labels = new ArrayList<>();
        List<byte[]> images = new ArrayList<>();
        for (int i = 0; i < samples; i++) {
            labels.add(little(8, i % 7));
            images.add(utf8("image " + i).clone());
        }
        return List.of(new Column("y", "int", 8, labels), new Column("x", "jpeg:90", 0, images));
    }
}
