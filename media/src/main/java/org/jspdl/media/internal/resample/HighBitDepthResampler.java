package org.jspdl.media.internal.resample;

import java.util.Arrays;

/// Resamples pictures of 16 bits a channel, in floating point: slower than [Resampler], and exact to the last bit where
/// nothing is resized.
///
/// Keeps its buffers between pictures; one thread at a time.
public final class HighBitDepthResampler {
    private static final double MOST = 65_535;

    private final FilterWindows across = new FilterWindows();
    private final FilterWindows down = new FilterWindows();
    private double[] line = new double[0];
    private float[] sums = new float[0];

    /// What alpha does to colors before pixels are summed.
    public enum AlphaUse {
        /// Nothing.
        IGNORED,
        /// It is multiplied into them.
        MULTIPLIED,
        /// They are put over a background.
        COMPOSED
    }

    /// The wanted pixels of `picture`, row by row with all channels of the picture, 0 to 65,535 (and a little
    /// beyond, where the filter overshoots); valid until the next call.
    ///
    /// @param y          not flipped
    /// @param background red, green and blue from 0 to 1, for `COMPOSED`
    /// @throws IllegalStateException if the picture has another size than the axes
    public float[] run(
            HighBitDepthPicture picture,
            ResampleAxis x,
            ResampleAxis y,
            ResampleFilter filter,
            AlphaUse use,
            double[] background) {
        x.check("columns", picture.width());
        y.check("rows", picture.height());
        int channels = picture.channels();
        int width = Math.multiplyExact(x.count(), channels);
        int size = Math.multiplyExact(width, y.count());
        if (sums.length < size) {
            sums = new float[size];
        }
        Arrays.fill(sums, 0, size, 0);
        if (line.length < width) {
            line = new double[width];
        }
        across.begin(x, filter);
        down.begin(y, filter);
        int loaded = -1;
        for (int i = 0; i < y.count(); i++) {
            down.at(i);
            for (int row = down.low(); row < down.high(); row++) {
                if (row != loaded) {
                    line(picture, row, x.count(), use, background);
                    loaded = row;
                }
                double weight = down.weight(row);
                for (int k = 0; k < width; k++) {
                    sums[i * width + k] += (float) (weight * line[k]);
                }
            }
        }
        return sums;
    }

    /// Resamples one row of the picture into [#line].
    private void line(HighBitDepthPicture picture, int y, int count, AlphaUse use, double[] background) {
        int channels = picture.channels();
        int colors = picture.hasAlpha() ? channels - 1 : channels;
        for (int i = 0; i < count; i++) {
            across.at(i);
            int at = i * channels;
            Arrays.fill(line, at, at + channels, 0);
            for (int x = across.low(); x < across.high(); x++) {
                double weight = across.weight(x);
                boolean blends = use != AlphaUse.IGNORED && channels > colors;
                double alpha = blends ? picture.sample(x, y, colors) / MOST : 1;
                for (int c = 0; c < colors; c++) {
                    double behind = use == AlphaUse.COMPOSED ? MOST * background[c] : 0;
                    line[at + c] += weight * (alpha * picture.sample(x, y, c) + (1 - alpha) * behind);
                }
                if (colors < channels) {
                    line[at + colors] += weight * picture.sample(x, y, colors);
                }
            }
        }
    }
}
