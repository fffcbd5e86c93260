package org.jspdl.media.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspdl.memory.ElementType;
import org.jspdl.testing.Programs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// HEIF pictures with alpha of every depth and range, whose colors were multiplied with it or not. (AVIF files go the
/// same way.)
class HeifAlphaTest {
    private static final int SIZE = 32;

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({
        "8, true, false", "8, false, false", "8, true, true", "8, false, true",
        "10, true, false", "10, false, false", "10, true, true", "10, false, true",
        "12, true, false", "12, false, true"
    })
    void colorsAreThoseBeforeAlpha(int depth, boolean full, boolean premultiplied) throws IOException {
        int most = (1 << depth) - 1;
        double[] shown = new double[SIZE * SIZE];
        int[] stored = new int[SIZE * SIZE];
        int[] alpha = new int[SIZE * SIZE];
        for (int i = 0; i < stored.length; i++) {
            alpha[i] = most * (i % SIZE + 1) / SIZE;
            int line = i / SIZE;
            double color = line / (SIZE - 1.0);
            double kept = premultiplied ? color * alpha[i] / most : color;
            stored[i] = (int) Math.round(full ? kept * most : (16 + 219 * kept) * (1 << (depth - 8)));
            double read = full ? stored[i] / (double) most : (stored[i] / (double) (1 << (depth - 8)) - 16) / 219;
            shown[i] = premultiplied ? Math.min(1, read * most / alpha[i]) : read;
        }
        byte[] file = HeicFile.withAlpha(
                coded(stored, depth, full), coded(alpha, depth, true), SIZE, SIZE, depth, depth, premultiplied);

        for (boolean deep : new boolean[] {false, true}) {
            for (Channels channels : new Channels[] {Channels.RGB, Channels.RGBA, Channels.GRAY}) {
                double[] pixels = decode(file, channels, deep);
                int count = channels.count();
                for (int i = 0; i < shown.length; i++) {
                    // a level of 255 each for the color and for alpha
                    double tolerance =
                            deep && depth > 8 ? 0.003 : premultiplied ? 2.0 * most / alpha[i] / 255 + 0.004 : 0.006;
                    assertThat(pixels[i * count])
                            .as("%s of pixel %d, alpha %d of %d, deep %s", channels, i, alpha[i], most, deep)
                            .isCloseTo(shown[i], org.assertj.core.api.Assertions.within(tolerance));
                    if (channels == Channels.RGBA) {
                        assertThat(pixels[i * 4 + 3])
                                .isCloseTo(alpha[i] / (double) most, org.assertj.core.api.Assertions.within(0.004));
                    }
                }
            }
        }
    }

    /// Over a color, what was multiplied counts once.
    @Test
    void overAColorProductsAreAddedToIt() throws IOException {
        int[] stored = new int[SIZE * SIZE];
        int[] alpha = new int[SIZE * SIZE];
        for (int i = 0; i < stored.length; i++) {
            alpha[i] = 255 * (i % SIZE + 1) / SIZE;
            stored[i] = alpha[i] * (i / SIZE) / SIZE;
        }
        byte[] file = HeicFile.withAlpha(coded(stored, 8, true), coded(alpha, 8, true), SIZE, SIZE, 8, 8, true);
        byte[] pixels = decodeBytes(file, ImageSpec.original().background(255, 255, 255));
        for (int i = 0; i < stored.length; i++) {
            assertThat(pixels[3 * i] & 0xFF)
                    .as("pixel %d", i)
                    .isBetween(stored[i] + 255 - alpha[i] - 1, stored[i] + 255 - alpha[i] + 1);
        }
    }

    private byte[] coded(int[] samples, int depth, boolean full) throws IOException {
        String format = depth == 8 ? "gray" : "gray" + depth + "le";
        ByteBuffer bytes =
                ByteBuffer.allocate(samples.length * (depth == 8 ? 1 : 2)).order(ByteOrder.LITTLE_ENDIAN);
        for (int sample : samples) {
            if (depth == 8) {
                bytes.put((byte) sample);
            } else {
                bytes.putShort((short) sample);
            }
        }
        Path raw = Files.write(folder.resolve("raw"), bytes.array());
        Path file = folder.resolve("coded.hevc");
        Programs.run("ffmpeg -v error -y -f rawvideo -pix_fmt " + format + " -s " + SIZE + "x" + SIZE + " -i " + raw
                + " -frames:v 1 -c:v libx265 -x265-params log-level=none:lossless=1:ctu=16:min-cu-size=8 -pix_fmt "
                + format + " -color_range " + (full ? "pc" : "tv") + " " + file);
        return Files.readAllBytes(file);
    }

    private static double[] decode(byte[] file, Channels channels, boolean deep) {
        ImageSpec spec = ImageSpec.original().channels(channels);
        byte[] bytes = decodeBytes(file, deep ? spec.elements(ElementType.UINT16) : spec);
        double[] values = new double[bytes.length / (deep ? 2 : 1)];
        for (int i = 0; i < values.length; i++) {
            values[i] = deep
                    ? ((bytes[2 * i] & 0xFF) | (bytes[2 * i + 1] & 0xFF) << 8) / 65_535.0
                    : (bytes[i] & 0xFF) / 255.0;
        }
        return values;
    }

    private static byte[] decodeBytes(byte[] file, ImageSpec spec) {
        try (Arena arena = Arena.ofConfined();
                ImageDecoder decoder = ImageDecoder.create(spec)) {
            MemorySegment row = arena.allocate((long) SIZE
                    * SIZE
                    * spec.channels().count()
                    * spec.elements().byteSize());
            decoder.decodeInto(MemorySegment.ofArray(file), row);
            return row.toArray(ValueLayout.JAVA_BYTE);
        }
    }
}
