package org.jspdl.data.shards;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.airlift.compress.v3.zstd.ZstdNativeCompressor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.jspdl.archive.TarWriter;
import org.jspdl.archive.ZipWriter;
import org.jspdl.array.ArrayView;
import org.jspdl.array.NpzWriter;
import org.jspdl.data.storage.Storage;
import org.jspdl.input.FormatException;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Small shards that want to be large: each is refused by the limit for a sample before the memory is taken.
class ShardLimitsTest {
    private static final int LIMIT = 100_000;
    private static final int BOMB = 50_000_000;

    @TempDir
    Path folder;

    private final Storage storage = Storage.open();
    /// Beyond the limit there is no room: who asks for it fails otherwise than by the format.
    private final BufferPool pool = BufferPool.create("shards", 1 << 20);

    @AfterEach
    void close() {
        pool.close();
        storage.close();
    }

    private void readAll(Path shard) throws Exception {
        try (Cursor<ShardSample> cursor = Shards.shard(
                        storage, shard.toString(), ShardOptions.defaults().largestSample(LIMIT), pool)
                .open(0, Position.START)) {
            while (cursor.advance()) {
                cursor.item().close();
            }
        }
    }

    private void assertLimited(Path shard) {
        assertThatExceptionOfType(FormatException.class)
                .isThrownBy(() -> readAll(shard))
                .withMessageContaining("ShardOptions.largestSample");
    }

    private static ArrayView zeros(int bytes) {
        return ArrayView.of(ElementType.UINT8, Shape.of(10, bytes / 10), MemorySegment.ofArray(new byte[bytes]));
    }

    private static byte[] zstd(byte[] plain) {
        ZstdNativeCompressor compressor = new ZstdNativeCompressor();
        byte[] compressed = new byte[compressor.maxCompressedLength(plain.length)];
        return Arrays.copyOf(compressed, compressor.compress(plain, 0, plain.length, compressed, 0, compressed.length));
    }

    @Test
    void anNpzThatDecompressesToMore() throws Exception {
        Path file = folder.resolve("a.npz");
        try (NpzWriter writer = NpzWriter.create(file, ZipWriter.Method.DEFLATED)) {
            writer.add("image", zeros(BOMB));
        }
        assertLimited(file);
    }

    @Test
    void arraysOfAnNpzThatComeToMoreTogether() throws Exception {
        Path file = folder.resolve("a.npz");
        try (NpzWriter writer = NpzWriter.create(file, ZipWriter.Method.DEFLATED)) {
            for (int i = 0; i < 3; i++) {
                writer.add("image" + i, zeros(LIMIT / 2));
            }
        }
        assertLimited(file);
    }

    @Test
    void aZstandardFileThatDecompressesToMore() throws Exception {
        assertLimited(Files.write(folder.resolve("a.jsonl.zst"), zstd(new byte[BOMB])));
    }

    @Test
    void aZstandardFileWhoseFramesComeToMoreTogether() throws Exception {
        byte[] frame = zstd(new byte[LIMIT / 2]);
        byte[] frames = Arrays.copyOf(frame, 4 * frame.length);
        for (int i = 1; i < 4; i++) {
            System.arraycopy(frame, 0, frames, i * frame.length, frame.length);
        }
        assertLimited(Files.write(folder.resolve("a.jsonl.zst"), frames));
    }

    @Test
    void aLineOfGzippedJsonThatIsLonger() throws Exception {
        Path file = folder.resolve("a.jsonl.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write(" ".repeat(BOMB).getBytes(StandardCharsets.US_ASCII));
        }
        assertThatExceptionOfType(FormatException.class)
                .isThrownBy(() -> readAll(file))
                .withMessageContaining("more than 100,000 bytes");
    }

    @Test
    void filesOfATarThatComeToMoreTogether() throws Exception {
        Path file = folder.resolve("a.tar");
        try (TarWriter writer = TarWriter.create(file)) {
            for (int i = 0; i < 3; i++) {
                writer.add("sample.f" + i, MemorySegment.ofArray(new byte[LIMIT / 2]));
            }
        }
        assertLimited(file);
    }

    @Test
    void rowsWithoutBytesAreNotCountedForever() throws Exception {
        for (String shape :
                new String[] {"(9223372036854775807, 0)", "(4611686018427387904, 0)", "(1000000, 0)", "(3, 0, 9)"}) {
            Path file = Files.write(folder.resolve("a.npy"), npy(shape));
            assertTimeoutPreemptively(
                    Duration.ofSeconds(20),
                    () -> assertThatExceptionOfType(FormatException.class).isThrownBy(() -> readAll(file)),
                    shape);
        }
    }

    private static byte[] npy(String shape) throws IOException {
        String header = "{'descr': '<i2', 'fortran_order': False, 'shape': " + shape + ", }\n";
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        file.writeBytes("\u0093NUMPY\u0001\u0000".getBytes(StandardCharsets.ISO_8859_1));
        file.writeBytes(ByteBuffer.allocate(2)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putShort((short) header.length())
                .array());
        file.writeBytes(header.getBytes(StandardCharsets.ISO_8859_1));
        return file.toByteArray();
    }
}
