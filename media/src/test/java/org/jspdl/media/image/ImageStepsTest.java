package org.jspdl.media.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.zip.CRC32;
import org.jspdl.input.DecodeException;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.junit.jupiter.api.Test;

/// Pictures of 8 and 16 bits, with and without alpha, stored turned in eight ways, by decoders that are used for all of
/// them: turned upright, put over a color or multiplied with alpha, resized, cut, flipped, arranged and made elements,
/// each pixel is what these steps make one after the other in doubles.
class ImageStepsTest {
    private static final int COUNT = Boolean.getBoolean("campaign") ? 20_000 : 500;
    private static final int[] SIDES = {1, 2, 3, 8, 17, 33, 64, 90};
    private static final int LOOKED_AT = 40;
    /// Colors are not looked at where less is seen of them: rounded products are divided by it.
    private static final double LEAST_ALPHA = 24 / 255.0;

    private static final double[] ONE = {1};
    private static final double[] BEHIND = {10 / 255.0, 200 / 255.0, 1};

    /// A picture as it is stored, upright.
    ///
    /// @param values from 0 to 1, `channels` for each pixel
    private record Shown(
            byte[] file, int width, int height, int channels, int depth, int orientation, double[] values) {
        double at(int x, int y, int channel) {
            boolean gray = channels < 3;
            boolean hasAlpha = channels == 2 || channels == 4;
            if (channel == 3) {
                return hasAlpha ? values[(y * width + x) * channels + channels - 1] : 1;
            }
            return values[(y * width + x) * channels + (gray ? 0 : channel)];
        }

        @Override
        public String toString() {
            return width + " x " + height + ", " + channels + " channels of " + depth + " bits, turned by "
                    + orientation;
        }
    }

    private static Shown picture(SplittableRandom random) throws IOException {
        int storedWidth = SIDES[random.nextInt(SIDES.length)];
        int storedHeight = SIDES[random.nextInt(SIDES.length)];
        int channels = new int[] {1, 3, 4}[random.nextInt(3)];
        int depth = random.nextBoolean() ? 8 : 16;
        int orientation = random.nextInt(1, 9);
        boolean turns = orientation >= 5;
        int width = turns ? storedHeight : storedWidth;
        int height = turns ? storedWidth : storedHeight;
        int bytes = depth / 8;
        byte[] stored = new byte[storedWidth * storedHeight * channels * bytes];
        double[] values = new double[storedWidth * storedHeight * channels];
        for (int y = 0; y < storedHeight; y++) {
            for (int x = 0; x < storedWidth; x++) {
                // the first stored column is the upright picture's last, or its last row
                int fromX = Orientation.reversesColumns(orientation) ? storedWidth - 1 - x : x;
                int fromY = Orientation.reversesRows(orientation) ? storedHeight - 1 - y : y;
                int upright = turns ? fromX * width + fromY : fromY * width + fromX;
                for (int c = 0; c < channels; c++) {
                    int value = random.nextInt(1 << depth);
                    if (c == 3) {
                        value = random.nextInt(3) == 0 ? 0 : random.nextInt(2) == 0 ? (1 << depth) - 1 : value;
                    }
                    int at = ((y * storedWidth + x) * channels + c) * bytes;
                    stored[at] = (byte) value;
                    if (depth == 16) {
                        stored[at + 1] = (byte) (value >> 8);
                    }
                    values[upright * channels + c] = value / ((1 << depth) - 1.0);
                }
            }
        }
        byte[] file = ImageEncoderTest.encode(
                ImageEncoder.png(1),
                stored,
                Shape.of(storedHeight, storedWidth, channels),
                depth == 8 ? ElementType.UINT8 : ElementType.UINT16);
        return new Shown(turned(file, orientation), width, height, channels, depth, orientation, values);
    }

    /// The PNG file with a chunk of EXIF behind its header.
    private static byte[] turned(byte[] png, int orientation) throws IOException {
        byte[] exif = HexFormat.of()
                .parseHex(
                        "49492a000800000001001201030001000000" + String.format("%02x", orientation) + "00000000000000");
        byte[] named = new byte[4 + exif.length];
        System.arraycopy("eXIf".getBytes(StandardCharsets.US_ASCII), 0, named, 0, 4);
        System.arraycopy(exif, 0, named, 4, exif.length);
        CRC32 sum = new CRC32();
        sum.update(named);
        int header = 8 + 25;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.write(png, 0, header);
            out.writeInt(exif.length);
            out.write(named);
            out.writeInt((int) sum.getValue());
            out.write(png, header, png.length - header);
        }
        return bytes.toByteArray();
    }

    private static ImageSpec spec(SplittableRandom random) {
        int width = SIDES[random.nextInt(SIDES.length)];
        int height = SIDES[random.nextInt(SIDES.length)];
        ImageSpec spec = switch (random.nextInt(4)) {
            case 0 -> ImageSpec.exact(width, height);
            case 1 -> ImageSpec.fit(width, height);
            default -> ImageSpec.original();
        };
        if (random.nextBoolean()) {
            spec = spec.centerCrop(SIDES[random.nextInt(SIDES.length)], SIDES[random.nextInt(SIDES.length)]);
        }
        spec = random.nextInt(3) == 0 ? spec.randomFlip(1) : spec;
        spec = random.nextInt(3) == 0 ? spec.background(10, 200, 255) : spec;
        return spec.quality(Quality.EXACT)
                .channels(Channels.values()[random.nextInt(4)])
                .layout(Layout.values()[random.nextInt(2)])
                .elements(new ElementType[] {ElementType.UINT8, ElementType.UINT16, ElementType.FLOAT32}
                        [random.nextInt(3)]);
    }

    /// What a pixel is as RGBA, whose colors are not multiplied with alpha.
    private static double[] expected(Shown shown, ImageSpec spec, ImagePlacement placement, int x, int y) {
        int left = placement.left() + (placement.flipped() ? placement.width() - 1 - x : x);
        int top = placement.top() + y;
        double[] pixel = new double[4];
        if (left < 0 || top < 0 || left >= placement.scaledWidth() || top >= placement.scaledHeight()) {
            return pixel;
        }
        double ratioX = (double) placement.boxWidth() / placement.scaledWidth();
        double ratioY = (double) placement.boxHeight() / placement.scaledHeight();
        double[] across = placement.resizes() ? OddShapesTest.weights(left, ratioX, placement.boxWidth()) : ONE;
        double[] down = placement.resizes() ? OddShapesTest.weights(top, ratioY, placement.boxHeight()) : ONE;
        int firstX = placement.boxX() + (placement.resizes() ? OddShapesTest.first(left, ratioX) : left);
        int firstY = placement.boxY() + (placement.resizes() ? OddShapesTest.first(top, ratioY) : top);
        boolean composes = spec.decoding().hasBackground();
        boolean multiplies = !composes && spec.channels() == Channels.RGBA && placement.resizes();
        double all = 0;
        for (int v = 0; v < down.length; v++) {
            for (int u = 0; u < across.length; u++) {
                double weight = down[v] * across[u];
                if (weight > 0) {
                    double alpha = shown.at(firstX + u, firstY + v, 3);
                    for (int c = 0; c < 3; c++) {
                        double color = shown.at(firstX + u, firstY + v, c);
                        pixel[c] += weight
                                * (composes
                                        ? color * alpha + BEHIND[c] * (1 - alpha)
                                        : multiplies ? color * alpha : color);
                    }
                    pixel[3] += weight * (composes ? 1 : alpha);
                    all += weight;
                }
            }
        }
        for (int c = 0; c < 4; c++) {
            pixel[c] /= all;
        }
        for (int c = 0; multiplies && c < 3; c++) {
            pixel[c] = pixel[3] <= 0 ? 0 : pixel[c] / pixel[3];
        }
        return pixel;
    }

    private static double[] arranged(double[] rgba, Channels channels) {
        return switch (channels) {
            case RGB -> new double[] {rgba[0], rgba[1], rgba[2]};
            case BGR -> new double[] {rgba[2], rgba[1], rgba[0]};
            case RGBA -> rgba;
            case GRAY -> new double[] {0.299 * rgba[0] + 0.587 * rgba[1] + 0.114 * rgba[2]};
        };
    }

    private static double element(byte[] row, ElementType type, int at) {
        MemorySegment memory = MemorySegment.ofArray(row);
        return switch (type) {
            case UINT8 -> (row[at] & 0xFF) / 255.0;
            case UINT16 -> memory.get(ValueLayout.JAVA_CHAR_UNALIGNED, 2L * at) / 65_535.0;
            default -> memory.get(ValueLayout.JAVA_FLOAT_UNALIGNED, 4L * at);
        };
    }

    @Test
    void allAtOnceIsOneStepAfterTheOther() throws IOException {
        SplittableRandom random = new SplittableRandom(20_261_128);
        List<String> wrong = new ArrayList<>();
        Map<ImageSpec, ImageDecoder> used = new HashMap<>();
        try (BufferPool pool = BufferPool.unbounded("rows")) {
            List<ImageSpec> specs = new ArrayList<>();
            for (int i = 0; i < COUNT; i++) {
                if (specs.size() < 60) {
                    specs.add(spec(random));
                }
                ImageSpec spec = specs.get(random.nextInt(specs.size()));
                ImageDecoder decoder = used.computeIfAbsent(spec, ImageDecoder::create);
                Shown shown = picture(random);
                ImageTransform transform = spec.sample(shown.width, shown.height, random);
                String what = "case " + i + ": " + shown + ", " + spec + ", " + transform.placement() + ": ";
                try {
                    byte[] row = decoded(decoder, shown, spec, transform, pool);
                    String difference = difference(shown, spec, transform.placement(), row, random);
                    if (!difference.isEmpty()) {
                        wrong.add(what + difference);
                    }
                } catch (DecodeException refused) {
                    wrong.add(what + refused.getMessage());
                }
            }
        } finally {
            used.values().forEach(ImageDecoder::close);
        }
        assertThat(wrong).isEmpty();
    }

    private static byte[] decoded(
            ImageDecoder decoder, Shown shown, ImageSpec spec, ImageTransform transform, BufferPool pool) {
        ImagePlacement placement = transform.placement();
        long bytes = (long) placement.width()
                * placement.height()
                * spec.channels().count()
                * spec.elements().byteSize();
        try (var lease = pool.lease(bytes)) {
            lease.segment().fill((byte) 0xA5);
            decoder.decodeInto(MemorySegment.ofArray(shown.file), lease.segment(), transform);
            return lease.segment().toArray(ValueLayout.JAVA_BYTE);
        }
    }

    private static String difference(
            Shown shown, ImageSpec spec, ImagePlacement placement, byte[] row, SplittableRandom random) {
        int channels = spec.channels().count();
        int plane = placement.width() * placement.height();
        for (int i = 0; i < LOOKED_AT; i++) {
            int x = random.nextInt(placement.width());
            int y = random.nextInt(placement.height());
            double[] rgba = expected(shown, spec, placement, x, y);
            double[] expected = arranged(rgba, spec.channels());
            for (int c = 0; c < channels; c++) {
                int pixel = y * placement.width() + x;
                int at = spec.layout() == Layout.NHWC ? pixel * channels + c : c * plane + pixel;
                double value = element(row, spec.elements(), at);
                boolean isSeen = c == 3 || spec.channels() != Channels.RGBA || rgba[3] >= LEAST_ALPHA;
                if (isSeen && Math.abs(value - expected[c]) > tolerance(shown, spec, placement, rgba[3], c)) {
                    return "channel " + c + " at " + x + ", " + y + " is " + value + ", not " + expected[c] + " of "
                            + Arrays.toString(rgba);
                }
            }
        }
        return "";
    }

    /// Rows of bytes are rounded between two passes, and to the output; 16 bits are not, but to theirs, and where
    /// they become bytes before all else.
    private static double tolerance(Shown shown, ImageSpec spec, ImagePlacement placement, double alpha, int channel) {
        boolean isDeep = shown.depth == 16 && spec.elements() != ElementType.UINT8;
        double level = 1 / (isDeep ? 65_535.0 : 255.0);
        boolean isReduced = shown.depth == 16 && !isDeep;
        double levels = (placement.resizes() ? 1.6 : 0.51)
                + (isReduced ? 0.5 : 0)
                + (spec.decoding().hasBackground() || spec.channels() == Channels.GRAY ? 1.1 : 0)
                + (isDeep ? 4 : 0);
        boolean isDivided = placement.resizes()
                && spec.channels() == Channels.RGBA
                && channel < 3
                && !spec.decoding().hasBackground();
        return levels * level * (isDivided ? 1 + 1.5 / Math.max(alpha, LEAST_ALPHA) : 1);
    }
}
