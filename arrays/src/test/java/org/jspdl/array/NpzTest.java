package org.jspdl.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspdl.archive.ZipWriter;
import org.jspdl.fixtures.Bytes;
import org.jspdl.input.FormatException;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.memory.Tensor;
import org.jspdl.testing.Programs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class NpzTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"stored", "deflated"})
    void theArraysAreThoseThatNumPyWrote(String kind) throws IOException {
        MemorySegment file = Bytes.resource("npy/" + kind + ".npz");
        Path path = Files.write(folder.resolve("a.npz"), Bytes.of(file));
        try (BufferPool pool = BufferPool.create("npz", 1 << 20);
                Npz npz = Npz.open(path);
                Tensor image = npz.load("image", pool);
                Tensor label = npz.load("label.npy", pool);
                Tensor fortran = npz.load("fortran", pool)) {
            assertThat(npz.names()).containsExactly("image", "label", "fortran");
            assertThat(image.shape()).isEqualTo(Shape.of(4, 5, 3));
            assertThat(Bytes.of(image.segment())).isEqualTo(Expected.elements(ElementType.UINT8, 60));
            assertThat(Bytes.of(label.segment())).isEqualTo(Expected.elements(ElementType.INT64, 1));
            assertThat(Bytes.of(fortran.segment())).isEqualTo(Expected.elements(ElementType.FLOAT32, 12));
        }
        Npz inMemory = Npz.over(file);
        try (Arena arena = Arena.ofConfined()) {
            ArrayView view = inMemory.view("image", arena.allocate(inMemory.bytesNeeded("image")));
            assertThat(Expected.copyOf(view)).isEqualTo(Expected.elements(ElementType.UINT8, 60));
        }
        assertThat(inMemory.isStored("image")).isEqualTo(kind.equals("stored"));
    }

    @Test
    void theChecksumOfAStoredArrayIsVerifiedOnRequest() {
        byte[] file = Bytes.of(Bytes.resource("npy/stored.npz"));
        Npz npz = Npz.over(MemorySegment.ofArray(file));
        npz.verify("image");
        MemorySegment damaged = MemorySegment.ofArray(file.clone());
        byte[] content = Expected.copyOf(npz.view("image"));
        int place = new String(file, java.nio.charset.StandardCharsets.ISO_8859_1)
                .indexOf(new String(content, java.nio.charset.StandardCharsets.ISO_8859_1));
        damaged.set(java.lang.foreign.ValueLayout.JAVA_BYTE, place + 5, (byte) 99);

        assertThatExceptionOfType(FormatException.class)
                .isThrownBy(() -> Npz.over(damaged).verify("image"))
                .withMessageContaining("CRC-32");
    }

    @Test
    void aStoredArrayIsViewedWhereItLies() {
        MemorySegment file = Bytes.resource("npy/stored.npz");

        ArrayView view = Npz.over(file).view("image");

        assertThat(view.segment().asOverlappingSlice(file)).isPresent();
        assertThat(Expected.copyOf(view)).isEqualTo(Expected.elements(ElementType.UINT8, 60));
    }

    @Test
    void whatCannotBeHadSaysWhy() {
        Npz deflated = Npz.over(Bytes.resource("npy/deflated.npz"));

        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> deflated.view("image"))
                .withMessageContaining("load it instead");
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> deflated.view("imag"))
                .withMessage("there is no array 'imag'; there are [image, label, fortran]");
    }

    @Test
    void damagedContentIsNoticed() {
        MemorySegment file = Bytes.resource("npy/stored.npz");
        long inside = file.byteSize();
        ArrayView view = Npz.over(file).view("image");
        for (long at = 0; at < file.byteSize(); at++) {
            if (file.asSlice(at).address() == view.segment().address()) {
                inside = at;
                break;
            }
        }
        Npz damaged = Npz.over(Bytes.damaged(file, inside));

        try (BufferPool pool = BufferPool.create("npz", 1 << 20)) {
            assertThatExceptionOfType(FormatException.class)
                    .isThrownBy(() -> damaged.load("image", pool))
                    .withMessageContaining("its CRC-32 is");
        }
    }

    @ParameterizedTest
    @EnumSource(ZipWriter.Method.class)
    void whatIsWrittenIsReadByPython(ZipWriter.Method method) throws Exception {
        MemorySegment numbers = Bytes.random(600_000, 5);
        numbers.asSlice(1000, 400_000).fill((byte) 7);
        Path path = folder.resolve("w.npz");
        try (NpzWriter writer = NpzWriter.create(path, method)) {
            writer.add("a", ArrayView.of(ElementType.FLOAT32, Shape.of(300, 500), numbers));
            writer.add("empty", ArrayView.of(ElementType.INT8, Shape.of(0), MemorySegment.NULL));
            writer.add("doubles", ArrayView.of(ElementType.FLOAT64, Shape.of(2), MemorySegment.ofArray(new double[2])));
        }

        String told = Programs.python(folder, """
                import zipfile, zlib
                z = zipfile.ZipFile('w.npz')
                print(z.testzip(), [i.filename for i in z.infolist()])
                data = z.read('a.npy')
                print(data[:6], data[128:].__len__(), zlib.crc32(data[-600000:]))
                """);

        java.util.zip.CRC32 crc = new java.util.zip.CRC32();
        crc.update(Bytes.of(numbers));
        assertThat(told)
                .isEqualTo("None ['a.npy', 'empty.npy', 'doubles.npy']\nb'\\x93NUMPY' 600000 " + crc.getValue() + "\n");
        try (Npz npz = Npz.open(path);
                BufferPool pool = BufferPool.create("npz", 1 << 21);
                Tensor read = npz.load("a", pool)) {
            assertThat(read.segment().mismatch(numbers)).isEqualTo(-1);
        }
    }
}
