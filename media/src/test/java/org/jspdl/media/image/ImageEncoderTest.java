package org.jspdl.media.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspdl.media.ImageInfo;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Lease;
import org.jspdl.memory.Shape;
import org.jspdl.memory.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Files that we write, read by the JDK's decoders, which share nothing with the encoders.
class ImageEncoderTest {
    private static final byte[] RGB = TestFiles.decodedByImageIo(TestFiles.bytes("png/rgb-61x47.png"));
    private static final Shape SHAPE = Shape.of(47, 61, 3);

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 6, 9})
    void pngKeepsEveryByteAtEveryLevel(int level) {
        byte[] file = encode(ImageEncoder.png(level), RGB, SHAPE, ElementType.UINT8);

        assertThat(TestFiles.decodedByImageIo(file)).isEqualTo(RGB);
        assertThat(file.length).isLessThan(level == 0 ? RGB.length + 500 : RGB.length);
    }

    @ParameterizedTest
    @CsvSource({
        "png/gray-61x47.png, GRAY, UINT8",
        "png/rgb-61x47.png, RGB, UINT8",
        "png/rgba-37x29.png, RGBA, UINT8",
        "png/depth16-37x29.png, GRAY, UINT16",
        "png/rgb16-37x29.png, RGB, UINT16",
        "png/rgba16-37x29.png, RGBA, UINT16"
    })
    void pngHoldsAlphaAndSixteenBits(String file, Channels channels, ElementType type) {
        ImageSpec spec = ImageSpec.original().channels(channels).elements(type);
        ImageInfo info = ImageDecoder.probe(MemorySegment.ofArray(TestFiles.bytes(file)));
        byte[] pixels = JpegDecodingTest.decode(TestFiles.bytes(file), spec, JpegBackend.BEST);

        byte[] written =
                encode(ImageEncoder.png(), pixels, Shape.of(info.height(), info.width(), channels.count()), type);

        assertThat(ImageDecoder.probe(MemorySegment.ofArray(written))).isEqualTo(info);
        assertThat(JpegDecodingTest.decode(written, spec, JpegBackend.BEST)).isEqualTo(pixels);
    }

    @ParameterizedTest
    @EnumSource(names = {"TURBOJPEG", "FFMPEG"})
    void jpegIsWhatItWasMadeOfButForItsQuality(JpegBackend backend) {
        Backends.require(backend);
        double before = 0;
        int size = 0;
        for (int quality : new int[] {20, 60, 95}) {
            byte[] file =
                    encode(ImageEncoder.jpeg(quality, ChromaSampling.FULL, backend), RGB, SHAPE, ElementType.UINT8);

            double decibels = TestFiles.psnr(RGB, TestFiles.decodedByImageIo(file));
            assertThat(decibels).as("quality %s", quality).isGreaterThan(before + 1);
            assertThat(file.length).isGreaterThan(size);
            before = decibels;
            size = file.length;
        }
        assertThat(before).isGreaterThan(36);
    }

    @ParameterizedTest
    @CsvSource({
        "TURBOJPEG, FULL, 0x11", "TURBOJPEG, HALF_ACROSS, 0x21", "TURBOJPEG, HALF_BOTH, 0x22",
        "FFMPEG, FULL, 0x11", "FFMPEG, HALF_ACROSS, 0x21", "FFMPEG, HALF_BOTH, 0x22"
    })
    void chromaIsSampledAsAsked(JpegBackend backend, ChromaSampling sampling, String factors) {
        Backends.require(backend);
        byte[] file = encode(ImageEncoder.jpeg(90, sampling, backend), RGB, SHAPE, ElementType.UINT8);

        int frame = 0;
        while (file[frame] != (byte) 0xFF || file[frame + 1] != (byte) 0xC0) {
            frame++;
        }
        int luma = file[frame + 11];
        int chroma = file[frame + 14];
        // FFmpeg writes 4:4:4 with the same factors for all components
        assertThat((luma >> 4) / (chroma >> 4)).isEqualTo(Integer.decode(factors) >> 4);
        assertThat((luma & 15) / (chroma & 15)).isEqualTo(Integer.decode(factors) & 15);
        assertThat(TestFiles.psnr(RGB, TestFiles.decodedByImageIo(file))).isGreaterThan(27);
    }

    @ParameterizedTest
    @EnumSource(names = {"TURBOJPEG", "FFMPEG"})
    void grayImagesStayGray(JpegBackend backend) {
        Backends.require(backend);
        byte[] gray = JpegDecodingTest.decode(
                TestFiles.bytes("jpeg/gray-97x131.jpg"),
                ImageSpec.original().channels(Channels.GRAY),
                JpegBackend.BEST);

        byte[] file = encode(
                ImageEncoder.jpeg(95, ChromaSampling.HALF_BOTH, backend),
                gray,
                Shape.of(131, 97, 1),
                ElementType.UINT8);

        assertThat(ImageDecoder.probe(MemorySegment.ofArray(file)).channels())
                .isEqualTo(backend == JpegBackend.TURBOJPEG ? 1 : 3);
        byte[] read = JpegDecodingTest.decode(file, ImageSpec.original().channels(Channels.GRAY), JpegBackend.BEST);
        assertThat(TestFiles.psnr(gray, read)).isGreaterThan(38);
    }

    @Test
    void planesAndBlueFirstComeOutTheSame() {
        byte[] turned = new byte[RGB.length];
        int count = RGB.length / 3;
        for (int i = 0; i < count; i++) {
            for (int c = 0; c < 3; c++) {
                turned[(2 - c) * count + i] = RGB[3 * i + c];
            }
        }

        byte[] file = encode(
                ImageEncoder.png().layout(Layout.NCHW).blueFirst(), turned, Shape.of(3, 47, 61), ElementType.UINT8);

        assertThat(TestFiles.decodedByImageIo(file)).isEqualTo(RGB);
    }

    @Test
    void anImageIsWrittenToAFile(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("picture.png"), "x".repeat(100_000));
        try (Tensor image = Images.load(
                Path.of(java.util.Objects.requireNonNull(getClass().getResource("/png/rgb-61x47.png"))
                        .toURI()),
                ImageSpec.original())) {
            ImageEncoder.png().write(image, file);
        }

        assertThat(TestFiles.decodedByImageIo(Files.readAllBytes(file))).isEqualTo(RGB);
    }

    /// 200 in every build, 10,000 with `-Pcampaign`.
    @Test
    @Timeout(value = 20, unit = TimeUnit.MINUTES)
    void picturesOfAnySizeAndContentComeBack() {
        Backends.requireTurboJpeg();
        SplittableRandom random = new SplittableRandom(20_260_102);
        int pictures = Boolean.getBoolean("campaign") ? 10_000 : 200;
        ImageSpec any = ImageSpec.original();
        for (int i = 0; i < pictures; i++) {
            int width = 1 + random.nextInt(i % 10 == 0 ? 700 : 40);
            int height = 1 + random.nextInt(40);
            Channels channels =
                    List.of(Channels.GRAY, Channels.RGB, Channels.RGBA).get(random.nextInt(3));
            ElementType type = random.nextBoolean() ? ElementType.UINT8 : ElementType.UINT16;
            Shape shape = Shape.of(height, width, channels.count());
            byte[] pixels = new byte[(int) Tensor.byteSize(type, shape)];
            random.nextBytes(pixels);

            byte[] png = encode(ImageEncoder.png(random.nextInt(10)), pixels, shape, type);
            ImageSpec same = any.channels(channels).elements(type);
            assertThat(JpegDecodingTest.decode(png, same, JpegBackend.BEST))
                    .as("picture %s, %s %s", i, type, shape)
                    .isEqualTo(pixels);

            JpegBackend backend = random.nextBoolean() ? JpegBackend.TURBOJPEG : JpegBackend.FFMPEG;
            if (channels != Channels.RGBA && type == ElementType.UINT8) {
                ChromaSampling sampling = ChromaSampling.values()[random.nextInt(3)];
                byte[] jpeg =
                        encode(ImageEncoder.jpeg(1 + random.nextInt(100), sampling, backend), pixels, shape, type);
                assertThat(JpegDecodingTest.decode(jpeg, any.channels(channels), JpegBackend.BEST))
                        .hasSameSizeAs(pixels);
            }
        }
    }

    @Test
    void whatAFormatCannotHoldIsRefused() {
        ImageEncoder jpeg = ImageEncoder.jpeg(90, ChromaSampling.FULL);

        assertThatThrownBy(() -> encode(jpeg, new byte[16], Shape.of(2, 2, 4), ElementType.UINT8))
                .hasMessage("JPEG cannot hold 4 channels of UINT8 (of shape [2, 2, 4] as NHWC)");
        assertThatThrownBy(() -> encode(jpeg, new byte[24], Shape.of(2, 2, 3), ElementType.UINT16))
                .hasMessageContaining("3 channels of UINT16");
        assertThatThrownBy(() -> encode(ImageEncoder.png(), new byte[48], Shape.of(2, 2, 3), ElementType.FLOAT32))
                .hasMessageContaining("3 channels of FLOAT32");
        assertThatThrownBy(() -> encode(ImageEncoder.png(), new byte[11], Shape.of(2, 2, 3), ElementType.UINT8))
                .hasMessageContaining("has 12 bytes but this has 11");
        assertThatThrownBy(() -> encode(jpeg, new byte[70_000], Shape.of(1, 70_000, 1), ElementType.UINT8))
                .hasMessageContaining("70000 x 1");
        assertThatThrownBy(() -> encode(ImageEncoder.png(), new byte[0], Shape.of(2, 0, 3), ElementType.UINT8))
                .hasMessageContaining("at least a pixel but this has [2, 0, 3]");
        assertThatThrownBy(() -> ImageEncoder.jpeg(0, ChromaSampling.FULL)).hasMessageContaining("from 1 to 100");
    }

    static byte[] encode(ImageEncoder encoder, byte[] pixels, Shape shape, ElementType type) {
        try (BufferPool pool = BufferPool.create("files", 1 << 24);
                Lease file = encoder.encode(MemorySegment.ofArray(pixels), shape, type, pool)) {
            return file.segment().toArray(ValueLayout.JAVA_BYTE);
        }
    }
}
