package org.jspdl.media.image;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspdl.media.internal.resample.HighBitDepthResampler.AlphaUse;

/// Writes resampled pixels of 16 bits a channel into a row: turns them upright, arranges their channels, converts them
/// to the row's elements.
final class HighBitDepthWriter {
    private static final float MOST = 65_535;

    private final PixelSettings format;
    private final int channels;
    private final float[] pixel;
    private final float[] scale;
    private final float[] bias;

    HighBitDepthWriter(PixelSettings format) {
        this.format = format;
        channels = format.channels().count();
        pixel = new float[channels];
        scale = new float[channels];
        bias = new float[channels];
        for (int c = 0; c < channels; c++) {
            scale[c] = format.scale(c) / 257;
            bias[c] = format.bias(c);
        }
    }

    /// Writes the window of `frame`.
    ///
    /// @param values what the resampler made, with `given` channels
    /// @param use    what it did with alpha: what was multiplied is divided out again, what was composed is
    ///     opaque
    void write(float[] values, int given, AlphaUse use, ResamplePlan frame, MemorySegment row) {
        int width = frame.x().count();
        int height = frame.y().count();
        for (int y = 0; y < height; y++) {
            int upright = frame.target().upwards() ? height - 1 - y : y;
            for (int x = 0; x < width; x++) {
                arrange(values, (y * width + x) * given, given, use);
                int outX = frame.left() + (frame.transposed() ? upright : x);
                int outY = frame.top() + (frame.transposed() ? x : upright);
                store(outX, outY, frame.placement(), row);
            }
        }
    }

    /// Puts the channels of one pixel into [#pixel], as the row wants them.
    private void arrange(float[] values, int at, int given, AlphaUse use) {
        boolean color = given >= 3;
        boolean opaque = use == AlphaUse.COMPOSED || given == 1 || given == 3;
        float alpha = opaque ? MOST : values[at + given - 1];
        float factor = use != AlphaUse.MULTIPLIED ? 1 : alpha <= 0 ? 0 : MOST / alpha;
        float red = values[at] * factor;
        float green = color ? values[at + 1] * factor : red;
        float blue = color ? values[at + 2] * factor : red;
        switch (format.channels()) {
            case RGB -> set(red, green, blue);
            case BGR -> set(blue, green, red);
            case RGBA -> {
                set(red, green, blue);
                pixel[3] = alpha;
            }
            case GRAY -> pixel[0] = color ? 0.299f * red + 0.587f * green + 0.114f * blue : red;
        }
    }

    private void set(float first, float second, float third) {
        pixel[0] = first;
        pixel[1] = second;
        pixel[2] = third;
    }

    private void store(int x, int y, ImagePlacement placement, MemorySegment row) {
        long place = (long) y * placement.width() + x;
        long plane = (long) placement.width() * placement.height();
        for (int c = 0; c < channels; c++) {
            long element = format.layout() == Layout.NHWC ? place * channels + c : c * plane + place;
            float value = Math.clamp(pixel[c], 0, MOST);
            float normal = value * scale[c] + bias[c];
            switch (format.type()) {
                case UINT16 -> row.set(ValueLayout.JAVA_CHAR_UNALIGNED, 2 * element, (char) (value + 0.5f));
                case FLOAT32 -> row.set(ValueLayout.JAVA_FLOAT_UNALIGNED, 4 * element, normal);
                case FLOAT16 -> row.set(ValueLayout.JAVA_SHORT_UNALIGNED, 2 * element, Float.floatToFloat16(normal));
                case BFLOAT16 -> row.set(ValueLayout.JAVA_SHORT_UNALIGNED, 2 * element, ElementWriter.bfloat16(normal));
                default -> throw new IllegalStateException("no image has elements of " + format.type());
            }
        }
    }
}
