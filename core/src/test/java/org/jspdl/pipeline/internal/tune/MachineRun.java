package org.jspdl.pipeline.internal.tune;

import static org.jspdl.pipeline.StageOptions.auto;
import static org.jspdl.pipeline.StageOptions.cpu;
import static org.jspdl.pipeline.StageOptions.io;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Remainder;
import org.jspdl.pipeline.StageOptions;
import org.jspdl.source.Sources;

/// A simulated pipeline and its trainer on this machine: stages compute and sleep as long as simulated ones do. Used by
/// one thread.
final class MachineRun {
    private final AtomicLong sink = new AtomicLong();
    private final double loopsPerSecond;

    /// Measures first how quick the machine is, which takes two seconds.
    MachineRun() {
        double loops = 1e7;
        for (int round = 0; round < 8; round++) {
            long start = System.nanoTime();
            sink.set(compute(Math.round(0.2 * loops)));
            loops *= 0.2 * 1e9 / (System.nanoTime() - start);
        }
        loopsPerSecond = loops;
    }

    /// Work that takes a processor, whoever else has one meanwhile. Each step needs the one before, and no compiler
    /// can make several of them into one, as it can of a linear generator's: the loop would be faster at one place
    /// than at another.
    private long compute(long loops) {
        long value = sink.get() | 1;
        for (long i = loops; i > 0; i--) {
            value ^= value << 13;
            value ^= value >>> 7;
            value ^= value << 17;
        }
        return value;
    }

    private long computeFor(double seconds) {
        return compute(Math.round(seconds * loopsPerSecond));
    }

    /// @param seed   of the times of calls
    /// @param values workers of each stage with a function; empty for `auto`
    Pipeline<List<Long>> pipeline(List<SimulatedStage> stages, long seed, int[] values) {
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(Integer.MAX_VALUE));
        int knob = 0;
        for (SimulatedStage stage : stages) {
            if (stage.placement.equals("source") || stage.placement.equals("inline")) {
                continue;
            }
            StageOptions options = stage.computes()
                    ? values.length == 0 ? cpu(auto()) : cpu(values[knob])
                    : values.length == 0
                            ? io(auto().startingAt(stage.workers).atMost(TuningScenario.MOST_IO))
                            : io(values[knob]);
            knob++;
            Semaphore servers = new Semaphore(stage.servers);
            Times times = Times.of(stage, seed);
            pipeline = pipeline.pipe(stage.name, item -> call(times, servers, item), options);
        }
        return pipeline.batch(stages.getLast().group, Remainder.KEEP);
    }

    private Long call(Times times, Semaphore servers, Long item) throws InterruptedException {
        int draw = (int) (item % Times.DRAWS);
        double wait = times.waits[draw];
        double work = times.works[draw];
        if (wait > 0) {
            servers.acquire();
            try {
                Thread.sleep(Duration.ofNanos(Math.round(wait * 1e9)));
            } finally {
                servers.release();
            }
        }
        return computeFor(work) == 42 ? 0L : item;
    }

    /// What calls wait and compute, in seconds: a few draws again and again, so that any stretch of any run has the
    /// same of them. A run that goes on would else be compared with others by its luck.
    private record Times(double[] waits, double[] works) {
        private static final int DRAWS = 32;

        static Times of(SimulatedStage stage, long seed) {
            SplittableRandom random = new SplittableRandom(seed);
            double[] waits = new double[DRAWS];
            double[] works = new double[DRAWS];
            for (int i = 0; i < DRAWS; i++) {
                waits[i] = stage.wait == 0 ? 0 : stage.drawWait(random);
                works[i] = stage.drawWork(random);
            }
            return new Times(waits, works);
        }
    }

    /// Takes batches for a while, as the trainer does; batches per second.
    double train(Iterator<List<Long>> batches, SimulatedRun trainer, double seconds) throws InterruptedException {
        long start = System.nanoTime();
        long end = start + Math.round(seconds * 1e9);
        long taken = 0;
        while (System.nanoTime() < end) {
            batches.next();
            taken++;
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < trainer.trainerThreads; i++) {
                threads.add(Thread.ofPlatform().start(() -> sink.set(computeFor(trainer.trainerWork))));
            }
            for (Thread thread : threads) {
                thread.join();
            }
            Thread.sleep(Duration.ofNanos(Math.round(trainer.trainerWait * 1e9)));
        }
        return taken * 1e9 / (System.nanoTime() - start);
    }
}
