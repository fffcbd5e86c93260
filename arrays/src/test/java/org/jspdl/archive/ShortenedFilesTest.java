package org.jspdl.archive;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Iterator;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspdl.array.ArrayView;
import org.jspdl.array.Npz;
import org.jspdl.array.NpzWriter;
import org.jspdl.array.Safetensors;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Mapped files that are truncated between opening and reading are errors that name them. Before, checksums and
/// decompressors ended the process.
class ShortenedFilesTest {
    private static final int ELEMENTS = 60_000;

    @TempDir
    Path folder;

    private final byte[] noise = new byte[ELEMENTS * Float.BYTES];

    ShortenedFilesTest() {
        new SplittableRandom(1).nextBytes(noise);
    }

    private static void shorten(Path file) throws IOException {
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
            open.setLength(9_000);
        }
    }

    private static void assertIsNamed(Path file, ThrowingCallable reading) {
        assertThatThrownBy(reading)
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageStartingWith("cannot read " + file + ": it became shorter while it was read: 9,000 of ");
    }

    private Path npz() throws IOException {
        Path file = folder.resolve("a.npz");
        try (NpzWriter writer = NpzWriter.create(file, ZipWriter.Method.STORED)) {
            writer.add("x", ArrayView.of(ElementType.FLOAT32, Shape.of(ELEMENTS), MemorySegment.ofArray(noise)));
        }
        return file;
    }

    private Path deflated() throws IOException {
        Path file = folder.resolve("a.zip");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
            zip.putNextEntry(new ZipEntry("x.bin"));
            zip.write(noise);
            zip.closeEntry();
        }
        return file;
    }

    @Test
    void storedArraysOfNpz() throws IOException {
        Path file = npz();
        try (Npz npz = Npz.open(file);
                BufferPool pool = BufferPool.create("test", 1 << 24)) {
            ArrayView array = npz.view("x");
            shorten(file);
            assertIsNamed(file, () -> npz.load("x", pool));
            assertIsNamed(file, () -> npz.verify("x"));
            assertIsNamed(file, () -> array.toTensor(pool));
            assertIsNamed(file, () -> npz.view("x"));
        }
    }

    @Test
    void deflatedMembersOfZip() throws IOException {
        Path file = deflated();
        try (ZipArchive zip = ZipArchive.open(file);
                Arena arena = Arena.ofConfined()) {
            ZipMember member = zip.member("x.bin").orElseThrow();
            MemorySegment target = arena.allocate(member.byteSize());
            zip.read(member, target);
            shorten(file);
            assertIsNamed(file, () -> zip.read(member, target));
            assertIsNamed(file, () -> zip.read(member, MemorySegment.ofArray(new byte[noise.length])));
        }
    }

    @Test
    void safetensors() throws IOException {
        byte[] header = ("{\"x\":{\"dtype\":\"F32\",\"shape\":[" + ELEMENTS + "],\"data_offsets\":[0," + noise.length
                        + "]}}")
                .getBytes(StandardCharsets.US_ASCII);
        Path file = folder.resolve("a.safetensors");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.allocate(8)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putLong(header.length)
                    .flip());
            channel.write(ByteBuffer.wrap(header));
            channel.write(ByteBuffer.wrap(noise));
        }
        try (Safetensors tensors = Safetensors.open(file);
                BufferPool pool = BufferPool.create("test", 1 << 24)) {
            shorten(file);
            assertIsNamed(file, () -> tensors.array("x").toTensor(pool));
        }
    }

    @Test
    void recordsOfTfRecords() throws IOException {
        Path file = folder.resolve("a.tfrecord");
        CRC32C crc = new CRC32C();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            for (int i = 0; i < 3; i++) {
                ByteBuffer record = ByteBuffer.allocate(noise.length + 16).order(ByteOrder.LITTLE_ENDIAN);
                MemorySegment bytes = MemorySegment.ofBuffer(record);
                record.putLong(noise.length)
                        .putInt(TfRecords.masked(bytes.asSlice(0, 8), crc))
                        .put(noise)
                        .putInt(TfRecords.masked(MemorySegment.ofArray(noise), crc));
                channel.write(record.flip());
            }
        }
        try (TfRecords records = TfRecords.open(file)) {
            Iterator<MemorySegment> each = records.iterator();
            each.next();
            shorten(file);
            assertIsNamed(file, each::next);
        }
    }

    @Test
    void entriesOfTar() throws IOException {
        Path file = folder.resolve("a.tar");
        try (TarWriter tar = TarWriter.create(file)) {
            for (int i = 0; i < 3; i++) {
                tar.add(i + ".bin", MemorySegment.ofArray(noise));
            }
        }
        try (TarArchive tar = TarArchive.open(file)) {
            Iterator<TarEntry> each = tar.iterator();
            each.next();
            shorten(file);
            assertIsNamed(file, each::hasNext);
        }
    }

    @Test
    void memoryThatSomebodyElseMapped() throws IOException {
        Path file = deflated();
        try (Arena arena = Arena.ofShared();
                FileChannel channel = FileChannel.open(file)) {
            MemorySegment mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
            ZipArchive zip = ZipArchive.over(mapped);
            ZipMember member = zip.member("x.bin").orElseThrow();
            shorten(file);
            assertThatThrownBy(() -> zip.read(member, arena.allocate(ValueLayout.JAVA_BYTE, member.byteSize())))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessage("cannot read a mapped file: it became shorter while it was read");
        }
    }
}
