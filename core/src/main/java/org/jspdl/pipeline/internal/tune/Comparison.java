package org.jspdl.pipeline.internal.tune;

import java.util.Locale;

/// Throughput after a change beside that before it, in the way in which both are known best.
record Comparison(Measurement before, Measurement after) {
    /// A change that uses more has to help by this, and by 1.5 times the noise.
    private static final double LEAST_GAIN = 0.02;
    private static final double NOISE = 1.5;
    /// What lowering something seems to have gained may be these processors that others have left meanwhile.
    private static final double LEFT_PROCESSORS = 0.25;
    /// A change is plain where neither it nor its error is larger.
    private static final double PLAIN = 0.02;

    Measurement.By by() {
        return after.best(before);
    }

    /// How much larger throughput is: 0.1 is a tenth.
    double gain() {
        return gain(before.rate(by()), after.rate(by()));
    }

    /// The standard error of the gain.
    double noise() {
        return Math.hypot(after.error(by()), before.error(by()));
    }

    /// Nothing is a gain over a time in which nothing came, as when the consumer works on one batch for long.
    private static double gain(double before, double after) {
        return before <= 0 ? 0 : after / before - 1;
    }

    /// Whether it is larger by what makes more worth its cost.
    boolean helps() {
        return gain() >= Math.max(LEAST_GAIN, NOISE * noise());
    }

    /// Whether it is the same, as far as such measurements can tell.
    boolean isPlain() {
        return Math.abs(gain()) <= PLAIN && noise() <= PLAIN;
    }

    /// Whether others left processors to the run only as before.
    boolean isComparable() {
        return before.processorsUsedByOthers() - after.processorsUsedByOthers() <= LEFT_PROCESSORS;
    }

    /// For people.
    String told() {
        return String.format(
                Locale.ROOT, "throughput changed by %+.1f %%, with an error of %.1f %%", 100 * gain(), 100 * noise());
    }
}
