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
import org.jspdl.testing.Programs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// HEIC files that libheif made, and one that is put together of its pictures, against what libheif makes of them
/// (`src/test/python/heic.py`).
class HeicTest {
    private static final ImageSpec RGB = ImageSpec.original();
    private static final ImageSpec RGBA = RGB.channels(Channels.RGBA);

    @ParameterizedTest
    @CsvSource({"lossless, RGB, 1", "709, RGB, 1", "alpha, RGBA, 1", "gray, RGB, 0", "grid, RGB, 4"})
    void picturesAreThoseOfLibheif(String name, Channels channels, int levels) {
        byte[] expected = TestFiles.bytes("reference/heic-" + name + ".bin");

        byte[] actual = decode(name, RGB.channels(channels));

        assertThat(TestFiles.largestError(expected, actual)).isLessThanOrEqualTo(levels);
    }

    @Test
    void tenBitsAreKept() {
        byte[] expected = TestFiles.bytes("reference/rgb16.bin");

        byte[] actual = decode("10bit", RGB.elements(ElementType.UINT16));

        assertThat(actual).hasSameSizeAs(expected);
        double sum = 0;
        for (int i = 0; i < expected.length; i += 2) {
            double difference = (word(expected, i) - word(actual, i)) / 65_535.0;
            sum += difference * difference;
        }
        assertThat(-10 * Math.log10(sum / (expected.length / 2.0))).isGreaterThan(45);
    }

    private static int word(byte[] bytes, int at) {
        return (bytes[at] & 0xFF) | (bytes[at + 1] & 0xFF) << 8;
    }

    @ParameterizedTest
    @CsvSource({
        "lossless, 37, 29, 3, 8, 1",
        "alpha, 37, 29, 4, 8, 1",
        "gray, 37, 29, 1, 8, 1",
        "10bit, 37, 29, 3, 10, 1",
        "grid, 100, 61, 3, 8, 5",
    })
    void probingReadsTheBoxes(String name, int width, int height, int channels, int depth, int orientation) {
        assertThat(ImageDecoder.probe(MemorySegment.ofArray(file(name))))
                .isEqualTo(new ImageInfo(ImageFormat.HEIC, width, height, channels, depth, orientation));
    }

    @ParameterizedTest
    @CsvSource({
        "grid, iovl, HEIC: the picture is of type 'iovl'; only 'hvc1' (HEVC) and 'grid' (tiles of it) are supported",
        "dimg, none, HEIC: a grid of 3 x 2 tiles has 0",
        "hvcC, av1C, HEIC: 3 x 2 tiles of 64 x 64 coded pixels do not make a picture of 180 x 120",
    })
    void whatIsMadeInAnotherWayIsNamed(String box, String changed, String reason) {
        byte[] file = new String(file("grid"), StandardCharsets.ISO_8859_1)
                .replace(box, changed)
                .getBytes(StandardCharsets.ISO_8859_1);

        assertRefused(file, reason);
    }

    @ParameterizedTest
    @CsvSource({"3, 0", "11, 62", "3, 200", "7, 0"})
    void anApertureThatIsNotOfWholePixelsWithinThePictureIsRefused(int at, int value) {
        byte[] file = file("grid");
        file[indexOf(file, "clap") + 4 + at] = (byte) value;

        assertRefused(file, "HEIC: its clean aperture ");
    }

    @Test
    void aUnitThatIsLongerThanThePictureIsRefused() {
        byte[] file = file("gray");
        file[indexOf(file, "mdat") + 4] = 1;

        assertRefused(file, "HEIC: a unit of 16,778,009 bytes begins 793 bytes before the end");
    }

    /// What is decoded counts, however little of it is shown.
    @Test
    void theLimitOfPixelsHoldsForWhatIsDecoded() {
        assertThatThrownBy(() -> decode("grid", RGB.maxPixels(100 * 61)))
                .isInstanceOf(DecodeException.class)
                .hasMessageContaining("the limit");
        byte[] file = file("grid");
        int size = indexOf(file, "ispe") + 8;
        file[size] = 0x70; // tiles of 1.8 billion columns
        assertRefused(file, "HEIC");
    }

    @Test
    void aPictureWithoutSlicesIsRefused() {
        byte[] file = file("gray");
        int unit = indexOf(file, "mdat") + 8;
        file[unit] = 63 << 1; // a unit of an unspecified type

        assertRefused(file, "HEIC of ");
    }

    /// FFmpeg's decoder does not tell, and shows what lay in the memory.
    @Test
    void aPictureThatLacksASliceIsRefusedOrGray() {
        byte[] stream = Programs.run("ffmpeg -v error -f lavfi -i testsrc2=size=96x64 -frames:v 1 -c:v libx265"
                + " -x265-params log-level=none:slices=2:ctu=16 -pix_fmt yuv420p -f hevc -");
        byte[] whole = HeicFile.of(stream, 96, 64, 96, 64, 1, 8);
        byte[] first = HeicFile.of(Arrays.copyOf(stream, lastUnit(stream)), 96, 64, 96, 64, 1, 8);
        assertThat(decode(whole, RGBA)).hasSize(96 * 64 * 4);

        assertRefused(first, "a part of the picture is missing, from column 0, row 32 on");
        byte[] kept = decode(first, RGBA.damage(Damage.KEPT));
        for (int i = 4 * 96 * 40; i < kept.length; i += 4) {
            assertThat(kept[i] & 0xFF).isEqualTo(kept[i + 1] & 0xFF).isEqualTo(kept[i + 2] & 0xFF);
        }
    }

    private static int lastUnit(byte[] stream) {
        int at = stream.length - 3;
        while (stream[at] != 0 || stream[at + 1] != 0 || stream[at + 2] != 1) {
            at--;
        }
        return stream[at - 1] == 0 ? at - 1 : at;
    }

    @Test
    void everyTruncationIsRefused() {
        for (String name : new String[] {"alpha", "grid"}) {
            byte[] file = file(name);
            for (int length = 12; length < file.length; length += 37) {
                assertRefused(Arrays.copyOf(file, length), "");
            }
        }
    }

    private static void assertRefused(byte[] file, String reason) {
        assertThatThrownBy(() -> decode(file, RGBA))
                .isInstanceOf(DecodeException.class)
                .hasMessageContaining(reason);
    }

    private static int indexOf(byte[] file, String text) {
        return new String(file, StandardCharsets.ISO_8859_1).indexOf(text);
    }

    private static byte[] file(String name) {
        return TestFiles.bytes("heic/" + name + ".heic");
    }

    private static byte[] decode(String name, ImageSpec spec) {
        return decode(file(name), spec);
    }

    private static byte[] decode(byte[] file, ImageSpec spec) {
        return JpegDecodingTest.decode(file, spec, JpegBackend.BEST);
    }
}
