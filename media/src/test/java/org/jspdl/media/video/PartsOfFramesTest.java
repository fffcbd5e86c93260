package org.jspdl.media.video;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.jspdl.media.frame.Frame;
import org.jspdl.media.image.Channels;
import org.jspdl.media.image.ImagePlacement;
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
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Pictures whose luminance and chroma are planes in space, so that the formula tells each pixel of any part at any
/// size: a part that is off by one pixel, or chroma that is off by half of one, shows.
class PartsOfFramesTest {
    private static final long COLOR_RANGE = 280;
    private static final long COLOR_SPACE = 292;
    private static final long CHROMA_LOCATION = 296;
    private static final int WIDTH = 47;
    private static final int HEIGHT = 35;

    private static double luma(double x, double y) {
        return 40 + 4 * x + y;
    }

    private static double blue(double x) {
        return 34 + 4 * x;
    }

    private static double red(double y) {
        return 50 + 4 * y;
    }

    private static void fill(Frame frame, String format, int location) {
        AvFrame.allocatePicture(frame.nativeFrame(), WIDTH, HEIGHT, AvNames.pixelFormat(format));
        frame.nativeFrame().set(ValueLayout.JAVA_INT, CHROMA_LOCATION, location);
        AvNames.Pixels pixels = AvNames.pixels(frame.formatNumber());
        int across = 1 << pixels.log2ChromaW();
        int down = 1 << pixels.log2ChromaH();
        boolean left = location == 1 || location == 3;
        double chromaX = left ? 0 : (across - 1) / 2.0;
        double chromaY = location == 3 ? 0 : (down - 1) / 2.0;
        int unit = 1 << (pixels.depth() - 8);
        boolean packed = format.equals("yuyv422");
        boolean pairs = format.startsWith("nv") || format.startsWith("p0");
        int shift = format.equals("p010le") ? 6 : 0;
        for (int y = 0; y < HEIGHT; y++) {
            for (int x = 0; x < WIDTH; x++) {
                put(frame, 0, y, packed ? 2 * x : x, luma(x, y) * unit, unit, shift);
            }
        }
        for (int y = 0; y < -(-HEIGHT / down); y++) {
            for (int x = 0; x < -(-WIDTH / across); x++) {
                double u = blue(x * across + chromaX) * unit;
                double v = red(y * down + chromaY) * unit;
                if (packed) {
                    put(frame, 0, y, 4 * x + 1, u, unit, 0);
                    put(frame, 0, y, 4 * x + 3, v, unit, 0);
                } else {
                    put(frame, 1, y, pairs ? 2 * x : x, u, unit, shift);
                    put(frame, pairs ? 1 : 2, y, pairs ? 2 * x + 1 : x, v, unit, shift);
                }
            }
        }
    }

    private static void put(Frame frame, int plane, int y, int x, double value, int unit, int shift) {
        MemorySegment line = frame.plane(plane, HEIGHT);
        long at = (long) y * frame.stride(plane);
        if (unit == 1) {
            line.set(ValueLayout.JAVA_BYTE, at + x, (byte) Math.round(value));
        } else {
            line.set(ValueLayout.JAVA_SHORT_UNALIGNED, at + 2L * x, (short) (Math.round(value) << shift));
        }
    }

    private static double expected(int channel, double x, double y) {
        double l = (luma(x, y) - 16) * 255 / 219;
        double u = (blue(x) - 128) * 255 / 224;
        double v = (red(y) - 128) * 255 / 224;
        return Math.clamp(
                switch (channel) {
                    case 0 -> l + 1.402 * v;
                    case 1 -> l - 0.344136 * u - 0.714136 * v;
                    case 2 -> l + 1.772 * u;
                    default -> l;
                },
                0,
                255);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "yuv420p",
                "yuv422p",
                "yuv444p",
                "yuv440p",
                "yuv411p",
                "nv12",
                "nv16",
                "yuyv422",
                "yuv420p10le",
                "yuv422p12le",
                "yuv444p10le",
                "p010le",
                "yuva420p"
            })
    void aPartBeginsAtTheRightPixel(String format) {
        for (Quality quality : List.of(Quality.DEFAULT, Quality.EXACT)) {
            for (Layout layout : Layout.values()) {
                for (Channels channels : List.of(Channels.RGB, Channels.GRAY)) {
                    for (int offset = 0; offset < 4; offset++) {
                        ImageSpec spec = ImageSpec.original()
                                .quality(quality)
                                .layout(layout)
                                .channels(channels)
                                .elements(offset == 3 ? ElementType.FLOAT32 : ElementType.UINT8);
                        for (int size : new int[] {32, 29}) {
                            check(spec, format, 1, offset, 3 - offset, size, 24, size, 24);
                            check(spec, format, 1, offset, offset, size, 24, size, 25);
                            check(spec, format, 1, offset, offset, size, 23, size / 2, 12);
                            check(spec, format, 1, 3 - offset, offset, size, 24, 16, 16);
                        }
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void chromaLiesWhereTheStreamSays(int location) {
        for (String format : List.of("yuv420p", "nv12", "yuv420p10le")) {
            ImageSpec spec = ImageSpec.original().quality(Quality.EXACT);
            check(spec, format, location, 0, 0, 40, 30, 40, 30);
            check(spec, format, location, 1, 1, 40, 30, 20, 15);
            check(spec, format, location, 3, 2, 41, 31, 41, 31);
        }
    }

    /// Levels: a pixel of luminance makes 4.7, half a pixel of chroma 4 more. Rounding takes 3 of them, a filter
    /// that weighs whole pixels more, and so does chroma that ends between two samples; the quick way takes the
    /// nearest sample of chroma.
    private static double tolerance(boolean gray, boolean quick, int width, int height, int toWidth, int toHeight) {
        boolean same = width == toWidth && height == toHeight;
        boolean even = same || (width % (2 * toWidth) == 0 && height % (2 * toHeight) == 0);
        if (gray) {
            return even ? 2 : 3.5;
        }
        return quick ? 14 : same ? 3 : even ? 5 : 22;
    }

    /// Chroma isn't taken from beyond the part, nor from beyond the picture: pixels at the edges differ.
    private static void check(
            ImageSpec spec,
            String format,
            int location,
            int x,
            int y,
            int width,
            int height,
            int toWidth,
            int toHeight) {
        boolean quick = spec.quality() != Quality.EXACT && width == toWidth && height == toHeight;
        int channels = spec.channels().count();
        double tolerance = tolerance(channels == 1, quick, width, height, toWidth, toHeight);
        ImagePlacement placement =
                new ImagePlacement(x, y, width, height, toWidth, toHeight, 0, 0, toWidth, toHeight, false);
        boolean floats = spec.elements() == ElementType.FLOAT32;
        try (Frame frame = Frame.create();
                FrameConverter converter = new FrameConverter(spec);
                Arena arena = Arena.ofConfined()) {
            fill(frame, format, location);
            MemorySegment memory = arena.allocate((long) toWidth * toHeight * channels * 4, 64);
            int planeStride = spec.layout() == Layout.NHWC ? 0 : toWidth * toHeight;
            converter.convert(frame, new FrameGeometry(placement, 0), new FrameConverter.Place(memory, 0, planeStride));
            int edge = format.equals("yuv411p") ? 6 : 2;
            for (int j = 2; j < toHeight - 2; j++) {
                for (int i = edge; i < toWidth - edge; i++) {
                    for (int c = 0; c < channels; c++) {
                        int at =
                                planeStride == 0 ? (j * toWidth + i) * channels + c : c * planeStride + j * toWidth + i;
                        double actual = floats
                                ? 255 * memory.getAtIndex(ValueLayout.JAVA_FLOAT, at)
                                : memory.get(ValueLayout.JAVA_BYTE, at) & 0xFF;
                        double atX = x + (i + 0.5) * width / toWidth - 0.5;
                        double atY = y + (j + 0.5) * height / toHeight - 0.5;
                        double expected = expected(channels == 1 ? 3 : c, atX, atY);
                        if (Math.abs(actual - expected) > tolerance) {
                            assertThat(actual)
                                    .as(
                                            "%s %s at %d,%d %dx%d to %dx%d, chroma %d: channel %d of %d,%d",
                                            format, spec, x, y, width, height, toWidth, toHeight, location, c, i, j)
                                    .isCloseTo(expected, within(tolerance));
                        }
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"gray, 8, 1", "gray10le, 10, 2", "gray12le, 12, 2", "gray16le, 16, 2", "gray16be, 16, 2", "ya8, 8, 2"})
    void grayPicturesHaveTheRangeThatTheStreamSays(String format, int depth, int step) {
        int unit = 1 << (depth - 8);
        for (int range = 0; range <= 2; range++) {
            for (Channels channels : List.of(Channels.RGB, Channels.BGR, Channels.GRAY)) {
                for (Layout layout : Layout.values()) {
                    ImageSpec spec = ImageSpec.original().channels(channels).layout(layout);
                    int count = channels.count();
                    try (Frame frame = Frame.create();
                            FrameConverter converter = new FrameConverter(spec);
                            Arena arena = Arena.ofConfined()) {
                        AvFrame.allocatePicture(frame.nativeFrame(), WIDTH, 7, AvNames.pixelFormat(format));
                        frame.nativeFrame().set(ValueLayout.JAVA_INT, COLOR_RANGE, range);
                        for (int i = 0; i < WIDTH * 7; i++) {
                            int value = i % 256 * unit + unit / 3;
                            long at = (long) (i / WIDTH) * frame.stride(0) + (long) (i % WIDTH) * step;
                            if (depth == 8) {
                                frame.plane(0, 7).set(ValueLayout.JAVA_BYTE, at, (byte) value);
                            } else {
                                short stored =
                                        format.endsWith("be") ? Short.reverseBytes((short) value) : (short) value;
                                frame.plane(0, 7).set(ValueLayout.JAVA_SHORT_UNALIGNED, at, stored);
                            }
                        }
                        MemorySegment memory = arena.allocate((long) WIDTH * 7 * count);
                        FrameGeometry geometry = FrameGeometry.of(spec, spec.place(WIDTH, 7), WIDTH, 0, false);
                        converter.convert(
                                frame,
                                geometry,
                                new FrameConverter.Place(memory, 0, layout == Layout.NHWC ? 0 : WIDTH * 7));
                        for (int i = 0; i < WIDTH * 7; i++) {
                            double value = i % 256 * unit + unit / 3;
                            double level = range == 1
                                    ? (value - 16 * unit) * 255 / (219 * unit)
                                    : value * 255 / ((1 << depth) - 1);
                            for (int c = 0; c < count; c++) {
                                long at = layout == Layout.NHWC ? (long) i * count + c : (long) c * WIDTH * 7 + i;
                                assertThat(memory.get(ValueLayout.JAVA_BYTE, at) & 0xFF)
                                        .as("%s range %d %s", format, range, spec)
                                        .isEqualTo(Math.clamp(Math.round(level), 0, 255));
                            }
                        }
                    }
                }
            }
        }
    }

    @Test
    void colorsThatCannotBeConvertedAreRefused() {
        ImageSpec spec = ImageSpec.original();
        try (Frame frame = Frame.create();
                FrameConverter converter = new FrameConverter(spec);
                Arena arena = Arena.ofConfined()) {
            fill(frame, "yuv444p", 1);
            frame.nativeFrame().set(ValueLayout.JAVA_INT, COLOR_SPACE, 8);
            FrameGeometry geometry = FrameGeometry.of(spec, spec.place(WIDTH, HEIGHT), WIDTH, 0, false);
            assertThatThrownBy(() -> converter.convert(
                            frame, geometry, new FrameConverter.Place(arena.allocate(WIDTH * HEIGHT * 3), 0, 0)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("matrix 8");
        }
    }
}
