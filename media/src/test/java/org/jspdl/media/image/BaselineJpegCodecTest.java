package org.jspdl.media.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.jspdl.media.internal.resample.Picture;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The decoder in Java, against TurboJPEG.
class BaselineJpegCodecTest {
    private static final Supplier<Codec> NONE = () -> {
        throw new IllegalStateException("declined");
    };

    /// Sizes around those of blocks and units, every sampling, coarse and fine quantisation: the same samples to the bit.
    @ParameterizedTest
    @EnumSource(ChromaSampling.class)
    void planesAreThoseOfTurboJpeg(ChromaSampling sampling) {
        SplittableRandom random = new SplittableRandom(3);
        for (int i = 0; i < 60; i++) {
            int width = 1 + random.nextInt(i < 30 ? 40 : 300);
            int height = 1 + random.nextInt(i < 30 ? 40 : 300);
            byte[] file = file(width, height, 1 + random.nextInt(100), sampling, random);
            byte[] ours = planes(new BaselineJpegCodec(NONE), file, Region.whole(width, height));
            byte[] theirs = planes(new TurboJpegCodec(), file, Region.whole(width, height));
            assertThat(Arrays.mismatch(ours, theirs)).as("%s x %s", width, height).isEqualTo(-1);
        }
    }

    static byte[] file(int width, int height, int quality, ChromaSampling sampling, SplittableRandom random) {
        byte[] rgb = new byte[width * height * 3];
        int noise = 1 + random.nextInt(100);
        double period = 2 + random.nextInt(20);
        for (int i = 0; i < rgb.length; i++) {
            int x = i / 3 % width;
            int y = i / 3 / width;
            rgb[i] = (byte) Math.clamp(
                    (long) (128 + 120 * Math.sin(x / period + i % 3) * Math.cos(y / 5.0) + random.nextInt(noise)), 0, 255);
        }
        return ImageEncoderTest.encode(
                ImageEncoder.jpeg(quality, sampling), rgb, Shape.of(height, width, 3), ElementType.UINT8);
    }

    /// The planes, one after the other.
    private static byte[] planes(Codec codec, byte[] file, Region part) {
        try (Arena arena = Arena.ofConfined();
                codec) {
            MemorySegment bytes = TestFiles.toNative(file, arena);
            Header header = new Header();
            Headers.read(bytes, header);
            Picture picture = new Picture();
            codec.decode(bytes, header, 1, part, ImageSpec.original(), picture);
            ByteArrayOutputStream planes = new ByteArrayOutputStream();
            for (int p = 0; p < picture.model().planes(); p++) {
                Picture.Plane plane = picture.plane(p);
                byte[] samples = new byte[plane.width() * plane.height()];
                for (int y = 0; y < plane.height(); y++) {
                    MemorySegment.copy(
                            plane.memory(), ValueLayout.JAVA_BYTE, plane.row(y), samples, y * plane.width(), plane.width());
                }
                planes.writeBytes(samples);
            }
            return planes.toByteArray();
        }
    }
}
