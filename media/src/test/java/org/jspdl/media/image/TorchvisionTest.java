package org.jspdl.media.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Resizing, cropping, flipping and turning against what torchvision 0.14 and Pillow 9.4 make of the same files
/// (`src/test/python/references.py`).
///
/// Tolerance at exact quality: from lossless files 1 level (Pillow rounds to bytes after rows, we after columns), from
/// JPEG files 4 (chroma is enlarged in one step with the resize). At the default quality small weights are left out: 10
/// levels and 40 dB.
class TorchvisionTest {
    private static final String PNG = "png/rgb-61x47.png";
    private static final String JPEG = "jpeg/420-121x87.jpg";

    static Stream<Arguments> specs() {
        return Stream.of(
                Arguments.of(
                        "png-shorter32-crop24", PNG, ImageSpec.shorterSide(32).centerCrop(24, 24)),
                Arguments.of("png-exact20x90", PNG, ImageSpec.exact(20, 90)),
                Arguments.of(
                        "png-bicubic-exact25x33", PNG, ImageSpec.exact(25, 33).interpolation(Interpolation.BICUBIC)),
                Arguments.of(
                        "png-bicubic-exact90x70", PNG, ImageSpec.exact(90, 70).interpolation(Interpolation.BICUBIC)),
                Arguments.of("png-area-exact20x15", PNG, ImageSpec.exact(20, 15).interpolation(Interpolation.AREA)),
                Arguments.of("png-crop70", PNG, ImageSpec.original().centerCrop(70, 70)),
                Arguments.of(
                        "jpeg-shorter48-crop40", JPEG, ImageSpec.shorterSide(48).centerCrop(40, 40)),
                Arguments.of(
                        "jpeg-bicubic-shorter48-crop40",
                        JPEG,
                        ImageSpec.shorterSide(48).centerCrop(40, 40).interpolation(Interpolation.BICUBIC)));
    }

    @ParameterizedTest
    @MethodSource("specs")
    void resizingEqualsTorchvision(String reference, String file, ImageSpec spec) {
        byte[] expected = TestFiles.bytes("reference/" + reference + ".bin");

        byte[] actual = JpegDecodingTest.decode(TestFiles.bytes(file), spec, JpegBackend.BEST);
        byte[] exact = JpegDecodingTest.decode(TestFiles.bytes(file), spec.quality(Quality.EXACT), JpegBackend.BEST);

        assertThat(TestFiles.largestError(expected, actual)).isLessThanOrEqualTo(10);
        assertThat(TestFiles.largestError(expected, exact)).isLessThanOrEqualTo(file.equals(JPEG) ? 4 : 1);
        assertThat(TestFiles.psnr(expected, actual)).isGreaterThan(40);
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void aPlacementIsAResizedCrop(Layout layout) {
        assertPlaced(PNG, "png-crop-7-5-40-30-to-24x24", ImagePlacement.of(7, 5, 40, 30, 24, 24), layout, 1);
        assertPlaced(
                PNG,
                "png-crop-7-5-40-30-to-24x24-flipped",
                ImagePlacement.of(7, 5, 40, 30, 24, 24).flip(),
                layout,
                1);
        assertPlaced(JPEG, "jpeg-crop-31-11-64-57-to-32x32", ImagePlacement.of(31, 11, 64, 57, 32, 32), layout, 5);
    }

    static Stream<Arguments> colorChanges() {
        return Stream.of(
                Arguments.of("color-brightness", new ColorChange(1.3, 1, 1, 0, 0, false)),
                Arguments.of("color-contrast", new ColorChange(1, 0.6, 1, 0, 0, false)),
                Arguments.of("color-saturation", new ColorChange(1, 1, 1.7, 0, 0, false)),
                Arguments.of("color-hue", new ColorChange(1, 1, 1, -0.2, 0, false)),
                Arguments.of("color-all", new ColorChange(1.3, 0.6, 1.7, -0.2, 0, false)),
                Arguments.of("color-gray", new ColorChange(1, 1, 1, 0, 0, true)));
    }

    @ParameterizedTest
    @MethodSource("colorChanges")
    void colorsChangeAsTorchvisions(String reference, ColorChange change) {
        byte[] expected = TestFiles.bytes("reference/" + reference + ".bin");
        for (Layout layout : Layout.values()) {
            byte[] row = new byte[expected.length];
            ImageTransform transform = new ImageTransform(ImagePlacement.of(0, 0, 61, 47, 61, 47), change);
            try (ImageDecoder decoder = ImageDecoder.create(ImageSpec.original().layout(layout))) {
                decoder.decodeInto(MemorySegment.ofArray(TestFiles.bytes(PNG)), MemorySegment.ofArray(row), transform);
            }
            byte[] pixels = layout == Layout.NHWC ? row : interleaved(row);
            // a level that one change rounds away, the next ones multiply
            int tolerance = reference.equals("color-all") ? 4 : 2;
            assertThat(TestFiles.largestError(expected, pixels))
                    .as("%s, %s", reference, layout)
                    .isLessThanOrEqualTo(tolerance);
        }
    }

    static IntStream orientations() {
        return IntStream.rangeClosed(1, 8);
    }

    @ParameterizedTest
    @MethodSource("orientations")
    void imagesAreTurnedUpright(int orientation) {
        String file = "jpeg/orientation-" + orientation + ".jpg";
        byte[] expected = TestFiles.bytes("reference/orientation-" + orientation + "-exact33x21.bin");

        byte[] actual = JpegDecodingTest.decode(
                TestFiles.bytes(file), ImageSpec.exact(33, 21).quality(Quality.EXACT), JpegBackend.BEST);

        assertThat(TestFiles.largestError(expected, actual)).isLessThanOrEqualTo(6);
        assertThat(TestFiles.psnr(expected, actual)).isGreaterThan(44);
        for (Layout layout : Layout.values()) {
            assertPlaced(
                    file, "orientation-" + orientation + "-crop", ImagePlacement.of(5, 3, 20, 30, 16, 16), layout, 6);
        }
    }

    private static void assertPlaced(
            String file, String reference, ImagePlacement placement, Layout layout, int tolerance) {
        byte[] expected = TestFiles.bytes("reference/" + reference + ".bin");
        byte[] row = new byte[expected.length];
        ImageSpec spec = ImageSpec.exact(placement.width(), placement.height())
                .layout(layout)
                .quality(Quality.EXACT);
        try (ImageDecoder decoder = ImageDecoder.create(spec)) {
            decoder.decodeInto(
                    MemorySegment.ofArray(TestFiles.bytes(file)),
                    MemorySegment.ofArray(row),
                    new ImageTransform(placement, ColorChange.NONE));
        }
        byte[] pixels = layout == Layout.NHWC ? row : interleaved(row);
        assertThat(TestFiles.largestError(expected, pixels))
                .as("%s, %s", reference, layout)
                .isLessThanOrEqualTo(tolerance);
    }

    private static byte[] interleaved(byte[] planes) {
        byte[] pixels = new byte[planes.length];
        int count = planes.length / 3;
        for (int i = 0; i < count; i++) {
            for (int c = 0; c < 3; c++) {
                pixels[3 * i + c] = planes[c * count + i];
            }
        }
        return pixels;
    }
}
