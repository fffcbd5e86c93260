package org.jspdl.media.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspdl.input.DecodeException;
import org.jspdl.memory.ElementType;
import org.jspdl.testing.Programs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Pictures of any size, written by the program `ffmpeg` in arrangements that the writers of the JDK don't have.
/// Formats without loss have to give back the noise that went in; WebP and AVIF with loss, of smooth pictures, the
/// colors that the program reads from its own file.
///
/// A search with a seed: 12 files in every build, 2,000 with `-Pcampaign`, or `-Djspdl.grid.files=N`.
class FfmpegGridTest {
    private static final int[] USUAL = {95, 96, 97, 127, 128, 129, 223, 224, 225, 255, 256, 257};
    private static final String CAREFUL = "flags=bilinear+accurate_rnd+full_chroma_int+full_chroma_inp";
    private static final String AV1 = "-c:v libaom-av1 -still-picture 1 -cpu-used 8 -crf 5";
    private static final String X265 = "-c:v libx265 -x265-params log-level=none:lossless=1:ctu=16:min-cu-size=8";
    /// The encoder takes no smaller pictures.
    private static final int LEAST_X265 = 16;

    private static final double UNIT = 257;

    /// One way to write a picture.
    ///
    /// @param pixels  the pixels of the file, which go in as they are
    /// @param options for the writer
    /// @param most    by how many levels of 255 a sample may differ
    private record Way(String format, String pixels, String options, double most) {
        boolean isLossless() {
            return !pixels.contains("yuv") && !saysItsRange();
        }

        boolean saysItsRange() {
            return format.equals("avif") || isHeic();
        }

        /// Whether the stream that the program writes is put into a HEIC file.
        boolean isHeic() {
            return format.equals("hevc");
        }

        int depth() {
            return pixels.contains("12") ? 12 : pixels.contains("10") ? 10 : 8;
        }

        boolean hasAlphaPlane() {
            return pixels.startsWith("yuva");
        }
    }

    private static final List<Way> WAYS = List.of(
            new Way("png", "rgb48be", "", 0),
            new Way("png", "rgba64be", "", 0),
            new Way("png", "gray16be", "", 0),
            new Way("png", "ya16be", "", 0),
            new Way("png", "ya8", "", 0),
            new Way("png", "rgba", "", 0),
            new Way("tiff", "rgb48le", "-compression_algo lzw", 0),
            new Way("tiff", "rgba64le", "-compression_algo deflate", 0),
            new Way("tiff", "gray16le", "-compression_algo packbits", 0),
            new Way("tiff", "rgba", "-compression_algo raw", 0),
            // rounded down, as by Pillow
            new Way("bmp", "rgb565le", "", 0.99),
            new Way("bmp", "rgb555le", "", 0.99),
            new Way("webp", "bgra", "-c:v libwebp -lossless 1", 0),
            new Way("webp", "yuv420p", "-c:v libwebp -quality 95", 5),
            new Way("webp", "yuva420p", "-c:v libwebp -quality 95", 5),
            new Way("avif", "yuv444p", AV1, 2),
            new Way("avif", "yuv422p", AV1, 5),
            new Way("avif", "yuv420p", AV1, 5),
            new Way("avif", "yuv420p10le", AV1, 5),
            new Way("avif", "yuv444p12le", AV1, 2),
            new Way("avif", "gray", AV1, 1),
            new Way("avif", "gray10le", AV1, 1),
            new Way("hevc", "yuv444p", X265, 2),
            new Way("hevc", "yuv422p", X265, 5),
            new Way("hevc", "yuv420p", X265, 5),
            new Way("hevc", "yuv420p10le", X265, 5),
            new Way("hevc", "yuv444p12le", X265, 2),
            new Way("hevc", "gray", X265, 1),
            new Way("hevc", "gray10le", X265, 1));

    @TempDir
    Path folder;

    @Test
    void everyArrangementHasTheColorsThatWentIn() throws IOException {
        long seed = Long.getLong("jspdl.campaign.seed", 20_261_122);
        int files = Integer.getInteger("jspdl.grid.files", Boolean.getBoolean("campaign") ? 2_000 : 12);
        SplittableRandom random = new SplittableRandom(seed);
        List<String> wrong = new ArrayList<>();
        for (int i = 0; i < files; i++) {
            Way way = files < WAYS.size() ? WAYS.get(random.nextInt(WAYS.size())) : WAYS.get(i % WAYS.size());
            String what = "file " + i + ", ";
            check(way, length(random), length(random), random).ifPresent(found -> wrong.add(what + found));
        }
        assertThat(wrong).as("seed %d", seed).isEmpty();
    }

    private static int length(SplittableRandom random) {
        return random.nextInt(6) == 0 ? USUAL[random.nextInt(USUAL.length)] : 1 + random.nextInt(64);
    }

    private Optional<String> check(Way way, int shownWidth, int shownHeight, SplittableRandom random)
            throws IOException {
        // of HEIC, a part of the picture is shown
        int width = way.isHeic() ? Math.max(LEAST_X265, (shownWidth + 1) & -2) : shownWidth;
        int height = way.isHeic() ? Math.max(LEAST_X265, (shownHeight + 1) & -2) : shownHeight;
        byte[] pixels = way.isLossless() ? noise(way, width * height, random) : smooth(way, width, height, random);
        Path raw = Files.write(folder.resolve("raw"), pixels);
        Path file = folder.resolve("grid." + way.format);
        boolean full = way.saysItsRange() && random.nextBoolean();
        Programs.run(
                "ffmpeg -v error -y -f rawvideo -pix_fmt " + way.pixels + " -s " + width + "x" + height + " -i " + raw
                        + " -frames:v 1 " + way.options + " -pix_fmt " + way.pixels
                        + (way.isLossless() ? "" : " -color_range " + (full ? "pc" : "tv") + " -colorspace bt470bg")
                        + " " + file);
        byte[] bytes = Files.readAllBytes(file);
        double[] expected = way.isLossless() ? rgba(way, pixels, width * height) : shown(way, file, full, pixels);
        if (way.isHeic()) {
            int chroma = way.pixels.startsWith("gray")
                    ? 0
                    : way.pixels.contains("420") ? 1 : way.pixels.contains("422") ? 2 : 3;
            bytes = HeicFile.of(bytes, width, height, shownWidth, shownHeight, chroma, way.depth());
            expected = part(expected, width, shownWidth, shownHeight);
        }
        Layout layout = random.nextBoolean() ? Layout.NCHW : Layout.NHWC;
        String name = way + " of " + shownWidth + " x " + shownHeight + (full ? ", full range, " : ", ") + layout;
        double[] actual;
        try {
            actual = decode(bytes, shownWidth * shownHeight, layout);
        } catch (DecodeException refused) {
            return Optional.of(name + ": " + refused.getMessage());
        }
        double worst = 0;
        int at = 0;
        for (int i = 0; i < expected.length; i++) {
            double difference = Math.abs(expected[i] - actual[i]);
            if (difference > worst) {
                worst = difference;
                at = i;
            }
        }
        return worst <= way.most + 1e-9
                ? Optional.empty()
                : Optional.of(String.format(
                        "%s: channel %d of pixel %d,%d is %.2f and not %.2f",
                        name, at % 4, at / 4 % shownWidth, at / 4 / shownWidth, actual[at], expected[at]));
    }

    /// The first pixels of the first rows.
    private static double[] part(double[] pixels, int width, int shownWidth, int shownHeight) {
        double[] part = new double[4 * shownWidth * shownHeight];
        for (int y = 0; y < shownHeight; y++) {
            System.arraycopy(pixels, 4 * y * width, part, 4 * y * shownWidth, 4 * shownWidth);
        }
        return part;
    }

    private static int stored(Way way) {
        return switch (way.pixels) {
            case "rgba64be", "rgba64le" -> 8;
            case "rgb48be", "rgb48le" -> 6;
            case "ya16be", "rgba", "bgra" -> 4;
            default -> 2;
        };
    }

    private static byte[] noise(Way way, int count, SplittableRandom random) {
        byte[] bytes = new byte[count * stored(way)];
        random.nextBytes(bytes);
        if (way.format.equals("webp")) {
            for (int i = 3; i < bytes.length; i += 4) {
                bytes[i] |= 1; // the colors of transparent pixels are not kept
            }
        }
        return bytes;
    }

    /// Planes whose samples change by up to two from one to the next.
    private static byte[] smooth(Way way, int width, int height, SplittableRandom random) {
        int depth = way.depth();
        int across = way.pixels.contains("444") || way.pixels.startsWith("gray") ? 1 : 2;
        int down = way.pixels.contains("420") ? 2 : 1;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int p = 0; p < (way.pixels.startsWith("gray") ? 1 : 3); p++) {
            int planeWidth = p == 0 ? width : (width + across - 1) / across;
            int planeHeight = p == 0 ? height : (height + down - 1) / down;
            double first = p == 0 ? 60 + random.nextInt(120) : 108 + random.nextInt(40);
            double right = (random.nextDouble() - 0.5) * Math.min(2, 30.0 / planeWidth);
            double below = (random.nextDouble() - 0.5) * Math.min(2, 30.0 / planeHeight);
            for (int i = 0; i < planeWidth * planeHeight; i++) {
                int row = i / planeWidth;
                int value = (int) ((first + i % planeWidth * right + row * below) * (1 << (depth - 8)));
                bytes.write(value);
                if (depth > 8) {
                    bytes.write(value >> 8);
                }
            }
        }
        if (way.hasAlphaPlane()) {
            for (int i = 0; i < width * height; i++) {
                bytes.write(1 + random.nextInt(255)); // the colors of transparent pixels are not kept
            }
        }
        return bytes.toByteArray();
    }

    /// Red, green, blue and alpha of what goes in, in the range of 8 bits.
    private static double[] rgba(Way way, byte[] bytes, int count) {
        double[] values = new double[4 * count];
        int step = stored(way);
        for (int i = 0; i < count; i++) {
            int at = i * step;
            double[] color = switch (way.pixels) {
                case "rgba" -> new double[] {u8(bytes, at), u8(bytes, at + 1), u8(bytes, at + 2), u8(bytes, at + 3)};
                case "bgra" -> new double[] {u8(bytes, at + 2), u8(bytes, at + 1), u8(bytes, at), u8(bytes, at + 3)};
                case "ya8" -> new double[] {u8(bytes, at), u8(bytes, at), u8(bytes, at), u8(bytes, at + 1)};
                case "rgb565le" -> packed(u16(bytes, at, false), 6);
                case "rgb555le" -> packed(u16(bytes, at, false), 5);
                default -> deep(way, bytes, at);
            };
            System.arraycopy(color, 0, values, 4 * i, 4);
        }
        return values;
    }

    private static double[] packed(int value, int greens) {
        double red = value >> (5 + greens) & 31;
        double green = value >> 5 & (1 << greens) - 1;
        return new double[] {red * 255 / 31, green * 255 / ((1 << greens) - 1), (value & 31) * 255.0 / 31, 255};
    }

    private static double[] deep(Way way, byte[] bytes, int at) {
        boolean big = way.pixels.endsWith("be");
        boolean gray = way.pixels.startsWith("gray") || way.pixels.startsWith("ya");
        double[] color = new double[4];
        for (int c = 0; c < 3; c++) {
            color[c] = u16(bytes, gray ? at : at + 2 * c, big) / UNIT;
        }
        int alpha = way.pixels.startsWith("ya") ? 2 : way.pixels.startsWith("rgba") ? 6 : -1;
        color[3] = alpha < 0 ? 255 : u16(bytes, at + alpha, big) / UNIT;
        return color;
    }

    private static int u8(byte[] bytes, int at) {
        return bytes[at] & 0xFF;
    }

    private static int u16(byte[] bytes, int at, boolean big) {
        return big ? u8(bytes, at) << 8 | u8(bytes, at + 1) : u8(bytes, at + 1) << 8 | u8(bytes, at);
    }

    /// The colors that the program reads, and the alpha that went in.
    private static double[] shown(Way way, Path file, boolean full, byte[] pixels) {
        if (way.pixels.startsWith("gray")) {
            return gray(way, Programs.run("ffmpeg -v error -i " + file + " -frames:v 1 -f rawvideo -"), full);
        }
        byte[] rgb = Programs.run("ffmpeg -v error -i " + file + " -vf scale=" + CAREFUL
                + ":in_color_matrix=bt601:in_range=" + (full ? "full" : "limited")
                + " -frames:v 1 -pix_fmt rgb24 -f rawvideo -");
        double[] values = new double[rgb.length / 3 * 4];
        for (int i = 0; i < rgb.length / 3; i++) {
            for (int c = 0; c < 3; c++) {
                values[4 * i + c] = u8(rgb, 3 * i + c);
            }
            int alpha = pixels.length - rgb.length / 3 + i;
            values[4 * i + 3] = way.hasAlphaPlane() ? u8(pixels, alpha) : 255;
        }
        return values;
    }

    /// The formula of ITU-T H.273; the program takes gray to have the full range, whatever it is told.
    private static double[] gray(Way way, byte[] stored, boolean full) {
        int step = way.pixels.equals("gray") ? 1 : 2;
        double unit = step == 1 ? 1 : 4;
        double[] values = new double[stored.length / step * 4];
        for (int i = 0; i < stored.length / step; i++) {
            int value = step == 1 ? u8(stored, i) : u16(stored, 2 * i, false);
            double level = full ? value * 255 / (256 * unit - 1) : (value / unit - 16) * 255 / 219;
            for (int c = 0; c < 4; c++) {
                values[4 * i + c] = c == 3 ? 255 : Math.clamp(level, 0, 255);
            }
        }
        return values;
    }

    /// Red, green, blue and alpha in the range of 8 bits.
    private static double[] decode(byte[] file, int count, Layout layout) {
        ImageSpec spec = ImageSpec.original()
                .channels(Channels.RGBA)
                .elements(ElementType.UINT16)
                .layout(layout);
        try (Arena arena = Arena.ofConfined();
                ImageDecoder decoder = ImageDecoder.create(spec)) {
            GuardedRow row = new GuardedRow(8L * count, arena);
            decoder.decodeInto(TestFiles.toNative(file, arena), row.segment());
            row.check();
            MemorySegment samples = row.segment();
            double[] values = new double[4 * count];
            for (int i = 0; i < values.length; i++) {
                int at = layout == Layout.NHWC ? i : i % 4 * count + i / 4;
                values[i] = samples.get(ValueLayout.JAVA_CHAR_UNALIGNED, 2L * at) / UNIT;
            }
            return values;
        }
    }
}
