package org.jspdl.data.sample;

/// The planes of one picture while it is painted: three colors of 0 to 255, and how strongly the surface is textured.
///
/// Objects are laid over one another with soft edges, like leaves. Keeps its memory between pictures; one thread at a
/// time.
final class Canvas {
    private float[] red = new float[0];
    private float[] green = new float[0];
    private float[] blue = new float[0];
    private float[] texture = new float[0];
    private int width;
    private int height;

    float[] red() {
        return red;
    }

    float[] green() {
        return green;
    }

    float[] blue() {
        return blue;
    }

    float[] texture() {
        return texture;
    }

    /// Starts a picture of the given size, covered by one surface.
    void clear(int newWidth, int newHeight, Surface surface) {
        width = newWidth;
        height = newHeight;
        int pixels = width * height;
        if (red.length < pixels) {
            red = new float[pixels];
            green = new float[pixels];
            blue = new float[pixels];
            texture = new float[pixels];
        }
        java.util.Arrays.fill(red, 0, pixels, surface.red());
        java.util.Arrays.fill(green, 0, pixels, surface.green());
        java.util.Arrays.fill(blue, 0, pixels, surface.blue());
        java.util.Arrays.fill(texture, 0, pixels, surface.texture());
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
        for (int y = top; y < bottom; y++) {
            for (int x = left; x < right; x++) {
                float dx = x - centerX;
                float dy = y - centerY;
                float inside =
                        depth(form, dx * cosine + dy * sine, dy * cosine - dx * sine, halfLength, halfWidth) * 0.6f
                                + 0.5f;
                if (inside > 0) {
                    blend(y * width + x, Math.min(1f, inside), surface);
                }
            }
        }
    }

    private void blend(int pixel, float share, Surface surface) {
        red[pixel] += share * (surface.red() - red[pixel]);
        green[pixel] += share * (surface.green() - green[pixel]);
        blue[pixel] += share * (surface.blue() - blue[pixel]);
        texture[pixel] += share * (surface.texture() - texture[pixel]);
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
    record Surface(float red, float green, float blue, float texture) {}
}
