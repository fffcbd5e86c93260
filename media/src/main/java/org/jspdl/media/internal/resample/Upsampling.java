package org.jspdl.media.internal.resample;

/// How a decoder enlarges a subsampled plane to full resolution on one axis.
public enum Upsampling {
    /// The plane has full resolution.
    NONE(1),
    /// Two for one, three quarters of the nearer and one quarter of the farther sample (libjpeg's "fancy"
    /// upsampling).
    LINEAR_2(2),
    /// Two copies of each sample.
    REPLICATE_2(2),
    /// Four copies of each sample.
    REPLICATE_4(4);

    /// libjpeg interpolates no rows of so few samples.
    private static final int NARROW = 2;

    private final int factor;

    Upsampling(int factor) {
        this.factor = factor;
    }

    /// What libjpeg does across for planes of which one sample stands for `factor` of full resolution, 1, 2 or 4,
    /// and that have `samples` in a row.
    public static Upsampling acrossOfJpeg(int factor, int samples) {
        return switch (factor) {
            case 1 -> NONE;
            case 2 -> samples > NARROW ? LINEAR_2 : REPLICATE_2;
            default -> REPLICATE_4;
        };
    }

    /// What libjpeg does down, where it does `across` across: it interpolates both ways or none.
    public static Upsampling downOfJpeg(int factor, Upsampling across) {
        return switch (factor) {
            case 1 -> NONE;
            case 2 -> across == REPLICATE_2 ? REPLICATE_2 : LINEAR_2;
            default -> REPLICATE_4;
        };
    }

    /// Full-resolution samples to one sample of the plane.
    public int factor() {
        return factor;
    }

    /// The lowest sample that full-resolution sample `k` depends on.
    int lowest(int k, int samples) {
        return switch (this) {
            case NONE -> Math.min(k, samples - 1);
            case LINEAR_2 -> Math.clamp((k - 1) >> 1, 0, samples - 1);
            case REPLICATE_2 -> Math.min(k >> 1, samples - 1);
            case REPLICATE_4 -> Math.min(k >> 2, samples - 1);
        };
    }

    /// The highest sample that full-resolution sample `k` depends on.
    int highest(int k, int samples) {
        return switch (this) {
            case NONE -> Math.min(k, samples - 1);
            case LINEAR_2 -> Math.min((k + 1) >> 1, samples - 1);
            case REPLICATE_2 -> Math.min(k >> 1, samples - 1);
            case REPLICATE_4 -> Math.min(k >> 2, samples - 1);
        };
    }

    /// Adds the `weight` of full-resolution sample `k` to the samples it is made from; `into[0]` is sample `from`.
    void spread(int k, double weight, int from, int samples, double[] into) {
        switch (this) {
            case NONE, REPLICATE_2, REPLICATE_4 -> into[lowest(k, samples) - from] += weight;
            case LINEAR_2 -> {
                int near = Math.min(k >> 1, samples - 1);
                int far = Math.clamp((k & 1) == 0 ? near - 1 : near + 1, 0, samples - 1);
                into[near - from] += 0.75 * weight;
                into[far - from] += 0.25 * weight;
            }
        }
    }
}
