package org.jspdl.media.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.assertj.core.data.Offset;
import org.jspdl.memory.ElementType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Alpha kept, dropped, or put over a color, against what Pillow makes of the same pictures
/// (`src/test/python/deep_and_alpha.py`).
class AlphaTest {
    private static final ImageSpec RGBA = ImageSpec.original().channels(Channels.RGBA);

    @ParameterizedTest
    @CsvSource({
        "png/rgba-37x29.png, rgba",
        "webp/rgba-37x29.webp, rgba",
        "png/palette-alpha-37x29.png, palette-alpha",
    })
    void alphaIsKeptOnRequest(String file, String reference) {
        assertThat(decode(file, RGBA)).isEqualTo(TestFiles.bytes("reference/" + reference + ".bin"));
    }

    /// What Pillow writes into an animation has no colors where nothing is seen.
    @Test
    void theFirstPictureOfAnAnimationCounts() {
        byte[] expected = TestFiles.bytes("reference/rgba.bin");
        byte[] actual = decode("webp/animated-37x29.webp", RGBA);

        for (int i = 0; i < expected.length; i++) {
            if (expected[i | 3] != 0) {
                assertThat(actual[i]).as("byte %s", i).isEqualTo(expected[i]);
            }
        }
    }

    @Test
    void planesAndFloatsKeepItToo() {
        byte[] pixels = TestFiles.bytes("reference/rgba.bin");
        byte[] planes = decode("png/rgba-37x29.png", RGBA.layout(Layout.NCHW));
        float[] floats = TestFiles.floats(decode(
                "png/rgba-37x29.png", RGBA.elements(ElementType.FLOAT32).normalization(Normalization.imageNet())));

        int count = pixels.length / 4;
        for (int i = 0; i < count; i++) {
            for (int c = 0; c < 4; c++) {
                assertThat(planes[c * count + i]).isEqualTo(pixels[4 * i + c]);
            }
            assertThat(floats[4 * i + 3]).isCloseTo((pixels[4 * i + 3] & 0xFF) / 255f, Offset.offset(1e-6f));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jpeg/420-121x87.jpg", "png/rgb-61x47.png", "png/gray-61x47.png"})
    void imagesWithoutItAreOpaque(String file) {
        byte[] plain = decode(file, ImageSpec.original());
        byte[] rgba = decode(file, RGBA);

        for (int i = 0; i < rgba.length / 4; i++) {
            assertThat(rgba[4 * i + 3]).isEqualTo((byte) 255);
            assertThat(Arrays.copyOfRange(rgba, 4 * i, 4 * i + 3))
                    .isEqualTo(Arrays.copyOfRange(plain, 3 * i, 3 * i + 3));
        }
    }

    /// Colors of pixels that can hardly be seen don't count.
    @Test
    void colorsBehindNothingDoNotBleedWhenResized() {
        byte[] expected = TestFiles.bytes("reference/rgba-exact16x12.bin");

        byte[] actual = decode(
                "png/rgba-37x29.png",
                ImageSpec.exact(16, 12).channels(Channels.RGBA).quality(Quality.EXACT));

        for (int i = 0; i < expected.length; i++) {
            int alpha = expected[i | 3] & 0xFF;
            // Pillow rounds colors to a byte while they are multiplied with the alpha
            int tolerance = i % 4 == 3 ? 1 : 2 + 255 * 2 / Math.max(1, alpha);
            assertThat(actual[i] & 0xFF).as("byte %s", i).isCloseTo(expected[i] & 0xFF, within(tolerance));
        }
    }

    private static Offset<Integer> within(int tolerance) {
        return Offset.offset(tolerance);
    }

    @Test
    void imagesArePutOverAColor() {
        ImageSpec whole = ImageSpec.original().background(200, 30, 90);
        ImageSpec small = ImageSpec.exact(16, 12).background(200, 30, 90).quality(Quality.EXACT);

        assertThat(TestFiles.largestError(
                        TestFiles.bytes("reference/rgba-composed.bin"), decode("png/rgba-37x29.png", whole)))
                .isLessThanOrEqualTo(1);
        assertThat(TestFiles.largestError(
                        TestFiles.bytes("reference/rgba-composed-exact16x12.bin"),
                        decode("webp/rgba-37x29.webp", small)))
                .isLessThanOrEqualTo(2);
        byte[] opaque = decode("png/rgba-37x29.png", whole.channels(Channels.RGBA));
        assertThat(opaque[3]).isEqualTo((byte) 255);
    }

    @Test
    void aGrayImageWithAlphaIsPutOverAColor() {
        byte[] white = decode(
                "png/gray-alpha-61x47.png",
                ImageSpec.original().channels(Channels.GRAY).background(255, 255, 255));
        byte[] rgba = decode("png/gray-alpha-61x47.png", RGBA);

        for (int i = 0; i < white.length; i++) {
            double alpha = (rgba[4 * i + 3] & 0xFF) / 255.0;
            assertThat(white[i] & 0xFF)
                    .isCloseTo((int) Math.round((rgba[4 * i] & 0xFF) * alpha + 255 * (1 - alpha)), within(2));
        }
    }

    private static byte[] decode(String file, ImageSpec spec) {
        return JpegDecodingTest.decode(TestFiles.bytes(file), spec, JpegBackend.BEST);
    }
}
