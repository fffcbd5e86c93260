package org.jspdl.data.sample;

/// Paints the pictures of the sample set, pixel for pixel the same on every machine.
///
/// A picture is objects in the colors of its class, grain in the direction of its class, detail at every scale, uneven
/// light and the noise of a sensor. Only arithmetic whose result Java fixes is used. Keeps its memory between pictures;
/// one thread at a time.
final class Painter {
    private static final int WAVE_STEPS = 1024;

    private final float[] wave = new float[WAVE_STEPS];
    private final float[] amplitude = new float[FractalNoise.OCTAVES + 1];
    private final Canvas canvas = new Canvas();
    private final FractalNoise fractal = new FractalNoise();
    private float[] detail = new float[0];
    private float[] grain = new float[0];

    Painter() {
        for (int i = 0; i < WAVE_STEPS; i++) {
            wave[i] = (float) StrictMath.sin(2 * Math.PI * i / WAVE_STEPS);
        }
    }

    /// Paints `photo` into `pixels`, three bytes each in the order blue, green, red (or one, for a grayscale
    /// photo).
    void paint(Photo photo, long seed, byte[] pixels) {
        SplitMix random = SplitMix.keyed(seed, 2L * photo.index() + 1);
        int count = photo.width() * photo.height();
        if (detail.length < count) {
            detail = new float[count];
            grain = new float[count];
        }
        float light = random.between(0.6f, 1f);
        layObjects(photo, light, random);
        paintDetail(photo, random);
        paintGrain(photo, random);
        develop(photo, random, pixels);
    }

    private void layObjects(Photo photo, float light, SplitMix random) {
        SampleClass label = photo.label();
        canvas.clear(photo.width(), photo.height(), surface(label, light, random));
        int objects = 14 + random.below(30);
        float longest = Math.max(photo.width(), photo.height());
        for (int i = 0; i < objects; i++) {
            float near = (i + 1f) / objects; // far objects first, and larger
            float size = longest * (0.025f + 0.3f * (1 - near) * random.unit() + 0.06f * random.unit());
            float halfLength = label.form() == SampleClass.Form.BAND ? size * 2.5f : size;
            float halfWidth = size * random.between(0.35f, 0.9f);
            double angle = Math.toRadians(label.grainDegrees() + 90 + random.between(-12, 12));
            canvas.lay(
                    label.form(),
                    random.unit() * photo.width(),
                    random.unit() * photo.height(),
                    halfLength,
                    halfWidth,
                    (float) StrictMath.cos(angle),
                    (float) StrictMath.sin(angle),
                    surface(label, light, random));
        }
    }

    private static Canvas.Surface surface(SampleClass label, float light, SplitMix random) {
        int color = label.color(random.below(label.colors()));
        float shade = light * random.between(0.8f, 1.2f);
        float texture = random.below(4) == 0 ? random.between(0.15f, 0.5f) : random.between(0.7f, 1.7f);
        return new Canvas.Surface(
                (color >> 16) * shade + random.between(-14, 14),
                (color >> 8 & 0xFF) * shade + random.between(-14, 14),
                (color & 0xFF) * shade + random.between(-14, 14),
                texture);
    }

    private void paintDetail(Photo photo, SplitMix random) {
        float contrast = random.between(9f, 18f);
        float sharpness = random.between(0.6f, 1.35f);
        amplitude[0] = contrast * 0.55f * sharpness;
        amplitude[1] = contrast * 0.85f * sharpness;
        for (int octave = 2; octave <= FractalNoise.OCTAVES; octave++) {
            amplitude[octave] = contrast;
        }
        fractal.fill(detail, photo.width(), photo.height(), amplitude, random);
    }

    private void paintGrain(Photo photo, SplitMix random) {
        double angle = Math.toRadians(photo.label().grainDegrees() + random.between(-7, 7));
        float perPixel = WAVE_STEPS / (photo.label().grainPixels() * random.between(0.85f, 1.15f));
        float stepX = (float) StrictMath.cos(angle) * perPixel;
        float stepY = (float) StrictMath.sin(angle) * perPixel;
        float start = random.unit() * WAVE_STEPS + 64 * WAVE_STEPS * perPixel;
        float strength = random.between(5f, 14f);
        float bend = perPixel * 0.12f; // the detail bends the ridges, as growth does
        int pixel = 0;
        for (int y = 0; y < photo.height(); y++) {
            for (int x = 0; x < photo.width(); x++, pixel++) {
                int step = (int) (start + x * stepX + y * stepY + detail[pixel] * bend);
                grain[pixel] = strength * wave[step & WAVE_STEPS - 1];
            }
        }
    }

    /// Puts objects, detail, grain, light and noise together.
    private void develop(Photo photo, SplitMix random, byte[] pixels) {
        boolean gray = photo.chroma() == Photo.Chroma.GRAY;
        float noise = random.between(2.5f, 9f);
        float slopeX = random.between(-50, 50) / photo.width();
        float slopeY = random.between(-50, 50) / photo.height();
        int[] colors = canvas.pixels();
        int out = 0;
        int pixel = 0;
        for (int y = 0; y < photo.height(); y++) {
            float light = slopeY * (y - photo.height() / 2f) - slopeX * (photo.width() / 2f);
            for (int x = 0; x < photo.width(); x++, pixel++, light += slopeX) {
                int color = colors[pixel];
                float red = Canvas.red(color);
                float green = Canvas.green(color);
                float blue = Canvas.blue(color);
                float shade = light + Canvas.texture(color) * (detail[pixel] + grain[pixel]);
                long bits = random.nextLong();
                if (gray) {
                    pixels[out++] = level(0.3f * red + 0.59f * green + 0.11f * blue + shade, noise, bits);
                } else {
                    float shared = triangle(bits >>> 48) * noise;
                    pixels[out++] = level(blue + shade * 0.9f + shared, noise * 0.5f, bits);
                    pixels[out++] = level(green + shade + shared, noise * 0.5f, bits >>> 16);
                    pixels[out++] = level(red + shade * 1.05f + shared, noise * 0.5f, bits >>> 32);
                }
            }
        }
    }

    private static byte level(float value, float noise, long bits) {
        int rounded = (int) (value + triangle(bits) * noise + 0.5f);
        return (byte) Math.max(0, Math.min(255, rounded));
    }

    /// A value of mean 0 and standard deviation 1 from the lowest 16 bits.
    private static float triangle(long bits) {
        return ((int) (bits & 0xFF) + (int) (bits >>> 8 & 0xFF) - 255) * (1f / 104.5f);
    }
}
