package org.jspdl.media.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import javax.imageio.ImageIO;
import org.jspdl.input.DecodeException;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Tensor;
import org.junit.jupiter.api.Test;

/// Pictures of one pixel, lines of 65,535 and others as odd, in lossless files, resized, cropped and flipped in every
/// form: each pixel is what a few lines of doubles say, and each form holds the same bytes.
class OddShapesTest {
    private static final int[] SIDES = {1, 1, 2, 3, 7, 16, 17, 31, 64, 129, 1_000, 4_097, 10_000, 65_535};
    private static final int[] OUTPUTS = {1, 2, 3, 8, 15, 16, 17, 33, 64, 224};
    private static final long MOST_PIXELS = 200_000;
    private static final int LOOKED_AT = 60;
    private static final int COUNT = Boolean.getBoolean("campaign") ? 5_000 : 120;

    /// A picture and its bytes as RGB.
    private record Shown(byte[] file, String format, byte[] rgb, int width, int height) {
        @Override
        public String toString() {
            return format + " of " + width + " x " + height;
        }
    }

    private static Shown picture(SplittableRandom random) throws IOException {
        int width;
        int height;
        do {
            width = SIDES[random.nextInt(SIDES.length)];
            height = SIDES[random.nextInt(SIDES.length)];
        } while ((long) width * height > MOST_PIXELS);
        boolean gray = random.nextInt(4) == 0;
        BufferedImage image =
                new BufferedImage(width, height, gray ? BufferedImage.TYPE_BYTE_GRAY : BufferedImage.TYPE_3BYTE_BGR);
        byte[] rgb = new byte[3 * width * height];
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                int noise = random.nextInt();
                for (int c = 0; c < 3; c++) {
                    int value = noise >>> (gray ? 0 : 8 * c) & 0xFF;
                    rgb[3 * (y * width + x) + c] = (byte) value;
                    image.getRaster().setSample(x, y, gray ? 0 : c, value);
                }
            }
        }
        String format = gray || random.nextBoolean() ? "png" : random.nextBoolean() ? "bmp" : "tiff";
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        assertThat(ImageIO.write(image, format, file)).isTrue();
        return new Shown(file.toByteArray(), format, rgb, width, height);
    }

    private static ImageSpec spec(SplittableRandom random) {
        int width = OUTPUTS[random.nextInt(OUTPUTS.length)];
        int height = OUTPUTS[random.nextInt(OUTPUTS.length)];
        ImageSpec spec = switch (random.nextInt(4)) {
            case 0 -> ImageSpec.exact(width, height);
            case 1 -> ImageSpec.fit(width, height);
            case 2 -> ImageSpec.shorterSide(width);
            default -> ImageSpec.original();
        };
        if (random.nextBoolean()) {
            spec = spec.centerCrop(OUTPUTS[random.nextInt(OUTPUTS.length)], OUTPUTS[random.nextInt(OUTPUTS.length)]);
        }
        spec = random.nextInt(3) == 0 ? spec.randomFlip(1) : spec;
        return spec.quality(random.nextBoolean() ? Quality.EXACT : Quality.DEFAULT);
    }

    /// What a pixel is, as `placement` says.
    private static double expected(Shown shown, ImagePlacement placement, int x, int y, int channel) {
        int left = placement.left() + (placement.flipped() ? placement.width() - 1 - x : x);
        int top = placement.top() + y;
        if (left < 0 || top < 0 || left >= placement.scaledWidth() || top >= placement.scaledHeight()) {
            return 0;
        }
        double ratioX = (double) placement.boxWidth() / placement.scaledWidth();
        double ratioY = (double) placement.boxHeight() / placement.scaledHeight();
        double[] across = weights(left, ratioX, placement.boxWidth());
        double[] down = weights(top, ratioY, placement.boxHeight());
        int firstX = first(left, ratioX);
        int firstY = first(top, ratioY);
        double sum = 0;
        double all = 0;
        for (int v = 0; v < down.length; v++) {
            for (int u = 0; u < across.length; u++) {
                double weight = down[v] * across[u];
                if (weight > 0) {
                    int at = (firstY + v + placement.boxY()) * shown.width + firstX + u + placement.boxX();
                    sum += weight * (shown.rgb[3 * at + channel] & 0xFF);
                    all += weight;
                }
            }
        }
        return sum / all;
    }

    static int first(int output, double ratio) {
        return Math.max(0, (int) Math.floor((output + 0.5) * ratio - Math.max(1, ratio)));
    }

    static double[] weights(int output, double ratio, int length) {
        double center = (output + 0.5) * ratio;
        double reach = Math.max(1, ratio);
        int from = first(output, ratio);
        int to = Math.min(length, (int) Math.ceil(center + reach) + 1);
        double[] weights = new double[to - from];
        for (int i = 0; i < weights.length; i++) {
            weights[i] = Math.max(0, 1 - Math.abs(from + i + 0.5 - center) / reach);
        }
        return weights;
    }

    private static byte[] decoded(Shown shown, ImageSpec spec, ImageTransform transform) {
        try (ImageDecoder decoder = ImageDecoder.create(spec)) {
            ImagePlacement placement = transform.placement();
            int bytes = placement.width()
                    * placement.height()
                    * spec.channels().count()
                    * spec.elements().byteSize();
            try (BufferPool pool = BufferPool.unbounded("row");
                    var lease = pool.lease(bytes)) {
                lease.segment().fill((byte) 0xA5);
                decoder.decodeInto(MemorySegment.ofArray(shown.file), lease.segment(), transform);
                return lease.segment().toArray(ValueLayout.JAVA_BYTE);
            }
        }
    }

    @Test
    void everyPixelIsWhatThePlacementSaysInEveryForm() throws IOException {
        long seed = Long.getLong("jspdl.campaign.seed", 20_261_124);
        SplittableRandom random = new SplittableRandom(seed);
        List<String> wrong = new ArrayList<>();
        int looked = 0;
        for (int i = 0; i < COUNT; i++) {
            Shown shown = picture(random);
            ImageSpec spec = spec(random);
            ImageTransform transform = spec.sample(shown.width, shown.height, random);
            ImagePlacement placement = transform.placement();
            String what = "case " + i + ": " + shown + ", " + spec.quality() + ", " + placement;
            if ((long) placement.width() * placement.height() > MOST_PIXELS * 4) {
                continue;
            }
            byte[] bytes;
            try {
                bytes = decoded(shown, spec, transform);
            } catch (DecodeException refused) {
                wrong.add(what + ": " + refused.getMessage());
                continue;
            }
            looked++;
            String difference = difference(shown, placement, bytes, tolerance(spec, placement), random);
            if (difference.isEmpty()) {
                difference = inOtherForms(shown, spec, transform, bytes);
            }
            if (!difference.isEmpty()) {
                wrong.add(what + ": " + difference);
            }
        }
        assertThat(wrong).as("seed %d", seed).isEmpty();
        assertThat(looked).isGreaterThan(COUNT / 2);
    }

    private static String difference(
            Shown shown, ImagePlacement placement, byte[] bytes, double tolerance, SplittableRandom random) {
        for (int i = 0; i < LOOKED_AT; i++) {
            int x = corner(i, 1) ? placement.width() - 1 : i < 4 ? 0 : random.nextInt(placement.width());
            int y = corner(i, 2) ? placement.height() - 1 : i < 4 ? 0 : random.nextInt(placement.height());
            for (int c = 0; c < 3; c++) {
                double expected = expected(shown, placement, x, y, c);
                int value = bytes[3 * (y * placement.width() + x) + c] & 0xFF;
                if (Math.abs(value - expected) > tolerance) {
                    return "channel " + c + " at " + x + ", " + y + " is " + value + ", not " + expected;
                }
            }
        }
        return "";
    }

    /// Where pixels are copied, none; where they are resized, rows are rounded between the two passes, and weights
    /// are rounded to few bits unless all are asked for.
    private static double tolerance(ImageSpec spec, ImagePlacement placement) {
        return !placement.resizes() ? 0 : spec.quality() == Quality.EXACT ? 1.51 : 20;
    }

    private static boolean corner(int number, int bit) {
        return number < 4 && (number & bit) != 0;
    }

    /// The same bytes as planes, in another order, and as floats.
    private static String inOtherForms(Shown shown, ImageSpec spec, ImageTransform transform, byte[] bytes) {
        int pixels = transform.placement().width() * transform.placement().height();
        byte[] planes = decoded(shown, spec.layout(Layout.NCHW).channels(Channels.BGR), transform);
        byte[] floats = decoded(shown, spec.layout(Layout.NCHW).elements(ElementType.FLOAT32), transform);
        MemorySegment values = MemorySegment.ofArray(floats);
        for (int i = 0; i < pixels; i++) {
            for (int c = 0; c < 3; c++) {
                byte expected = bytes[3 * i + c];
                if (planes[(2 - c) * pixels + i] != expected) {
                    return "pixel " + i + " of plane " + (2 - c) + " is " + planes[(2 - c) * pixels + i] + ", not "
                            + expected;
                }
                float value = values.get(ValueLayout.JAVA_FLOAT_UNALIGNED, 4L * (c * pixels + i));
                if (Math.abs(value - (expected & 0xFF) / 255f) > 1e-6) {
                    return "float " + i + " of plane " + c + " is " + value + ", not " + (expected & 0xFF) + " / 255";
                }
            }
        }
        return "";
    }

    @Test
    void allOfAPictureOfAnyShapeIsThereAtItsOwnSize() throws IOException {
        SplittableRandom random = new SplittableRandom(5);
        for (int i = 0; i < 40; i++) {
            Shown shown = picture(random);
            try (BufferPool pool = BufferPool.unbounded("whole");
                    ImageDecoder decoder = ImageDecoder.create(ImageSpec.original());
                    Tensor whole = decoder.decode(MemorySegment.ofArray(shown.file), pool)) {
                assertThat(whole.shape().extents()).as("%s", shown).containsExactly(shown.height, shown.width, 3);
                assertThat(whole.segment().toArray(ValueLayout.JAVA_BYTE))
                        .as("%s", shown)
                        .isEqualTo(shown.rgb);
            }
        }
    }
}
