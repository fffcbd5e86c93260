package org.jspdl.data.shards;

import io.airlift.compress.v3.zstd.ZstdNativeCompressor;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.jspdl.archive.ZipWriter;
import org.jspdl.array.ArrayView;
import org.jspdl.array.Npy;
import org.jspdl.array.NpzWriter;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.testing.Programs;

/// Shards of every format; tar and TFRecord as Python writes them.
final class ShardFiles {
    private static final String TAR = """
            import io, sys, tarfile
            samples, kind = int(sys.argv[1]), sys.argv[2]
            extra = {'pax_headers': {'comment': 'all of it'}} if kind == 'global' else {}
            with tarfile.open('train-000.tar', 'w', format=tarfile.PAX_FORMAT, **extra) as tar:
                def add(name, data):
                    info = tarfile.TarInfo(name)
                    info.size = len(data)
                    tar.addfile(info, io.BytesIO(data))
                add('__info__.json', b'{}')
                add('README', b'no sample')
                info = tarfile.TarInfo('dir.d')
                info.type = tarfile.DIRTYPE
                tar.addfile(info)
                for i in range(samples):
                    key = f'dir.d/{"long" * 40 if i == 3 else "s"}{i:04d}'
                    add(key + '.JPG', bytes([i]) * (i * 100))
                    add(key + '.seg.png', bytes([i, 1]))
                    add(key + '.cls', str(i % 7).encode())
            """;

    private static final String TFRECORD = """
            import struct, sys
            def crc32c(data):
                crc = 0xFFFFFFFF
                for byte in data:
                    crc ^= byte
                    for _ in range(8):
                        crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
                return crc ^ 0xFFFFFFFF
            def masked(data):
                crc = crc32c(data)
                return struct.pack('<I', ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF)
            with open('train.tfrecord', 'wb') as file:
                for i in range(int(sys.argv[1])):
                    record = bytes([i]) * (i * 37)
                    length = struct.pack('<Q', len(record))
                    file.write(length + masked(length) + record + masked(record))
            """;

    private ShardFiles() {}

    static Path tar(Path folder, int samples, String kind) throws Exception {
        Programs.python(folder, TAR, String.valueOf(samples), kind);
        return folder.resolve("train-000.tar");
    }

    static Path tfRecords(Path folder, int records) throws Exception {
        Programs.python(folder, TFRECORD, String.valueOf(records));
        return folder.resolve("train.tfrecord");
    }

    static byte[] lines(int count) {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < count; i++) {
            lines.append("{\"text\": \"line ")
                    .append(i)
                    .append(" é\\n\", \"n\": ")
                    .append(i);
            lines.append(", \"list\": [1, {\"a\": null}], \"none\": null}").append(i % 3 == 0 ? "\r\n\n" : "\n");
        }
        return lines.substring(0, lines.length() - 1).getBytes(StandardCharsets.UTF_8);
    }

    static Path jsonLines(Path folder, int count) throws IOException {
        return Files.write(folder.resolve("train.jsonl"), lines(count));
    }

    static Path gzipJsonLines(Path folder, int count) throws IOException {
        Path file = folder.resolve("train.jsonl.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write(lines(count));
        }
        return file;
    }

    static Path zstdJsonLines(Path folder, int count) throws IOException {
        byte[] plain = lines(count);
        ZstdNativeCompressor compressor = new ZstdNativeCompressor();
        byte[] compressed = new byte[compressor.maxCompressedLength(plain.length)];
        int size = compressor.compress(plain, 0, plain.length, compressed, 0, compressed.length);
        return Files.write(folder.resolve("train.jsonl.zst"), Arrays.copyOf(compressed, size));
    }

    static Path npy(Path folder, int rows) throws IOException {
        Path file = folder.resolve("train.npy");
        Npy.write(file, array(ElementType.INT16, rows, 4));
        return file;
    }

    static Path npz(Path folder, int rows) throws IOException {
        Path file = folder.resolve("train.npz");
        try (NpzWriter writer = NpzWriter.create(file, ZipWriter.Method.DEFLATED)) {
            writer.add("image", array(ElementType.UINT8, rows, 12));
            writer.add("label", array(ElementType.INT64, rows, 1));
        }
        return file;
    }

    private static ArrayView array(ElementType type, int rows, int columns) {
        byte[] bytes = new byte[rows * columns * type.byteSize()];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (i * 31);
        }
        return ArrayView.of(type, Shape.of(rows, columns), MemorySegment.ofArray(bytes));
    }
}
