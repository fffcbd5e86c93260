package org.jspdl.observe.faults;

/// How fast this machine computes.
final class Calibration {
    /// Rounds of square roots in a microsecond, the fastest of several tries, so that a busy machine doesn't count.
    static final double ROUNDS_PER_MICRO = measure();

    private Calibration() {}

    private static double measure() {
        double best = 0;
        double sink = 0;
        for (int i = 0; i < 60; i++) {
            long start = System.nanoTime();
            double sum = 0;
            int rounds = 100_000;
            for (int j = 0; j < rounds; j++) {
                sum += Math.sqrt(j + sum);
            }
            sink += sum;
            best = Math.max(best, rounds * 1e3 / (System.nanoTime() - start));
        }
        return sink == 42 ? 1 : best;
    }
}
