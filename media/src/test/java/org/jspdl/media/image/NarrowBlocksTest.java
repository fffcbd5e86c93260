package org.jspdl.media.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.jspdl.media.internal.codec.DecodeMode;
import org.jspdl.media.internal.codec.JpegCodec;
import org.jspdl.media.internal.codec.TurboJpegCodec;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Smooth, rough and mixed pictures one after the other: whichever blocks a decoder expects, and however many turn out
/// to be others, samples are TurboJPEG's to the bit.
class NarrowBlocksTest {
    private static final int WIDTH = 333;
    private static final int HEIGHT = 287;

    @ParameterizedTest
    @EnumSource(ChromaSampling.class)
    void samplesDoNotDependOnWhatIsExpectedOfBlocks(ChromaSampling sampling) {
        Backends.requireTurboJpeg();
        SplittableRandom random = new SplittableRandom(18);
        try (JpegCodec used = new JpegCodec();
                TurboJpegCodec theirs = new TurboJpegCodec()) {
            for (int rough : new int[] {0, 1, 100, 0, 10, 0, 50, 3, 0, 20, 100, 100, 1}) {
                byte[] file = file(rough, 50 + random.nextInt(50), sampling, random);
                for (int reduce : new int[] {1, 2, 1, 8, 4}) {
                    JpegPlanes expected = JpegPlanes.of(theirs, file, reduce, DecodeMode.STRICT);
                    String difference =
                            JpegPlanes.of(used, file, reduce, DecodeMode.STRICT).difference(expected);
                    assertThat(difference)
                            .as("%s %% rough, at 1/%s", rough, reduce)
                            .isEmpty();
                }
            }
        }
    }

    /// A smooth picture, and noise in some of 16 x 16 pixels.
    private static byte[] file(int roughPercent, int quality, ChromaSampling sampling, SplittableRandom random) {
        boolean[] rough = new boolean[(WIDTH / 16 + 1) * (HEIGHT / 16 + 1)];
        for (int i = 0; i < rough.length; i++) {
            rough[i] = random.nextInt(100) < roughPercent;
        }
        byte[] pixels = new byte[3 * WIDTH * HEIGHT];
        for (int i = 0; i < pixels.length; i++) {
            int x = i / 3 % WIDTH;
            int y = i / 3 / WIDTH;
            int smooth = 128 + (int) (100 * Math.sin(x / 90.0 + i % 3) * Math.cos(y / 70.0));
            pixels[i] = (byte) (rough[y / 16 * (WIDTH / 16 + 1) + x / 16] ? random.nextInt(256) : smooth);
        }
        return ImageEncoderTest.encode(
                ImageEncoder.jpeg(quality, sampling), pixels, Shape.of(HEIGHT, WIDTH, 3), ElementType.UINT8);
    }
}
