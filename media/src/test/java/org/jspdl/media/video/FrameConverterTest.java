package org.jspdl.media.video;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspdl.media.frame.Frame;
import org.jspdl.media.image.Channels;
import org.jspdl.media.image.ImageSpec;
import org.jspdl.media.image.Layout;
import org.jspdl.media.image.Quality;
import org.jspdl.media.internal.ffmpeg.AvFrame;
import org.jspdl.media.internal.ffmpeg.AvNames;
import org.jspdl.media.internal.pixels.FrameConverter;
import org.jspdl.media.internal.pixels.FrameGeometry;
import org.jspdl.memory.ElementType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Frames of every size become the pixels that the formula gives, in memory that held something else, and nothing
/// beyond it is written.
///
/// With `-Dcampaign=true` of every width and height from 1 to 64; `-Djspdl.grid.formats=yuv420p,nv12` chooses formats.
class FrameConverterTest {
    private static final int GUARD = 128;
    private static final boolean CAMPAIGN = Boolean.getBoolean("campaign");
    private static final List<String> CHOSEN =
            List.of(System.getProperty("jspdl.grid.formats", "").split(","));
    private static final int MOST = 64;
    private static final String FORMATS = "yuv420p yuv422p yuv444p yuv410p yuv411p yuv440p yuvj420p yuvj422p yuvj444p"
            + " yuvj440p yuvj411p yuva420p yuva422p yuva444p nv12 nv21 nv16 nv24 yuyv422 uyvy422 yvyu422 gray gray10le"
            + " gray12le gray16le ya8 rgb24 bgr24 rgba bgra argb abgr rgb0 bgr0 rgb565le rgb555le rgb48le bgr48le"
            + " rgba64le gbrp gbrap gbrp10le gbrp12le gbrp16le gbrap12le yuv420p10le yuv422p10le yuv444p10le"
            + " yuv440p10le yuv420p12le yuv422p12le yuv444p12le yuv420p16le yuva420p10le yuva444p10le p010le p012le"
            + " p016le p210le p410le y210le";
    private static final int[] HEIGHTS = {1, 2, 3, 4, 5, 8, 17};
    private static final List<Quality> QUALITIES = List.of(Quality.DEFAULT, Quality.EXACT, Quality.FASTEST);
    /// What rounding in steps may cost.
    private static final int TOLERANCE = 4;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "yuv420p", "yuvj420p", "yuv422p", "yuvj422p", "yuva420p", "yuv444p", "yuvj444p", "yuv440p", "yuv411p",
                "yuv410p", "nv12", "nv21", "yuyv422", "uyvy422", "yuv420p10le", "yuv422p10le", "yuv444p12le", "p010le",
                "gray", "rgb24", "bgr24", "rgba", "gbrp"
            })
    void everyWidthAndHeightBecomesTheRightPixels(String format) {
        assumeTrue(isChosen(format));
        for (Quality quality : QUALITIES) {
            for (Channels channels : List.of(Channels.RGB, Channels.BGR, Channels.GRAY)) {
                for (Layout layout : Layout.values()) {
                    ImageSpec spec = ImageSpec.original()
                            .quality(quality)
                            .channels(channels)
                            .layout(layout)
                            .elements(ElementType.UINT8);
                    try (FrameConverter converter = new FrameConverter(spec)) {
                        for (int width = 1; width <= MOST; width++) {
                            for (int height : heights(width)) {
                                check(converter, spec, format, width, height);
                            }
                        }
                        check(converter, spec, format, 854, 6);
                        check(converter, spec, format, 1080, 6);
                    }
                }
            }
        }
    }

    private static boolean isChosen(String format) {
        return CHOSEN.equals(List.of("")) || CHOSEN.contains(format);
    }

    private static int[] heights(int width) {
        return CAMPAIGN
                ? IntStream.rangeClosed(1, MOST).toArray()
                : new int[] {HEIGHTS[width % HEIGHTS.length], HEIGHTS[(width + 3) % HEIGHTS.length]};
    }

    /// Flat pictures in the formats that decoders of video make: each pixel becomes the same, in memory that held
    /// something else.
    @Test
    void everyPixelOfAFlatPictureBecomesTheSameInEveryFormat() {
        int[] all = IntStream.rangeClosed(1, MOST).toArray();
        int[] widths = CAMPAIGN ? all : new int[] {3, 17, 32, 40, 63};
        int[] heights = CAMPAIGN ? all : new int[] {6, 5};
        List<Quality> qualities = CAMPAIGN ? QUALITIES : List.of(Quality.DEFAULT);
        for (String name : FORMATS.split(" ")) {
            int format = AvNames.pixelFormat(name);
            assertThat(format).as(name).isNotNegative();
            for (Layout layout : Layout.values()) {
                for (Quality quality : isChosen(name) ? qualities : List.<Quality>of()) {
                    ImageSpec spec = ImageSpec.original().layout(layout).quality(quality);
                    try (FrameConverter converter = new FrameConverter(spec)) {
                        for (int width : widths) {
                            for (int height : heights) {
                                assertThat(checkFlat(converter, spec, format, width, height))
                                        .as("%s can be converted", name)
                                        .isTrue();
                            }
                        }
                    }
                }
            }
        }
    }

    /// Whether FFmpeg can convert the format.
    private static boolean checkFlat(FrameConverter converter, ImageSpec spec, int format, int width, int height) {
        try (Frame frame = Frame.create();
                Arena arena = Arena.ofConfined()) {
            int pixels = width * height;
            FrameGeometry geometry = FrameGeometry.of(spec, spec.place(width, height), width, 0, false);
            boolean interleaved = spec.layout() == Layout.NHWC;
            MemorySegment memory = arena.allocate(3L * pixels).fill((byte) 0xA5);
            try {
                AvFrame.allocatePicture(frame.nativeFrame(), width, height, format);
                for (int p = 0; p < 4 && frame.stride(p) > 0; p++) {
                    boolean lower = (p == 1 || p == 2) && AvNames.pixels(format).log2ChromaH() > 0;
                    int rows = lower ? -(-height >> AvNames.pixels(format).log2ChromaH()) : height;
                    frame.plane(p, rows).fill((byte) 0);
                }
                converter.convert(frame, geometry, new FrameConverter.Place(memory, 0, interleaved ? 0 : pixels));
            } catch (IllegalArgumentException unsupported) {
                return false;
            }
            for (int c = 0; c < 3; c++) {
                int first = memory.get(ValueLayout.JAVA_BYTE, interleaved ? c : (long) c * pixels) & 0xFF;
                for (int i = 0; i < pixels; i++) {
                    long at = interleaved ? 3L * i + c : (long) c * pixels + i;
                    int value = memory.get(ValueLayout.JAVA_BYTE, at) & 0xFF;
                    if (Math.abs(value - first) > TOLERANCE) {
                        assertThat(value)
                                .as(
                                        "%s %dx%d %s: channel %d of pixel %d",
                                        AvNames.pixelFormat(format), width, height, spec.layout(), c, i)
                                .isEqualTo(first);
                    }
                }
            }
            return true;
        }
    }

    private static void check(FrameConverter converter, ImageSpec spec, String format, int width, int height) {
        SplittableRandom random = new SplittableRandom(width * 1000L + height);
        int[] chroma = {random.nextInt(64, 192), random.nextInt(64, 192)};
        byte[] luma = new byte[width * height];
        for (int i = 0; i < luma.length; i++) {
            luma[i] = (byte) random.nextInt(60, 180);
        }
        int channels = spec.channels().count();
        long size = (long) width * height * channels;
        try (Frame frame = Frame.create();
                Arena arena = Arena.ofConfined()) {
            Pictures.fill(frame, format, width, height, luma, chroma);
            MemorySegment memory = arena.allocate(size + 2 * GUARD, 64).fill((byte) (0xA5 + width));
            FrameGeometry geometry = FrameGeometry.of(spec, spec.place(width, height), width, 0, false);
            long planeStride = spec.layout() == Layout.NHWC ? 0 : (long) width * height;
            converter.convert(frame, geometry, new FrameConverter.Place(memory, GUARD, planeStride));

            String what = format + " " + width + "x" + height + " " + spec.quality() + " " + spec.channels() + " "
                    + spec.layout();
            for (long i = 0; i < GUARD; i++) {
                byte before = memory.get(ValueLayout.JAVA_BYTE, i);
                byte after = memory.get(ValueLayout.JAVA_BYTE, GUARD + size + i);
                if (before != (byte) (0xA5 + width) || after != (byte) (0xA5 + width)) {
                    assertThat(what).as("written beyond its memory").isEmpty();
                }
            }
            for (int y = 0; y < height; y++) {
                for (int x = 0; x < width; x++) {
                    for (int c = 0; c < channels; c++) {
                        long pixel = (long) y * width + x;
                        long at = planeStride == 0 ? pixel * channels + c : c * planeStride + pixel;
                        int actual = memory.get(ValueLayout.JAVA_BYTE, GUARD + at) & 0xFF;
                        int expected = Pictures.expected(
                                format, luma[(int) pixel] & 0xFF, chroma, channels == 1 ? -1 : channel(spec, c));
                        if (Math.abs(actual - expected) > TOLERANCE) {
                            assertThat(actual)
                                    .as(
                                            "%s: channel %d of pixel %d, %d (luma %d, chroma %d, %d)",
                                            what, c, x, y, luma[(int) pixel] & 0xFF, chroma[0], chroma[1])
                                    .isEqualTo(expected);
                        }
                    }
                }
            }
        }
    }

    private static int channel(ImageSpec spec, int c) {
        return spec.channels() == Channels.BGR ? 2 - c : c;
    }

    /// Pictures whose luma differs from pixel to pixel and whose chroma is the same everywhere, so that it doesn't
    /// matter how chroma is interpolated.
    private static final class Pictures {
        private Pictures() {}

        static void fill(Frame frame, String format, int width, int height, byte[] luma, int[] chroma) {
            MemorySegment picture = frame.nativeFrame();
            AvFrame.allocatePicture(picture, width, height, AvNames.pixelFormat(format));
            AvNames.Pixels pixels = AvNames.pixels(frame.formatNumber());
            for (int p = 0; p < 4; p++) {
                int stride = frame.stride(p);
                if (stride == 0) {
                    break;
                }
                boolean isChroma = (p == 1 || p == 2) && !pixels.isRgb();
                int rows = isChroma ? -(-height >> pixels.log2ChromaH()) : height;
                MemorySegment plane = frame.plane(p, rows);
                // What lies beyond a line must not be seen.
                plane.fill((byte) 0xEE);
                int columns = isChroma ? -(-width >> pixels.log2ChromaW()) : width;
                for (int y = 0; y < rows; y++) {
                    for (int x = 0; x < columns; x++) {
                        int value = isChroma ? 0 : luma[y * width + x] & 0xFF;
                        put(format, pixels.depth(), plane, (long) y * stride, x, p, value, chroma);
                    }
                    if (format.equals("yuyv422") || format.equals("uyvy422")) {
                        for (int x = 0; x < (width + 1) / 2; x++) {
                            long at = (long) y * stride + 4L * x + (format.equals("yuyv422") ? 1 : 0);
                            plane.set(ValueLayout.JAVA_BYTE, at, (byte) chroma[0]);
                            plane.set(ValueLayout.JAVA_BYTE, at + 2, (byte) chroma[1]);
                        }
                    }
                }
            }
        }

        private static void put(
                String format, int depth, MemorySegment plane, long line, int x, int p, int value, int[] chroma) {
            switch (format) {
                case "yuyv422" -> plane.set(ValueLayout.JAVA_BYTE, line + 2L * x, (byte) value);
                case "uyvy422" -> plane.set(ValueLayout.JAVA_BYTE, line + 2L * x + 1, (byte) value);
                case "rgb24", "bgr24", "rgba" -> {
                    int step = format.length() == 4 ? 4 : 3;
                    for (int c = 0; c < 3; c++) {
                        int channel = format.equals("bgr24") ? 2 - c : c;
                        plane.set(
                                ValueLayout.JAVA_BYTE, line + (long) step * x + c, (byte) rgb(value, chroma, channel));
                    }
                    if (step == 4) {
                        plane.set(ValueLayout.JAVA_BYTE, line + 4L * x + 3, (byte) 77);
                    }
                }
                case "gbrp" -> plane.set(ValueLayout.JAVA_BYTE, line + x, (byte) rgb(value, chroma, (p + 1) % 3));
                case "nv12", "nv21", "p010le" -> {
                    if (p == 0) {
                        sample(depth, depth == 10 ? 6 : 0, plane, line, x, value);
                    } else {
                        int first = format.equals("nv21") ? 1 : 0;
                        sample(depth, depth == 10 ? 6 : 0, plane, line, 2 * x, chroma[first]);
                        sample(depth, depth == 10 ? 6 : 0, plane, line, 2 * x + 1, chroma[1 - first]);
                    }
                }
                default -> sample(depth, 0, plane, line, x, p == 0 ? value : p == 3 ? 99 : chroma[p - 1]);
            }
        }

        private static void sample(int depth, int shift, MemorySegment plane, long line, int x, int value) {
            if (depth == 8) {
                plane.set(ValueLayout.JAVA_BYTE, line + x, (byte) value);
            } else {
                plane.set(ValueLayout.JAVA_SHORT_UNALIGNED, line + 2L * x, (short) ((value << (depth - 8)) << shift));
            }
        }

        /// Channel 0 to 2 of a pixel of the formats of red, green and blue.
        private static int rgb(int value, int[] chroma, int channel) {
            return channel == 0 ? value : channel == 1 ? chroma[0] : chroma[1];
        }

        /// What channel 0 to 2, or -1 for gray, should be.
        static int expected(String format, int y, int[] chroma, int channel) {
            boolean rgb = format.equals("gbrp") || format.startsWith("rgb") || format.startsWith("bgr");
            boolean gray = format.startsWith("gray");
            if (rgb) {
                return channel >= 0
                        ? rgb(y, chroma, channel)
                        : (int) Math.round(0.299 * y + 0.587 * chroma[0] + 0.114 * chroma[1]);
            }
            // Gray pictures have the full range for libswscale, whatever they say.
            boolean full = gray || format.startsWith("yuvj");
            double luma = full ? y : (y - 16) * 255 / 219.0;
            double scale = full ? 1 : 255 / 224.0;
            double u = gray ? 0 : (chroma[0] - 128) * scale;
            double v = gray ? 0 : (chroma[1] - 128) * scale;
            double value = switch (channel) {
                case 0 -> luma + 1.402 * v;
                case 1 -> luma - 0.344136 * u - 0.714136 * v;
                case 2 -> luma + 1.772 * u;
                default -> luma;
            };
            return Math.clamp(Math.round(value), 0, 255);
        }
    }
}
