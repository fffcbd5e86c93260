package org.jspdl.data.sample;

import java.util.Arrays;

/// One picture while it is painted: of each pixel a color, and how strongly the surface is textured.
///
/// Objects are laid over one another with soft edges, like leaves. Keeps its memory between pictures; one thread at a
/// time.
final class Canvas {
    /// How much of [Surface#texture] one step of a pixel's highest byte is.
    private static final float TEXTURE_STEP = 1 / 128f;

    /// The most by which the depth of an outline differs between neighbors: of a diamond, 0.7 times (1 + width /
    /// length).
    private static final float STEEPEST = 1.5f;

    /// Texture, red, green, blue: a byte each, so that an object costs one store a pixel.
    private int[] pixels = new int[0];

    private int width;
    private int height;

    /// Of each pixel, row by row, what [#red], [#green], [#blue] and [#texture] read.
    int[] pixels() {
        return pixels;
    }

    static float red(int pixel) {
        return pixel >> 16 & 0xFF;
    }

    static float green(int pixel) {
        return pixel >> 8 & 0xFF;
    }

    static float blue(int pixel) {
        return pixel & 0xFF;
    }

    /// 1 is average.
    static float texture(int pixel) {
        return (pixel >>> 24) * TEXTURE_STEP;
    }

    /// Starts a picture of the given size, covered by one surface.
    void clear(int newWidth, int newHeight, Surface surface) {
        width = newWidth;
        height = newHeight;
        if (pixels.length < width * height) {
            pixels = new int[width * height];
        }
        Arrays.fill(pixels, 0, width * height, surface.pixel());
    }

    /// Lays an object over what is there.
    ///
    /// @param halfLength half its extent along its axis, in pixels
    /// @param halfWidth  half its extent across
    /// @param cosine     of the angle between its axis and the horizontal; `sine` likewise
    void lay(
            SampleClass.Form form,
            float centerX,
            float centerY,
            float halfLength,
            float halfWidth,
            float cosine,
            float sine,
            Surface surface) {
        float reachX = Math.abs(cosine) * halfLength + Math.abs(sine) * halfWidth + 1;
        float reachY = Math.abs(sine) * halfLength + Math.abs(cosine) * halfWidth + 1;
        int left = Math.max(0, (int) (centerX - reachX));
        int right = Math.min(width, (int) (centerX + reachX) + 1);
        int top = Math.max(0, (int) (centerY - reachY));
        int bottom = Math.min(height, (int) (centerY + reachY) + 1);
        Outline outline = new Outline(form, centerX, centerY, halfLength, halfWidth, cosine, sine);
        int color = surface.pixel();
        for (int y = top; y < bottom; y++) {
            int row = y * width;
            int from = layEdge(outline, y, row, left, right, 1, color);
            if (from >= right) {
                continue;
            }
            if (form == SampleClass.Form.RING) {
                while (from < right) {
                    pixels[row + from] = color;
                    from = layEdge(outline, y, row, from + 1, right, 1, color);
                }
                continue;
            }
            // Every other form is convex: what lies between two covered pixels of a row is covered.
            int last = layEdge(outline, y, row, right - 1, from, -1, color);
            Arrays.fill(pixels, row + from, row + last + 1, color);
        }
    }

    /// Goes from column `x` by `step` to the first pixel that the object covers wholly, or to `end`, and blends
    /// what it covers in part on the way. The column where it stopped.
    private int layEdge(Outline outline, int y, int row, int x, int end, int step, int color) {
        while (x != end) {
            float depth = outline.depth(x, y);
            float inside = depth * 0.6f + 0.5f;
            if (inside >= 1) {
                return x;
            }
            if (inside > 0) {
                pixels[row + x] = blended(pixels[row + x], color, (int) (inside * 256));
                x += step;
            } else {
                // From pixel to pixel a depth changes by less than STEEPEST, so that those in between
                // are outside, too.
                int far = Math.max(1, (int) ((-depth - 1) / STEEPEST));
                x = step > 0 ? Math.min(x + far, end) : Math.max(x - far, end);
            }
        }
        return end;
    }

    /// `share / 256` of `over`, and `below` for the rest, byte by byte.
    private static int blended(int below, int over, int share) {
        int even = (((below & 0xFF00FF) * (256 - share) + (over & 0xFF00FF) * share) >>> 8) & 0xFF00FF;
        int odd = (((below >>> 8) & 0xFF00FF) * (256 - share) + ((over >>> 8) & 0xFF00FF) * share) & 0xFF00FF00;
        return odd | even;
    }

    /// Where an object's edge is.
    private record Outline(
            SampleClass.Form form,
            float centerX,
            float centerY,
            float halfLength,
            float halfWidth,
            float cosine,
            float sine) {
        float depth(int x, int y) {
            float dx = x - centerX;
            float dy = y - centerY;
            return Canvas.depth(form, dx * cosine + dy * sine, dy * cosine - dx * sine, halfLength, halfWidth);
        }
    }

    /// How far inside the outline a point is, in pixels, roughly; negative outside.
    private static float depth(SampleClass.Form form, float along, float across, float halfLength, float halfWidth) {
        return switch (form) {
            case BAND, BOX -> Math.min(halfLength - Math.abs(along), halfWidth - Math.abs(across));
            case DIAMOND -> (1 - Math.abs(along) / halfLength - Math.abs(across) / halfWidth) * halfWidth * 0.7f;
            case DISC -> (1 - distance(along / halfLength, across / halfWidth)) * halfWidth;
            case RING -> (0.28f - Math.abs(distance(along / halfLength, across / halfWidth) - 0.72f)) * halfWidth;
            case TRIANGLE ->
                Math.min(halfWidth - across, (halfWidth + across) * 0.5f - Math.abs(along) * halfWidth / halfLength)
                        * 0.7f;
        };
    }

    private static float distance(float x, float y) {
        return (float) Math.sqrt(x * x + y * y);
    }

    /// The color of an object, and how strongly it is textured: 1 is average.
    record Surface(float red, float green, float blue, float texture) {
        int pixel() {
            return level(texture / TEXTURE_STEP) << 24 | level(red) << 16 | level(green) << 8 | level(blue);
        }

        private static int level(float value) {
            return Math.clamp((int) (value + 0.5f), 0, 255);
        }
    }
}
