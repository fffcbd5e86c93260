package org.jspdl.media.image;

import java.util.Arrays;

/// Per channel, `(value / 255 - mean) / deviation`, for floating-point output. Immutable.
///
/// Channels are red, green and blue whatever order they are stored in; gray uses the first.
public final class Normalization {
    private static final Normalization NONE = of(new float[] {0, 0, 0}, new float[] {1, 1, 1});
    private static final Normalization IMAGE_NET =
            of(new float[] {0.485f, 0.456f, 0.406f}, new float[] {0.229f, 0.224f, 0.225f});

    private final float[] mean;
    private final float[] deviation;

    private Normalization(float[] mean, float[] deviation) {
        this.mean = mean;
        this.deviation = deviation;
    }

    /// Values from 0 to 1.
    public static Normalization none() {
        return NONE;
    }

    /// The means and deviations of ImageNet that most pretrained models expect.
    public static Normalization imageNet() {
        return IMAGE_NET;
    }

    /// Three means and three deviations, of values from 0 to 1.
    public static Normalization of(float[] mean, float[] deviation) {
        if (mean.length != 3 || deviation.length != 3) {
            throw new IllegalArgumentException(
                    "mean and deviation must have 3 values each but have " + mean.length + " and " + deviation.length);
        }
        for (float value : deviation) {
            if (!(value > 0)) {
                throw new IllegalArgumentException(
                        "deviations must be positive but were " + Arrays.toString(deviation));
            }
        }
        return new Normalization(mean.clone(), deviation.clone());
    }

    /// The means of red, green and blue.
    public float[] mean() {
        return mean.clone();
    }

    /// The deviations of red, green and blue.
    public float[] deviation() {
        return deviation.clone();
    }

    /// What a byte of `channel` (0 red, 1 green, 2 blue) is multiplied with.
    public float scale(int channel) {
        return 1 / (255 * deviation[channel]);
    }

    /// What is added after that.
    public float bias(int channel) {
        return -mean[channel] / deviation[channel];
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Normalization that
                && Arrays.equals(mean, that.mean)
                && Arrays.equals(deviation, that.deviation);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(mean) + Arrays.hashCode(deviation);
    }

    @Override
    public String toString() {
        return "mean " + Arrays.toString(mean) + ", deviation " + Arrays.toString(deviation);
    }
}
