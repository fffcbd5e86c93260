package org.jspdl.media.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspdl.input.DecodeException;
import org.jspdl.media.ImageFormat;
import org.jspdl.media.ImageInfo;
import org.jspdl.memory.ElementType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// AVIF files that libavif's `avifenc` made, against what its `avifdec` makes of them
/// (`src/test/python/deep_and_alpha.py`).
class AvifTest {
    @ParameterizedTest
    @CsvSource({"420, 45", "lossless, 100", "gray, 100"})
    void picturesAreThoseOfLibavif(String name, double decibels) {
        byte[] expected = TestFiles.bytes("reference/avif-" + name + ".bin");

        byte[] actual = decode(name, expected.length == 37 * 29 ? gray() : ImageSpec.original());

        assertThat(TestFiles.psnr(expected, actual)).isGreaterThanOrEqualTo(decibels);
    }

    /// Against the picture that was encoded: `avifdec` converts these colors with few bits.
    @Test
    void theRangeAndTheMatrixOfTheFileAreUsed() {
        byte[] source = TestFiles.bytes("reference/rgba.bin");
        byte[] expected = new byte[source.length / 4 * 3];
        for (int i = 0; i < expected.length; i++) {
            expected[i] = source[i / 3 * 4 + i % 3];
        }

        assertThat(TestFiles.psnr(expected, decode("444-709", ImageSpec.original())))
                .isGreaterThan(42);
    }

    private static ImageSpec gray() {
        return ImageSpec.original().channels(Channels.GRAY);
    }

    @Test
    void alphaLiesInAPictureOfItsOwn() {
        byte[] expected = TestFiles.bytes("reference/avif-alpha.bin");
        byte[] actual = decode("alpha", ImageSpec.original().channels(Channels.RGBA));

        assertThat(TestFiles.psnr(expected, actual)).isGreaterThan(45);
        for (int i = 3; i < expected.length; i += 4) {
            assertThat(actual[i]).isEqualTo(expected[i]);
        }
    }

    @Test
    void tenBitsAreKept() {
        byte[] expected = TestFiles.bytes("reference/avif-10bit.bin");

        byte[] actual = decode("10bit", ImageSpec.original().elements(ElementType.UINT16));

        int largest = 0;
        for (int i = 0; i < expected.length; i += 2) {
            int difference = word(expected, i) - word(actual, i);
            largest = Math.max(largest, Math.abs(difference));
        }
        assertThat(largest).as("of 65,535, in steps of 64").isLessThanOrEqualTo(3 * 64);
    }

    private static int word(byte[] bytes, int at) {
        return (bytes[at] & 0xFF) | (bytes[at + 1] & 0xFF) << 8;
    }

    /// `avifdec` 0.11 leaves pictures as they are stored.
    @Test
    void picturesAreTurnedUpright() {
        byte[] stored = decode("turned", ImageSpec.original().orientation(Orientation.AS_STORED));
        byte[] upright = decode("turned", ImageSpec.original());

        assertThat(TestFiles.psnr(TestFiles.bytes("reference/avif-turned.bin"), stored))
                .isGreaterThan(48);
        for (int y = 0; y < 29; y++) {
            for (int x = 0; x < 37; x++) {
                // a quarter turn counter-clockwise, then upside down: rows become columns
                assertThat(upright[3 * (29 * x + y)]).isEqualTo(stored[3 * (37 * y + x)]);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "420, 3, 8, 1",
        "alpha, 4, 8, 1",
        "10bit, 3, 10, 1",
        "turned, 3, 8, 5",
        "gray, 1, 8, 1",
    })
    void probingReadsTheBoxes(String name, int channels, int depth, int orientation) {
        ImageInfo info = ImageDecoder.probe(MemorySegment.ofArray(file(name)));

        assertThat(info).isEqualTo(new ImageInfo(ImageFormat.AVIF, 37, 29, channels, depth, orientation));
    }

    /// Six tiles with alpha, of a picture that is a function of its coordinates.
    @Test
    void tilesMakeOnePicture() {
        assertThat(ImageDecoder.probe(MemorySegment.ofArray(file("grid"))))
                .isEqualTo(new ImageInfo(ImageFormat.AVIF, 128, 192, 4, 8, 1));
        assertThat(TestFiles.psnr(gradient(128, 192), decode("grid", opaque()))).isGreaterThan(38);
        byte[] deep = decode("grid-10bit", opaque().elements(ElementType.UINT16));
        byte[] reduced = new byte[deep.length / 2];
        for (int i = 0; i < reduced.length; i++) {
            reduced[i] = deep[2 * i + 1];
        }
        assertThat(TestFiles.psnr(gradient(128, 192), reduced)).isGreaterThan(38);
    }

    private static ImageSpec opaque() {
        return ImageSpec.original().channels(Channels.RGBA);
    }

    private static byte[] gradient(int width, int height) {
        byte[] pixels = new byte[width * height * 4];
        for (int i = 0; i < width * height; i++) {
            int x = i % width;
            pixels[4 * i] = (byte) (2 * x);
            pixels[4 * i + 1] = (byte) (i / width * 255 / 191);
            pixels[4 * i + 2] = (byte) 128;
            pixels[4 * i + 3] = (byte) (255 - x);
        }
        return pixels;
    }

    @Test
    void tilesMayReachBeyondThePicture() {
        byte[] file = file("grid");
        for (int i = 0; i + 4 < file.length; i++) {
            // the size 128 x 192, in the grids (16 bits each) and in the properties (32 bits)
            int step = file[i + 1] == (byte) 0x80 && file[i] == 0 ? 2 : 0;
            if (step == 2 && file[i + 2] == 0 && file[i + 3] == (byte) 0xC0) {
                file[i + 1] = 100;
                file[i + 3] = (byte) 131;
            } else if (step == 2 && i + 6 < file.length && file[i + 5] == (byte) 0xC0 && file[i + 2] == 0) {
                file[i + 1] = 100;
                file[i + 5] = (byte) 131;
            }
        }

        byte[] actual = JpegDecodingTest.decode(file, opaque(), JpegBackend.BEST);

        assertThat(TestFiles.psnr(gradient(100, 131), actual)).isGreaterThan(38);
    }

    @Test
    void aPictureMadeInAnotherWayIsNamed() {
        assertRefused("grid", "iovl", "the picture is of type 'iovl'");
        assertRefused("dimg", "none", "a grid of 2 x 3 tiles has 0");
    }

    private static void assertRefused(String box, String changed, String reason) {
        byte[] file = new String(file("grid"), StandardCharsets.ISO_8859_1)
                .replace(box, changed)
                .getBytes(StandardCharsets.ISO_8859_1);
        assertThatThrownBy(() -> JpegDecodingTest.decode(file, opaque(), JpegBackend.BEST))
                .isInstanceOf(DecodeException.class)
                .hasMessageContaining(reason);
    }

    @Test
    void everyTruncationIsRefused() {
        assertTruncationsAreRefused(file("alpha"));
        assertTruncationsAreRefused(file("grid"));
    }

    private static void assertTruncationsAreRefused(byte[] file) {
        for (int length = 12; length < file.length; length += 7) {
            byte[] part = Arrays.copyOf(file, length);
            assertThatThrownBy(() -> JpegDecodingTest.decode(
                            part, ImageSpec.original().channels(Channels.RGBA), JpegBackend.BEST))
                    .as("%s bytes", length)
                    .isInstanceOf(DecodeException.class);
        }
    }

    private static byte[] file(String name) {
        return TestFiles.bytes("avif/" + name + ".avif");
    }

    private static byte[] decode(String name, ImageSpec spec) {
        return JpegDecodingTest.decode(file(name), spec, JpegBackend.BEST);
    }
}
