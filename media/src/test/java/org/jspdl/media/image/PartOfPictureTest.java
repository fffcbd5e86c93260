package org.jspdl.media.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.jspdl.input.DecodeException;
import org.jspdl.media.internal.codec.DecodeMode;
import org.jspdl.media.internal.codec.Region;
import org.jspdl.media.internal.codec.TurboJpegCodec;
import org.jspdl.media.internal.header.ImageHeader;
import org.jspdl.media.internal.header.ImageHeaders;
import org.jspdl.media.internal.resample.Picture;
import org.jspdl.memory.Shape;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Codecs leave out what is not needed of a picture; nobody may notice.
class PartOfPictureTest {
    @BeforeAll
    static void requireTheLibrary() {
        Backends.requireTurboJpeg();
    }

    private static final int WIDTH = 300;
    private static final int HEIGHT = 400;
    private static final int LEFT_OVER = 255;

    /// Every filter, quality, orientation and size: the same bytes as with the lower part decoded. Damage that is
    /// kept makes the codec decode all of a picture.
    @ParameterizedTest
    @EnumSource(ChromaSampling.class)
    void whatIsSeenDoesNotChange(ChromaSampling sampling) {
        byte[] file = file(sampling);
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 100; i++) {
            ImagePlacement placement = placement(WIDTH, HEIGHT, random);
            ImageSpec spec = ImageSpec.exact(32, 24)
                    .interpolation(Interpolation.values()[random.nextInt(3)])
                    .quality(Quality.values()[random.nextInt(3)]);
            assertThat(decode(file, spec, placement))
                    .as("%s by %s", placement, spec)
                    .isEqualTo(decode(file, spec.damage(Damage.KEPT), placement));
            if (spec.decoding().quality() != Quality.FASTEST) { // for which TurboJPEG alone uses another transform
                assertThat(decode(file, spec, placement, JpegBackend.BEST))
                        .as("%s by %s in Java", placement, spec)
                        .isEqualTo(decode(file, spec.damage(Damage.KEPT), placement));
            }
        }
    }

    /// Pictures stored turned and flipped: the part that is needed is another one in the file.
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void whatIsSeenOfATurnedPictureDoesNotChange(int orientation) {
        byte[] file = turned(file(ChromaSampling.HALF_BOTH), orientation);
        int width = orientation > 4 ? HEIGHT : WIDTH;
        int height = orientation > 4 ? WIDTH : HEIGHT;
        SplittableRandom random = new SplittableRandom(8);
        ImageSpec spec = ImageSpec.exact(32, 24);
        for (int i = 0; i < 60; i++) {
            ImagePlacement placement = placement(width, height, random);
            byte[] expected = decode(file, spec.damage(Damage.KEPT), placement);
            assertThat(decode(file, spec, placement)).as("%s", placement).isEqualTo(expected);
            assertThat(decode(file, spec, placement, JpegBackend.BEST))
                    .as("%s in Java", placement)
                    .isEqualTo(expected);
        }
    }

    /// The file with an Exif segment behind its first two bytes.
    private static byte[] turned(byte[] file, int orientation) {
        byte[] exif = HexFormat.of()
                .parseHex("ffe1002245786966000049492a000800000001001201030001000000"
                        + String.format("%02x", orientation) + "00000000000000");
        byte[] turned = new byte[file.length + exif.length];
        System.arraycopy(file, 0, turned, 0, 2);
        System.arraycopy(exif, 0, turned, 2, exif.length);
        System.arraycopy(file, 2, turned, 2 + exif.length, file.length - 2);
        return turned;
    }

    private static ImagePlacement placement(int width, int height, SplittableRandom random) {
        int boxHeight = 1 + random.nextInt(height);
        int boxWidth = 1 + random.nextInt(width);
        return new ImagePlacement(
                random.nextInt(width - boxWidth + 1),
                random.nextInt(height - boxHeight + 1),
                boxWidth,
                boxHeight,
                1 + random.nextInt(64),
                1 + random.nextInt(64),
                random.nextInt(20) - 10,
                random.nextInt(20) - 10,
                32,
                24,
                random.nextBoolean());
    }

    @Test
    void theLowerPartIsNotDecoded() {
        byte[] file = file(ChromaSampling.HALF_BOTH);
        try (Arena arena = Arena.ofConfined();
                TurboJpegCodec codec = new TurboJpegCodec()) {
            MemorySegment bytes = TestFiles.toNative(file, arena);
            ImageHeader header = new ImageHeader();
            ImageHeaders.read(bytes, header);
            Picture picture = new Picture();
            codec.decode(bytes, header, 1, Region.whole(WIDTH, HEIGHT), DecodeMode.STRICT, picture);
            byte[] whole = luma(picture);
            codec.decode(bytes, header, 1, Region.whole(WIDTH, 100), DecodeMode.STRICT, picture);
            luma(picture, LEFT_OVER);
            codec.decode(bytes, header, 1, Region.whole(WIDTH, 100), DecodeMode.STRICT, picture);

            byte[] upper = luma(picture);
            assertThat(Arrays.copyOf(upper, 112 * WIDTH)).isEqualTo(Arrays.copyOf(whole, 112 * WIDTH));
            assertThat(Arrays.mismatch(upper, 112 * WIDTH, 120 * WIDTH, whole, 112 * WIDTH, 120 * WIDTH))
                    .isNotNegative();
        }
    }

    @Test
    void aFileWithoutItsEndIsStillRefused() {
        byte[] file = file(ChromaSampling.FULL);
        ImagePlacement top = ImagePlacement.of(0, 0, WIDTH, 64, 32, 24);
        ImageSpec spec = ImageSpec.exact(32, 24);
        byte[] expected = decode(file, spec, top);
        for (int missing : new int[] {1, 2, 1000, file.length / 2}) {
            byte[] part = Arrays.copyOf(file, file.length - missing);
            assertThatThrownBy(() -> decode(part, spec, top))
                    .as("%s bytes missing", missing)
                    .isInstanceOf(DecodeException.class);
        }
        assertThat(decode(file, spec, top)).isEqualTo(expected);
    }

    private static byte[] luma(Picture picture) {
        byte[] copy = new byte[WIDTH * HEIGHT];
        for (int y = 0; y < HEIGHT; y++) {
            MemorySegment.copy(
                    picture.plane(0).memory(),
                    ValueLayout.JAVA_BYTE,
                    picture.plane(0).row(y),
                    copy,
                    y * WIDTH,
                    WIDTH);
        }
        return copy;
    }

    /// Overwrites the plane.
    private static void luma(Picture picture, int value) {
        for (int y = 0; y < HEIGHT; y++) {
            picture.plane(0).memory().asSlice(picture.plane(0).row(y), WIDTH).fill((byte) value);
        }
    }

    private static byte[] decode(byte[] file, ImageSpec spec, ImagePlacement placement) {
        return decode(file, spec, placement, JpegBackend.TURBOJPEG);
    }

    private static byte[] decode(byte[] file, ImageSpec spec, ImagePlacement placement, JpegBackend backend) {
        byte[] row = new byte[32 * 24 * 3];
        try (ImageDecoder decoder = ImageDecoder.create(spec, backend)) {
            decoder.decodeInto(
                    MemorySegment.ofArray(file),
                    MemorySegment.ofArray(row),
                    new ImageTransform(placement, ColorChange.NONE));
        }
        return row;
    }

    private static byte[] file(ChromaSampling sampling) {
        byte[] rgb = new byte[WIDTH * HEIGHT * 3];
        for (int i = 0; i < rgb.length; i++) {
            int x = i / 3 % WIDTH;
            int y = i / 3 / WIDTH;
            rgb[i] = (byte) (128 + 90 * Math.sin(x / 7.0 + i % 3) * Math.cos(y / 5.0) + (x * 31 + y * 17) % 23);
        }
        return ImageEncoderTest.encode(
                ImageEncoder.jpeg(90, sampling), rgb, Shape.of(HEIGHT, WIDTH, 3), org.jspdl.memory.ElementType.UINT8);
    }
}
