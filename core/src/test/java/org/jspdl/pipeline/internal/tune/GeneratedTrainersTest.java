package org.jspdl.pipeline.internal.tune;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Random trainers that share two processors with their loader, whose reads wait for storage far away: what helps is
/// often fewer decoders with more reads, of which neither helps alone. `-Dtuner.print=true` prints a line of each.
class GeneratedTrainersTest {
    private static final boolean CAMPAIGN = Boolean.getBoolean("campaign");
    private static final int CASES = CAMPAIGN ? 900 : 24;
    private static final int FIRST = 10_000;
    private static final int READS = 8;
    private static final int MOST_READS = 64;

    private static SimulatedRun run(long seed, int reads, int decoders) {
        SplittableRandom random = new SplittableRandom(seed);
        double wait = SimulatedWork.between(random, 0.02, 0.1);
        double work = SimulatedWork.between(random, 0.001, 0.004);
        int size = 8 << random.nextInt(3);
        SimulatedRun run = new SimulatedRun(
                seed,
                2,
                List.of(
                        new SimulatedStage("source", "source", 1, 1, 0, 0),
                        new SimulatedStage("read", "io", reads, 1, 0.0001, wait),
                        new SimulatedStage("decode", "cpu", decoders, 1, work, 0),
                        new SimulatedStage("batch", "inline", 1, size, 0, 0)));
        run.trainerThreads = 2;
        run.trainerWork = size * work / 2 * SimulatedWork.between(random, 0.3, 1.5);
        run.trainerWait = run.trainerWork * SimulatedWork.between(random, 0.3, 3);
        return run;
    }

    private static double bestOfSettings(long seed) {
        double best = 0;
        for (int decoders = 1; decoders <= 2; decoders++) {
            for (int reads = 4; reads <= MOST_READS; reads *= 2) {
                SimulatedRun fixed = run(seed, reads, decoders);
                fixed.until(5, at -> {});
                best = Math.max(best, fixed.rate(20));
            }
        }
        return best;
    }

    @Test
    void stepsAreHardlyLongerThanWithTheBestOfTenSettings() {
        List<Double> steps = new ArrayList<>();
        for (long seed = FIRST; seed < FIRST + CASES; seed++) {
            TunedRun tuned = new TunedRun(
                            run(seed, READS, 2),
                            List.of(
                                    new Knob("read", Knob.Kind.CONCURRENCY, 1, MOST_READS, READS),
                                    new Knob("decode", Knob.Kind.CONCURRENCY, 1, 2, 2)))
                    .seconds(60);
            double step = bestOfSettings(seed) / tuned.rate(20);
            steps.add(step);
            if (Boolean.getBoolean("tuner.print")) {
                System.out.printf(Locale.ROOT, "%.3f %d: %s, %s%n", step, seed, tuned.tuner, tuned.steps);
            }
            assertThat(tuned.isSettled()).as("%d: %s", seed, tuned.steps).isTrue();
            assertThat(step).as("%d: %s", seed, tuned.steps).isLessThan(1.2);
        }
        double mean = steps.stream().mapToDouble(each -> each).average().orElseThrow();
        long longer = steps.stream().filter(each -> each > 1.02).count();
        double worst = steps.stream().mapToDouble(each -> each).max().orElseThrow();
        System.out.printf(
                Locale.ROOT,
                "steps of %d generated trainers: mean %.4f of the best of ten settings, most %.3f, %d beyond 1.02%n",
                CASES,
                mean,
                worst,
                longer);
        assertThat(mean).isLessThan(1.01);
        assertThat((double) longer / CASES).isLessThan(CAMPAIGN ? 0.06 : 0.2);
    }
}
