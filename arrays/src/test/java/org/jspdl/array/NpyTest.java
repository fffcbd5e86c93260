package org.jspdl.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspdl.fixtures.Bytes;
import org.jspdl.input.FormatException;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.memory.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Against files that NumPy wrote: resources/npy/make.py says how.
class NpyTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({
        "b1, BOOL",
        "u1, UINT8",
        "i1, INT8",
        "u2, UINT16",
        "i2, INT16",
        "u4, UINT32",
        "i4, INT32",
        "u8, UINT64",
        "i8, INT64",
        "f2, FLOAT16",
        "f4, FLOAT32",
        "f8, FLOAT64",
        "c8, COMPLEX64",
        "c16, COMPLEX128"
    })
    void everyTypeInEitherByteOrderAndEitherMemoryOrderIsThatOfNumPy(String name, ElementType type) throws IOException {
        for (String variant : List.of("le-c", "le-f", "be-c", "be-f")) {
            MemorySegment file = Bytes.resource("npy/" + name + "-" + variant + ".npy");
            Path path = Files.write(folder.resolve(name + variant), Bytes.of(file));

            ArrayView view = Npy.view(file);

            assertThat(view.type()).isEqualTo(type);
            assertThat(view.shape()).isEqualTo(Shape.of(3, 4, 5));
            assertThat(view.memoryOrder() == MemoryOrder.COLUMN_MAJOR).isEqualTo(variant.endsWith("f"));
            assertThat(Expected.copyOf(view)).as(variant).isEqualTo(Expected.elements(type, 60));
            try (BufferPool pool = BufferPool.create("npy", 1 << 20);
                    Tensor loaded = Npy.load(path, pool)) {
                assertThat(loaded.shape()).isEqualTo(Shape.of(3, 4, 5));
                assertThat(Bytes.of(loaded.segment())).as(variant).isEqualTo(Expected.elements(type, 60));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "scalar, FLOAT32, 1", "vector, INT32, 7", "five-dimensions-f, INT16, 48", "transposed-blocks, UINT8, 9450",
        "version-1, INT32, 6", "version-2, INT32, 6", "version-3, INT32, 6", "many-dimensions, INT32, 6"
    })
    void everyShapeAndVersionIsThatOfNumPy(String name, ElementType type, int elements) {
        ArrayView view = Npy.view(Bytes.resource("npy/" + name + ".npy"));

        assertThat(view.shape().elements()).isEqualTo(elements);
        assertThat(Expected.copyOf(view)).isEqualTo(Expected.elements(type, elements));
    }

    @Test
    void anArrayWithoutElementsKeepsItsShape() {
        assertThat(Npy.view(Bytes.resource("npy/empty.npy")).shape()).isEqualTo(Shape.of(0, 3));
    }

    @Test
    void aViewIsTheBytesOfTheFile() {
        MemorySegment file = Bytes.resource("npy/u1-le-c.npy");
        ArrayView view = Npy.view(file);

        file.set(java.lang.foreign.ValueLayout.JAVA_BYTE, file.byteSize() - 1, (byte) 77);

        assertThat(view.isPlain()).isTrue();
        assertThat(view.row(2).row(3).row(4).segment().get(java.lang.foreign.ValueLayout.JAVA_BYTE, 0))
                .isEqualTo((byte) 77);
    }

    @ParameterizedTest
    @CsvSource({
        "structured, records of named fields",
        "string, strings",
        "bytes, byte strings",
        "date, save them as int64",
        "object, Python objects",
        "raw, raw or structured",
        "longdouble, save them as float64"
    })
    void elementsThatAreNoNumbersAreRefusedByName(String name, String reason) {
        assertThatExceptionOfType(FormatException.class)
                .isThrownBy(() -> Npy.view(Bytes.resource("npy/refused-" + name + ".npy")))
                .withMessageContaining(reason);
    }

    @Test
    void aTruncatedFileSaysHowMuchIsMissing() throws IOException {
        MemorySegment cut = Bytes.without(Bytes.resource("npy/f4-le-c.npy"), 1);
        Path path = Files.write(folder.resolve("cut.npy"), Bytes.of(cut));

        assertThatExceptionOfType(FormatException.class)
                .isThrownBy(() -> Npy.view(cut))
                .withMessage("NPY: the file is truncated: FLOAT32 [3, 4, 5] needs 240 bytes but 239 follow the header");
        try (BufferPool pool = BufferPool.create("npy", 1 << 20)) {
            assertThatExceptionOfType(FormatException.class)
                    .isThrownBy(() -> Npy.load(path, pool))
                    .withMessageStartingWith(path + ": NPY: the file is truncated");
            assertThatExceptionOfType(UncheckedIOException.class)
                    .isThrownBy(() -> Npy.load(folder.resolve("none.npy"), pool))
                    .withMessageContaining("there is no such file");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "{}",
                "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), 'more': 1}",
                "{'descr': '<f4', 'fortran_order': Yes, 'shape': (2,)}",
                "{'descr': '<f4', 'shape': (2,)}",
                "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}",
                "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}",
                "{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775807, 3)}",
                "{'descr': '<f8', 'fortran_order': False, 'shape': (4611686018427387904,)}",
                "{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775807, 0)}",
                "{'descr': '<f4', 'fortran_order': False, 'shape': (0, 4611686018427387904, 4)}",
                "{'descr': '<f', 'fortran_order': False, 'shape': (2,)}",
                "{'descr': '', 'fortran_order': False, 'shape': (2,)}",
                "{'descr': '<f4' 'fortran_order': False}",
                "{'descr': '<f4",
                "nonsense"
            })
    void aHeaderThatIsNoneIsRefused(String header) {
        assertThatExceptionOfType(FormatException.class)
                .isThrownBy(() -> Npy.view(withHeader(header)))
                .withMessageStartingWith("NPY: ");
    }

    @Test
    void aHeaderWrittenDifferentlyIsRead() {
        ArrayView view = Npy.view(withHeader("{\"shape\":( 2L ,),'fortran_order':True,\n'descr':'=u1'}"));

        assertThat(view.shape()).isEqualTo(Shape.of(2));
    }

    private static MemorySegment withHeader(String header) {
        byte[] text = header.getBytes(StandardCharsets.ISO_8859_1);
        byte[] start = "\u0093NUMPY\u0001\u0000..".getBytes(StandardCharsets.ISO_8859_1);
        start[8] = (byte) text.length;
        start[9] = 0;
        return Bytes.joined(MemorySegment.ofArray(start), MemorySegment.ofArray(text), Bytes.random(8, 1));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "b1-le-c",
                "u1-le-c",
                "i8-le-c",
                "f2-be-c",
                "c16-le-f",
                "scalar",
                "vector",
                "empty",
                "many-dimensions"
            })
    void whatIsWrittenIsWhatNumPyWrites(String name) throws IOException {
        MemorySegment numpys = Bytes.resource("npy/" + name + ".npy");
        ByteArrayOutputStream out = new ByteArrayOutputStream();

        Npy.write(Channels.newChannel(out), Npy.view(numpys));

        assertThat(headerWords(out.toByteArray())).isEqualTo(headerWords(Bytes.of(numpys)));
        assertThat(Expected.copyOf(Npy.view(MemorySegment.ofArray(out.toByteArray()))))
                .isEqualTo(Expected.copyOf(Npy.view(numpys)));
        assertThat(out.size() - Npy.view(numpys).byteSize())
                .isEqualTo(Math.ceilDiv(out.size() - Npy.view(numpys).byteSize(), 64) * 64);
    }

    /// NumPy pads headers with room for the array to grow, by a rule that changed between versions.
    private static String headerWords(byte[] file) {
        String text = new String(file, StandardCharsets.ISO_8859_1);
        return text.substring(10, text.indexOf('\n')).strip();
    }

    @Test
    void aTensorIsWrittenAndReadAgain() throws IOException {
        try (BufferPool pool = BufferPool.create("npy", 1 << 20);
                Tensor tensor = Tensor.allocate(ElementType.FLOAT32, Shape.of(5, 7), pool)) {
            tensor.segment().copyFrom(Bytes.random(5 * 7 * 4, 3));
            Npy.write(folder.resolve("t.npy"), ArrayView.of(tensor));

            try (Tensor read = Npy.load(folder.resolve("t.npy"), pool)) {
                assertThat(read.segment().mismatch(tensor.segment())).isEqualTo(-1);
            }
        }
    }

    @Test
    void typesThatNumPyDoesNotHaveAreRefused() {
        ArrayView view = ArrayView.of(ElementType.BFLOAT16, Shape.of(1), Bytes.random(2, 1));

        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> Npy.write(folder.resolve("b.npy"), view))
                .withMessageContaining("view the bytes as UINT16");
    }

    @Test
    void aRowOfAColumnMajorArrayIsRefused() {
        ArrayView view = Npy.view(Bytes.resource("npy/f4-le-f.npy"));

        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> view.row(0));
        assertThat(view.byteOrder()).isEqualTo(ByteOrder.LITTLE_ENDIAN);
    }
}
