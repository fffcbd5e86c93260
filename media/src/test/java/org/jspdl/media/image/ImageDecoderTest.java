package org.jspdl.media.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspdl.input.DecodeException;
import org.jspdl.memory.ElementType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ImageDecoderTest {
    @ParameterizedTest
    @EnumSource(names = {"TURBOJPEG", "FFMPEG"})
    void nothingOutsideOfTheRowIsTouched(JpegBackend backend) {
        Backends.require(backend);
        for (ImageSpec spec : List.of(
                ImageSpec.exact(31, 17),
                ImageSpec.shorterSide(64).centerCrop(50, 61),
                ImageSpec.shorterSide(20).centerCrop(40, 40),
                ImageSpec.exact(5, 300).layout(Layout.NCHW),
                ImageSpec.exact(7, 9).channels(Channels.GRAY),
                ImageSpec.exact(33, 12).elements(ElementType.FLOAT32).layout(Layout.NCHW))) {
            try (Arena arena = Arena.ofConfined();
                    ImageDecoder decoder = ImageDecoder.create(spec, backend)) {
                GuardedRow row = new GuardedRow(spec.rowBytes(), arena);

                decoder.decodeInto(TestFiles.load("jpeg/422-121x87.jpg", arena), row.segment());

                row.check();
            }
        }
    }

    @Test
    void manyThreadsGetTheSameAsOne() throws InterruptedException, ExecutionException {
        ImageSpec spec = ImageSpec.shorterSide(48).centerCrop(40, 40);
        List<String> files =
                List.of("jpeg/420-121x87.jpg", "jpeg/gray-97x131.jpg", "jpeg/444-121x87.jpg", "png/rgb-61x47.png");
        List<byte[]> expected = files.stream()
                .map(file -> JpegDecodingTest.decode(TestFiles.bytes(file), spec, JpegBackend.BEST))
                .toList();
        try (ImageDecoder decoder = ImageDecoder.create(spec);
                ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Future<?>> tasks = new ArrayList<>();
            for (int t = 0; t < 8; t++) {
                int first = t;
                tasks.add(threads.submit(() -> {
                    try (Arena arena = Arena.ofConfined()) {
                        MemorySegment row = arena.allocate(spec.rowBytes());
                        for (int i = 0; i < 40; i++) {
                            int file = (first + i) % files.size();
                            decoder.decodeInto(TestFiles.load(files.get(file), arena), row);
                            assertThat(row.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(expected.get(file));
                        }
                    }
                }));
            }
            for (Future<?> task : tasks) {
                task.get();
            }
        }
    }

    @Test
    void aFailureLeavesTheDecoderAsGoodAsNew() {
        ImageSpec spec = ImageSpec.exact(40, 30);
        byte[] good = TestFiles.bytes("jpeg/420-121x87.jpg");
        byte[] expected = JpegDecodingTest.decode(good, spec, JpegBackend.BEST);
        try (ImageDecoder decoder = ImageDecoder.create(spec);
                Arena arena = Arena.ofConfined()) {
            MemorySegment row = arena.allocate(spec.rowBytes());
            MemorySegment whole = TestFiles.toNative(good, arena);
            for (int length = 100; length < good.length; length += 211) {
                MemorySegment part = whole.asSlice(0, length);
                assertThatThrownBy(() -> decoder.decodeInto(part, row)).isInstanceOf(DecodeException.class);
                decoder.decodeInto(whole, row);
                assertThat(row.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(expected);
            }
        }
    }

    @Test
    void heapAndNativeInputGiveTheSame() {
        ImageSpec spec = ImageSpec.exact(40, 30);
        byte[] file = TestFiles.bytes("jpeg/420-121x87.jpg");
        try (ImageDecoder decoder = ImageDecoder.create(spec)) {
            byte[] row = new byte[(int) spec.rowBytes()];

            decoder.decodeInto(MemorySegment.ofArray(file), MemorySegment.ofArray(row));

            assertThat(row).isEqualTo(JpegDecodingTest.decode(file, spec, JpegBackend.BEST));
        }
    }

    @Test
    void aRowOfAnotherSizeIsRefused() {
        try (ImageDecoder decoder = ImageDecoder.create(ImageSpec.exact(10, 10))) {
            assertThatThrownBy(() -> decoder.decodeInto(
                            MemorySegment.ofArray(TestFiles.bytes("jpeg/444-121x87.jpg")),
                            MemorySegment.ofArray(new byte[299])))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("300 bytes")
                    .hasMessageContaining("299");
        }
    }

    @Test
    void aClosedDecoderRefusesWork() {
        ImageDecoder decoder = ImageDecoder.create(ImageSpec.exact(10, 10));
        decoder.close();
        decoder.close();

        assertThatThrownBy(() ->
                        decoder.decodeInto(MemorySegment.ofArray(new byte[1]), MemorySegment.ofArray(new byte[300])))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void theBackendIsNamedWithItsVersion() {
        Backends.requireTurboJpeg();
        try (ImageDecoder turbo = ImageDecoder.create(ImageSpec.original(), JpegBackend.TURBOJPEG);
                ImageDecoder ffmpeg = ImageDecoder.create(ImageSpec.original(), JpegBackend.FFMPEG)) {
            assertThat(turbo.backend()).matches("turbojpeg \\d+\\.\\d+(\\.\\d+)?");
            assertThat(ffmpeg.backend()).matches("ffmpeg \\(libavcodec 62\\.\\d+\\.\\d+\\)");
        }
    }

    @Test
    void anImageSmallerThanTheCropIsSurroundedByBlack() {
        ImageSpec spec = ImageSpec.original().centerCrop(10, 10).channels(Channels.GRAY);
        byte[] row = JpegDecodingTest.decode(TestFiles.bytes("jpeg/420-17x3.jpg"), spec, JpegBackend.BEST);

        // three rows high: seven rows of black, of which torchvision puts three above
        for (int y = 0; y < 10; y++) {
            boolean inside = y >= 3 && y < 6;
            for (int x = 0; x < 10; x++) {
                assertThat(row[10 * y + x] != 0).as("pixel %d, %d", x, y).isEqualTo(inside);
            }
        }
    }

    @Test
    void floatsAreTheBytesScaledAndShifted() {
        ImageSpec spec = ImageSpec.exact(13, 11);
        byte[] file = TestFiles.bytes("jpeg/420-121x87.jpg");
        byte[] bytes = JpegDecodingTest.decode(file, spec, JpegBackend.BEST);
        ImageSpec normalized =
                spec.elements(ElementType.FLOAT32).layout(Layout.NCHW).normalization(Normalization.imageNet());
        MemorySegment floats = MemorySegment.ofArray(JpegDecodingTest.decode(file, normalized, JpegBackend.BEST));

        float[] mean = {0.485f, 0.456f, 0.406f};
        float[] deviation = {0.229f, 0.224f, 0.225f};
        for (int i = 0; i < 143; i++) {
            for (int c = 0; c < 3; c++) {
                float expected = ((bytes[3 * i + c] & 0xFF) / 255f - mean[c]) / deviation[c];
                float actual = floats.get(ValueLayout.JAVA_FLOAT_UNALIGNED, 4L * (c * 143 + i));
                assertThat(actual).isCloseTo(expected, org.assertj.core.data.Offset.offset(1e-6f));
            }
        }
    }

    @Test
    void halfPrecisionIsTheNearestToSinglePrecision() {
        ImageSpec spec = ImageSpec.exact(13, 11).normalization(Normalization.imageNet());
        byte[] file = TestFiles.bytes("jpeg/420-121x87.jpg");
        MemorySegment single = decoded(file, spec.elements(ElementType.FLOAT32));
        MemorySegment half = decoded(file, spec.elements(ElementType.FLOAT16));
        MemorySegment brain = decoded(file, spec.elements(ElementType.BFLOAT16));

        for (int i = 0; i < 3 * 143; i++) {
            float exact = single.get(ValueLayout.JAVA_FLOAT_UNALIGNED, 4L * i);
            short bits = half.get(ValueLayout.JAVA_SHORT_UNALIGNED, 2L * i);
            float brainValue = Float.intBitsToFloat(brain.get(ValueLayout.JAVA_SHORT_UNALIGNED, 2L * i) << 16);
            assertThat(bits).isEqualTo(Float.floatToFloat16(exact));
            assertThat(Math.abs(brainValue - exact)).isLessThanOrEqualTo(Math.abs(exact) / 256);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"UINT8", "UINT16", "FLOAT32", "FLOAT16", "BFLOAT16"})
    void bytesThatAreConvertedLaterAreTheElementsToTheBit(ElementType type) {
        for (Layout layout : Layout.values()) {
            ImageSpec bytes = ImageSpec.exact(97, 61).layout(layout).colorJitter(0.4, 0.4, 0.4, 0.1);
            boolean isFloat = type != ElementType.UINT8 && type != ElementType.UINT16;
            ImageSpec elements =
                    isFloat ? bytes.elements(type).normalization(Normalization.imageNet()) : bytes.elements(type);
            assertThat(elements.asBytes()).isEqualTo(bytes);
            for (String name : List.of("jpeg/420-121x87.jpg", "png/rgba-37x29.png")) {
                byte[] file = TestFiles.bytes(name);
                MemorySegment converted = MemorySegment.ofArray(new byte[(int) elements.rowBytes()]);
                try (ImageDecoder decoder = ImageDecoder.create(elements)) {
                    decoder.convertInto(decoded(file, bytes), converted);
                    assertThatThrownBy(() -> decoder.convertInto(converted.asSlice(1), converted))
                            .hasMessageContaining("but they have");
                }
                assertThat(converted.mismatch(decoded(file, elements))).isEqualTo(-1);
            }
        }
    }

    private static MemorySegment decoded(byte[] file, ImageSpec spec) {
        return MemorySegment.ofArray(JpegDecodingTest.decode(file, spec, JpegBackend.BEST));
    }
}
