package org.jspdl.media.video;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspdl.input.MediaException;
import org.jspdl.media.image.ImageSpec;
import org.jspdl.media.image.Interpolation;
import org.jspdl.media.image.Layout;
import org.jspdl.media.image.Quality;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Tensor;
import org.jspdl.testing.Programs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Files in every pixel format, size, range and matrix against `ffmpeg`: its own conversion to RGB, told range and
/// matrix in words.
///
/// A search with a seed: 12 files in every build, 3,000 with `-Pcampaign`, or `-Djspdl.grid.files=N`.
class VideoGridTest {
    /// Formats that FFV1 or raw video keep.
    private static final List<String> FORMATS = List.of(
            "yuv420p",
            "yuv422p",
            "yuv444p",
            "yuv440p",
            "yuv411p",
            "yuv410p",
            "yuv420p10le",
            "yuv422p10le",
            "yuv444p10le",
            "yuv420p12le",
            "yuv422p12le",
            "yuv444p12le",
            "yuv420p16le",
            "yuv444p16le",
            "yuva420p",
            "yuva422p",
            "yuva444p",
            "yuva444p10le",
            "nv12",
            "nv21",
            "p010le",
            "yuyv422",
            "uyvy422",
            "gray",
            "gray10le",
            "gray12le",
            "gray16le",
            "ya8",
            "gbrp",
            "gbrp10le",
            "gbrp12le",
            "gbrp16le",
            "gbrap",
            "gbrap12le",
            "rgb24",
            "bgr24",
            "rgba",
            "bgra",
            "argb",
            "abgr",
            "rgb0",
            "rgb48le",
            "rgba64le",
            "rgb565le",
            "rgb555le",
            "rgb8",
            "monow",
            "monob",
            "pal8");
    private static final List<String> MATRICES = List.of("bt709", "smpte170m", "bt470bg", "bt2020nc");
    private static final int[] USUAL = {853, 854, 855, 1079, 1080, 1081};
    /// Bilinear chroma is half a row too high in this release of `ffmpeg`, as PartsOfFramesTest's formula shows.
    private static final String CAREFUL = "flags=bicubic+accurate_rnd+full_chroma_int+full_chroma_inp";
    /// Two releases of libswscale, one of them with dithering of formats of few bits.
    private static final int TOLERANCE = 3;

    @TempDir
    Path folder;

    @Test
    void everyFormatBecomesTheColorsThatFfmpegGivesIt() {
        long seed = Long.getLong("jspdl.campaign.seed", 20_261_122);
        int files = Integer.getInteger("jspdl.grid.files", Boolean.getBoolean("campaign") ? 3_000 : 12);
        SplittableRandom random = new SplittableRandom(seed);
        List<String> wrong = new ArrayList<>();
        for (int i = 0; i < files; i++) {
            String format = FORMATS.get(i % FORMATS.size());
            if (files < FORMATS.size()) {
                format = FORMATS.get(random.nextInt(FORMATS.size()));
            }
            check(format, random, "file " + i).ifPresent(wrong::add);
        }
        assertThat(wrong).as("seed %d", seed).isEmpty();
    }

    /// What is wrong with a file, if anything.
    private Optional<String> check(String format, SplittableRandom random, String what) {
        boolean usual = random.nextInt(8) == 0;
        int width = usual ? USUAL[random.nextInt(USUAL.length)] : 1 + random.nextInt(64);
        int height = usual ? 6 : 1 + random.nextInt(64);
        int samples =
                format.matches(".*4(10|11)p.*") ? 4 : format.matches(".*(4[24][02]|nv|p010|vyu|yuv4[24]).*") ? 2 : 1;
        // `ffmpeg` stretches chroma that ends behind the picture, by up to a pixel; PartsOfFramesTest has these
        // sizes.
        width = width + samples - 1 & -samples;
        height = height + samples - 1 & -samples;
        String matrix = MATRICES.get(random.nextInt(MATRICES.size()));
        boolean rgb = format.matches("(gbr|rgb|bgr|argb|abgr|mono|pal).*");
        boolean full = !rgb && random.nextBoolean();
        boolean raw = !format.matches("(yuv4[0-9]+p|yuva4|gray|ya8|gbrp|gbrap).*") || format.startsWith("yuv440p");
        boolean gray = format.matches("gray.*|ya8");
        Path made = folder.resolve(raw ? "grid.nut" : "grid.mkv");
        Programs.run("ffmpeg -v error -y -f lavfi -i testsrc2=size=" + Math.max(width + 2, 64) + "x"
                + Math.max(height + 2, 64)
                + ":rate=5:duration=0.4 -vf format=rgb24,crop=" + width + ":" + height + ":0:0:exact=1,format=" + format
                + " -c:v " + (raw ? "rawvideo" : "ffv1") + " -pix_fmt " + format + " -color_range "
                + (full ? "pc" : "tv") + " -colorspace " + matrix + " " + made);
        StreamFacts facts = StreamFacts.of(made);
        boolean isFull = facts.range.equals("pc") || (gray && !facts.range.equals("tv"));
        String scale = "scale=" + CAREFUL
                + (rgb || gray
                        ? ""
                        : ":in_color_matrix=" + (facts.matrix.equals("unknown") ? "bt601" : words(facts.matrix))
                                + ":in_range=" + (isFull ? "full" : "limited"));
        byte[] expected = Programs.run(
                "ffmpeg -v error -i " + made + " -fps_mode passthrough -vf " + scale + " -pix_fmt rgb24 -f rawvideo -");
        if (gray) {
            expected = levels(
                    Programs.run("ffmpeg -v error -i " + made + " -fps_mode passthrough -f rawvideo -"),
                    format,
                    isFull);
        }
        Layout layout = random.nextBoolean() ? Layout.NHWC : Layout.NCHW;
        ElementType type = random.nextInt(3) == 0 ? ElementType.FLOAT32 : ElementType.UINT8;
        VideoSpec spec = VideoSpec.of(ImageSpec.original()
                .quality(Quality.EXACT)
                .interpolation(Interpolation.BICUBIC)
                .layout(layout)
                .elements(type));
        try (Tensor tensor = Video.load(made, spec)) {
            long pixels = (long) width * height;
            String all = what + ": " + format + " " + width + "x" + height + " " + facts + " " + layout + " " + type;
            if (tensor.shape().elements() != expected.length) {
                return Optional.of(all + ": " + tensor.shape() + " and not " + expected.length + " bytes");
            }
            int worst = 0;
            int count = 0;
            for (int i = 0; i < expected.length; i++) {
                long frame = i / 3 / pixels;
                long at = layout == Layout.NHWC ? i : frame * 3 * pixels + i % 3 * pixels + i / 3 % pixels;
                double actual = type == ElementType.FLOAT32
                        ? 255 * tensor.segment().getAtIndex(ValueLayout.JAVA_FLOAT, at)
                        : tensor.segment().get(ValueLayout.JAVA_BYTE, at) & 0xFF;
                int difference = (int) Math.round(Math.abs(actual - (expected[i] & 0xFF)));
                worst = Math.max(worst, difference);
                count += difference > TOLERANCE ? 1 : 0;
            }
            return worst <= TOLERANCE
                    ? Optional.empty()
                    : Optional.of(all + ": " + count + " of " + expected.length + " differ, by up to " + worst);
        } catch (MediaException refused) {
            return Optional.of(what + ": " + refused.getMessage());
        }
    }

    private static String words(String matrix) {
        return switch (matrix) {
            case "bt709" -> "bt709";
            case "bt2020nc" -> "bt2020";
            default -> "bt601";
        };
    }

    /// The formula for gray, which `ffmpeg` takes to have the full range, whatever the stream says.
    private static byte[] levels(byte[] stored, String format, boolean full) {
        int depth = format.matches("gray[0-9]+.*") ? Integer.parseInt(format.replaceAll("[^0-9]", "")) : 8;
        int step = format.equals("ya8") || depth > 8 ? 2 : 1;
        byte[] rgb = new byte[stored.length / step * 3];
        for (int i = 0; i < stored.length / step; i++) {
            int value =
                    depth > 8 ? (stored[2 * i] & 0xFF) | ((stored[2 * i + 1] & 0xFF) << 8) : stored[step * i] & 0xFF;
            double unit = 1 << (depth - 8);
            double level = full ? value * 255.0 / ((1 << depth) - 1) : (value - 16 * unit) * 255 / (219 * unit);
            byte rounded = (byte) Math.clamp(Math.round(level), 0, 255);
            rgb[3 * i] = rounded;
            rgb[3 * i + 1] = rounded;
            rgb[3 * i + 2] = rounded;
        }
        return rgb;
    }

    /// What `ffprobe` says of a stream.
    private record StreamFacts(String range, String matrix) {
        static StreamFacts of(Path file) {
            String text = new String(
                    Programs.run("ffprobe -v error -select_streams v:0 -show_entries stream=color_range,color_space"
                            + " -of default=noprint_wrappers=1 " + file),
                    java.nio.charset.StandardCharsets.UTF_8);
            return new StreamFacts(value(text, "color_range"), value(text, "color_space"));
        }

        private static String value(String text, String key) {
            return text.lines()
                    .filter(line -> line.startsWith(key + "="))
                    .map(line -> line.substring(key.length() + 1))
                    .findFirst()
                    .orElse("unknown");
        }
    }
}
