package org.jspdl.data.sample;

import java.util.Arrays;

/// Fills a plane with noise whose energy is spread over octaves, as in photographs.
///
/// Starts with a coarse grid and doubles it until it has the size of the picture, adding fresh noise after each
/// doubling. Keeps its buffers between pictures; one thread at a time.
final class FractalNoise {
    /// Cells of the coarsest grid are `2^OCTAVES` pixels wide.
    static final int OCTAVES = 7;

    private static final float BYTE_PAIR_SCALE =
            1f / 104.5f; // two uniform bytes, centered, have this standard deviation

    private float[] fine = new float[0];
    private float[] coarse = new float[0];

    /// Writes `width * height` values of mean 0, row by row.
    ///
    /// @param amplitude the standard deviation of the noise added at each octave, `amplitude[0]` for single pixels
    void fill(float[] plane, int width, int height, float[] amplitude, SplitMix random) {
        int columns = span(width, OCTAVES);
        int rows = span(height, OCTAVES);
        reserve(span(width, 0) * span(height, 0));
        Arrays.fill(fine, 0, columns * rows, 0f);
        addNoise(fine, columns * rows, amplitude[OCTAVES], random);
        for (int octave = OCTAVES - 1; octave >= 0; octave--) {
            float[] source = fine;
            int sourceColumns = columns;
            columns = span(width, octave);
            rows = span(height, octave);
            enlarge(source, sourceColumns, coarse, columns, rows);
            fine = coarse;
            coarse = source;
            addNoise(fine, columns * rows, amplitude[octave], random);
        }
        for (int y = 0; y < height; y++) {
            System.arraycopy(fine, y * columns, plane, y * width, width);
        }
    }

    /// Cells along an edge of `pixels` at an octave, with the margin that interpolation reads.
    private static int span(int pixels, int octave) {
        return (pixels >> octave) + 3;
    }

    private void reserve(int cells) {
        if (fine.length < cells) {
            fine = new float[cells];
            coarse = new float[cells];
        }
    }

    private static void enlarge(float[] source, int sourceColumns, float[] target, int columns, int rows) {
        for (int y = 0; y < rows; y++) {
            int upper = (y >> 1) * sourceColumns;
            int lower = ((y + 1) >> 1) * sourceColumns;
            int out = y * columns;
            float left = source[upper] + source[lower];
            for (int x = 0; x < columns; x += 2) {
                int next = (x >> 1) + 1;
                float right = source[upper + next] + source[lower + next];
                target[out + x] = 0.5f * left;
                if (x + 1 < columns) {
                    target[out + x + 1] = 0.25f * (left + right);
                }
                left = right;
            }
        }
    }

    /// Adds triangular noise of standard deviation `amplitude` to the first `count` cells.
    static void addNoise(float[] cells, int count, float amplitude, SplitMix random) {
        float scale = amplitude * BYTE_PAIR_SCALE;
        for (int i = 0; i < count; i += 4) {
            long bits = random.nextLong();
            int end = Math.min(i + 4, count);
            for (int k = i; k < end; k++) {
                cells[k] += ((int) (bits & 0xFF) + (int) (bits >>> 8 & 0xFF) - 255) * scale;
                bits >>>= 16;
            }
        }
    }
}
