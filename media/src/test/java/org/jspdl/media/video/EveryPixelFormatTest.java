package org.jspdl.media.video;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspdl.media.frame.Frame;
import org.jspdl.media.image.Channels;
import org.jspdl.media.image.ImageSpec;
import org.jspdl.media.image.Layout;
import org.jspdl.media.image.Quality;
import org.jspdl.media.internal.ffmpeg.AvFrame;
import org.jspdl.media.internal.ffmpeg.AvNames;
import org.jspdl.media.internal.ffmpeg.AvNames.Pixels;
import org.jspdl.media.internal.pixels.FrameConverter;
import org.jspdl.media.internal.pixels.FrameGeometry;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Frames of every pixel format that this build of FFmpeg has and that its description tells how to fill: the colors
/// that the formula gives, in memory that held something else, or a refusal by name.
class EveryPixelFormatTest {
    /// What rounding in steps may cost.
    private static final int TOLERANCE = 4;

    private static List<String> formats() {
        List<String> all = new ArrayList<>();
        for (int number = 0; !AvNames.pixelFormat(number).isEmpty(); number++) {
            Pixels pixels = AvNames.pixels(number);
            String name = AvNames.pixelFormat(number);
            boolean described = !pixels.isHardware()
                    && !pixels.isBitstream()
                    && !pixels.isPalette()
                    && !pixels.isBayer()
                    && !pixels.isFloat()
                    && pixels.components() > 0
                    && pixels.depth() <= 16;
            // three of six bytes, and colors of another kind
            if (described && !name.equals("uyyvyy411") && !name.startsWith("xyz")) {
                all.add(name);
            }
        }
        return all;
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "5, 4", "17, 6", "64, 2"})
    void everyFormatBecomesItsColorsOrIsRefused(int width, int height) {
        List<String> wrong = new ArrayList<>();
        List<String> refused = new ArrayList<>();
        List<String> formats = formats();
        for (String format : formats) {
            for (Quality quality : Quality.values()) {
                for (Channels channels : List.of(Channels.RGB, Channels.BGR, Channels.GRAY)) {
                    for (Layout layout : Layout.values()) {
                        ImageSpec spec = ImageSpec.original()
                                .quality(quality)
                                .channels(channels)
                                .layout(layout);
                        try {
                            check(format, width, height, spec, wrong);
                        } catch (IllegalArgumentException unsupported) {
                            assertThat(unsupported).hasMessageContaining(format);
                            if (!refused.contains(format)) {
                                refused.add(format);
                            }
                        }
                    }
                }
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(formats.size() - refused.size())
                .as("of %d formats, all but %s", formats.size(), refused)
                .isGreaterThan(120);
    }

    private static void check(String format, int width, int height, ImageSpec spec, List<String> wrong) {
        Pixels pixels = AvNames.pixels(AvNames.pixelFormat(format));
        SplittableRandom random = new SplittableRandom(width * 1000L + height);
        int[] first = random.ints((long) width * height, 60, 180).toArray();
        int[] others = {random.nextInt(64, 192), random.nextInt(64, 192)};
        int channels = spec.channels().count();
        int size = width * height;
        try (Frame frame = Frame.create();
                FrameConverter converter = new FrameConverter(spec);
                Arena arena = Arena.ofConfined()) {
            double[][] stored = fill(frame, format, pixels, width, height, first, others);
            MemorySegment memory = arena.allocate((long) size * channels).fill((byte) 0xA5);
            FrameGeometry geometry = FrameGeometry.of(spec, spec.place(width, height), width, 0, false);
            boolean interleaved = spec.layout() == Layout.NHWC;
            converter.convert(frame, geometry, new FrameConverter.Place(memory, 0, interleaved ? 0 : size));
            for (int i = 0; i < size; i++) {
                for (int c = 0; c < channels; c++) {
                    int value = memory.get(ValueLayout.JAVA_BYTE, interleaved ? (long) i * channels + c : c * size + i)
                            & 0xFF;
                    int color = channels == 1 ? -1 : spec.channels() == Channels.BGR ? 2 - c : c;
                    double expected = expected(pixels, format, stored, i, color);
                    if (Math.abs(value - expected) > TOLERANCE) {
                        wrong.add(String.format(
                                "%s %dx%d %s: channel %d of pixel %d is %d instead of %.0f",
                                format, width, height, spec, c, i, value, expected));
                        return;
                    }
                }
            }
        }
    }

    /// Fills a frame as FFmpeg's description of its format says; the values of the components as they are kept, in
    /// the range of 8 bits: one for each pixel of the first, one for all of the others.
    private static double[][] fill(
            Frame frame, String format, Pixels pixels, int width, int height, int[] first, int[] others) {
        AvFrame.allocatePicture(frame.nativeFrame(), width, height, AvNames.pixelFormat(format));
        for (int p = 0; p < 4 && frame.stride(p) > 0; p++) {
            boolean lower = (p == 1 || p == 2) && !pixels.isRgb();
            frame.plane(p, lower ? -(-height >> pixels.log2ChromaH()) : height).fill((byte) 0);
        }
        double[][] stored = {new double[width * height], new double[1], new double[1], new double[1]};
        for (int c = 0; c < pixels.components(); c++) {
            boolean alpha = c == 3 || (c == 1 && pixels.components() == 2);
            boolean chroma = (c == 1 || c == 2) && !alpha && !pixels.isRgb();
            int columns = chroma ? -(-width >> pixels.log2ChromaW()) : width;
            int rows = chroma ? -(-height >> pixels.log2ChromaH()) : height;
            Pixels.Component part = pixels.parts().get(c);
            for (int y = 0; y < rows; y++) {
                for (int x = 0; x < columns; x++) {
                    int value = alpha ? 99 : c == 0 ? first[y * width + x] : others[c - 1];
                    int kept = pixels.isRgb() || pixels.isGray()
                            ? Math.round(value * ((1 << part.depth()) - 1) / 255f)
                            : value << (part.depth() - 8);
                    put(frame, pixels, part, x, y, kept);
                    double back = pixels.isRgb() || pixels.isGray()
                            ? kept * 255.0 / ((1 << part.depth()) - 1)
                            : (double) value;
                    stored[c][c == 0 ? y * width + x : 0] = back;
                }
            }
        }
        return stored;
    }

    private static void put(Frame frame, Pixels pixels, Pixels.Component part, int x, int y, int value) {
        MemorySegment plane = frame.plane(part.plane(), y + 1);
        long at = (long) y * frame.stride(part.plane()) + (long) x * part.step() + part.offset();
        ByteOrder order = pixels.isBigEndian() ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        int bits = part.shift() + part.depth();
        if (bits <= Byte.SIZE) {
            long place = at + (pixels.isBigEndian() ? 1 : 0);
            byte before = plane.get(ValueLayout.JAVA_BYTE, place);
            plane.set(ValueLayout.JAVA_BYTE, place, (byte) (before | (value << part.shift())));
        } else if (bits <= Short.SIZE) {
            ValueLayout.OfShort layout = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(order);
            plane.set(layout, at, (short) (plane.get(layout, at) | (value << part.shift())));
        } else {
            ValueLayout.OfInt layout = ValueLayout.JAVA_INT_UNALIGNED.withOrder(order);
            plane.set(layout, at, plane.get(layout, at) | (value << part.shift()));
        }
    }

    /// What channel 0 to 2, or -1 for gray, should be.
    private static double expected(Pixels pixels, String format, double[][] stored, int pixel, int channel) {
        double first = stored[0][pixel];
        if (pixels.isRgb()) {
            return switch (channel) {
                case 0 -> first;
                case 1 -> stored[1][0];
                case 2 -> stored[2][0];
                default -> 0.299 * first + 0.587 * stored[1][0] + 0.114 * stored[2][0];
            };
        }
        boolean full = pixels.isGray() || format.startsWith("yuvj");
        double luma = full ? first : (first - 16) * 255 / 219;
        double scale = full ? 1 : 255 / 224.0;
        double u = pixels.isGray() ? 0 : (stored[1][0] - 128) * scale;
        double v = pixels.isGray() ? 0 : (stored[2][0] - 128) * scale;
        double value = switch (channel) {
            case 0 -> luma + 1.402 * v;
            case 1 -> luma - 0.344136 * u - 0.714136 * v;
            case 2 -> luma + 1.772 * u;
            default -> luma;
        };
        return Math.clamp(value, 0, 255);
    }
}
