package org.jspdl.cli.run;

import java.util.Random;
import org.jspdl.cli.run.ThroughputEstimate.Result;

/// A pipeline of known cost on a simulated machine that it shares with others: measured as [Probe] does, and then run.
/// For one run of each.
final class SimulatedProbe {
    private static final long STEP = 1_000_000;
    private static final long TICK = 10_000_000;
    private static final long BETWEEN_NOTES = 100_000_000;

    private final Random random;
    private final Work work;
    private long now;
    private double own;
    private double compiler;
    private double others;
    private double othersNow;
    private long othersChangeAt;

    /// What is simulated.
    ///
    /// @param processors of the machine
    /// @param cost       processor seconds of an item, once code is compiled
    /// @param most       items per second, however many processors there are
    /// @param batch      items in a batch
    /// @param noise      how much the cost of batches varies, as part of the mean
    /// @param warmUp     how much more items cost at first, as part of the cost; the compiler then takes a
    ///     processor
    /// @param warmth     the time in which that falls to 1/e, in seconds
    record Work(int processors, double cost, double most, int batch, double noise, double warmUp, double warmth) {
        static Work of(Random random) {
            int processors = 1 << random.nextInt(4);
            double cost = Math.exp(Math.log(0.0005) + random.nextDouble() * Math.log(100));
            double full = processors / cost;
            return new Work(
                    processors,
                    cost,
                    random.nextInt(3) == 0 ? full * (0.1 + 0.8 * random.nextDouble()) : 10 * full,
                    1 << random.nextInt(7),
                    0.3 * random.nextDouble(),
                    2 * random.nextDouble(),
                    0.3 + 2 * random.nextDouble());
        }

        /// Items per second once code is compiled, beside others that use `others` processors.
        double rate(double others) {
            return Math.min(most, (processors - others) / cost);
        }
    }

    SimulatedProbe(Work work, Random random) {
        this.work = work;
        this.random = random;
    }

    private Load load() {
        return new Load(
                now,
                (long) own,
                (long) compiler,
                ((long) (others / TICK)) * TICK,
                now / TICK * TICK * work.processors,
                work.processors);
    }

    /// Measures the work beside others who use between 0 and `mostOthers` of the processors, another part every
    /// while.
    ///
    /// @return an estimate that is done
    ThroughputEstimate measure(double mostOthers) {
        ThroughputEstimate estimate = new ThroughputEstimate(0);
        double left = batchCost();
        long nextNote = 0;
        do {
            now += STEP;
            if (now >= othersChangeAt) {
                othersNow = work.processors * mostOthers * random.nextDouble();
                othersChangeAt = now + (long) (1e9 * (0.1 + 2 * random.nextDouble()));
            }
            double cold = Math.exp(-now / 1e9 / work.warmth);
            double free = work.processors - othersNow;
            double compiling = Math.min(free / 2, cold);
            double cost = work.cost * (1 + work.warmUp * cold);
            double used = Math.min(free - compiling, work.most * cost);
            others += othersNow * STEP;
            compiler += compiling * STEP;
            own += used * STEP;
            left -= used * STEP / 1e9 / (1 + work.warmUp * cold);
            while (left <= 0) {
                left += batchCost();
                estimate.counted(work.batch);
                if (left > 0 && now >= nextNote) {
                    estimate.noted(load());
                    nextNote = now + BETWEEN_NOTES;
                }
            }
        } while (!Probe.isDone(estimate, now));
        return estimate;
    }

    /// Processor seconds.
    private double batchCost() {
        return work.batch * work.cost * Math.max(0.1, 1 + work.noise * random.nextGaussian());
    }

    /// What was predicted of a run beside others that use this many processors.
    static Result expected(ThroughputEstimate estimate, double others) {
        return estimate.conditions().expected(estimate.result(), others);
    }
}
