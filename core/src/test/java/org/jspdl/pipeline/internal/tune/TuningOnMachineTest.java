package org.jspdl.pipeline.internal.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jspdl.pipeline.StageOptions.auto;
import static org.jspdl.pipeline.StageOptions.cpu;
import static org.jspdl.pipeline.StageOptions.io;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Remainder;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.StageOptions;
import org.jspdl.source.Sources;
import org.jspdl.stats.TuningStep;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The scenarios of [TuningScenario] on this machine: stages compute and sleep as long as simulated ones do. Of a quiet
/// machine. Only the scenarios of as many processors as there are run: nine on two processors, which take 42 minutes,
/// and eleven with `taskset -c 0`, which take 52.
///
/// `-Dtuning.seeds=4,5,6` chooses scenarios, `-Dtuning.from=1001` twenty others, `-Dtuning.count=4` the first four of
/// those; each takes about four and a half minutes, or `-Dtuning.scale=0.1` of that. What is measured is printed at
/// once, so that a part of the scenarios counts, too; a scenario that fails or hangs fails the test after the others
/// have run.
@Tag("campaign")
class TuningOnMachineTest {
    private static final double SCALE = Double.parseDouble(System.getProperty("tuning.scale", "1"));
    private static final int SETTINGS = 16;
    private static final double SETTING_SECONDS = 8;
    private static final double WARM_UP_SECONDS = 2;
    private static final double TUNING_SECONDS = 60;
    private static final int ROUNDS = 3;
    /// A scenario that takes so many times as long as it should hangs.
    private static final double HANGS = 2;

    private final AtomicLong sink = new AtomicLong();
    private double loopsPerSecond;

    private static void print(String format, Object... values) {
        System.out.printf(Locale.ROOT, format + "%n", values);
        System.out.flush();
    }

    /// Work that takes a processor, whoever else has one meanwhile. Each step needs the one before, and no compiler
    /// can make several of them into one, as it can of a linear generator's: the loop would be faster at one place
    /// than at another.
    private long compute(double seconds) {
        long value = sink.get() | 1;
        for (long i = Math.round(seconds * loopsPerSecond); i > 0; i--) {
            value ^= value << 13;
            value ^= value >>> 7;
            value ^= value << 17;
        }
        return value;
    }

    private void calibrate() {
        loopsPerSecond = 1e7;
        for (int round = 0; round < 8; round++) {
            long start = System.nanoTime();
            sink.set(compute(0.2));
            loopsPerSecond *= 0.2 * 1e9 / (System.nanoTime() - start);
        }
    }

    private Pipeline<List<Long>> pipeline(TuningScenario scenario, int[] values) {
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(Integer.MAX_VALUE));
        int knob = 0;
        List<SimulatedStage> stages = scenario.run().stages;
        for (SimulatedStage stage : stages) {
            if (stage.placement.equals("source") || stage.placement.equals("inline")) {
                continue;
            }
            Semaphore servers = new Semaphore(stage.servers);
            SplittableRandom random = new SplittableRandom(scenario.seed());
            StageOptions options = stage.computes()
                    ? values.length == 0 ? cpu(auto()) : cpu(values[knob])
                    : values.length == 0
                            ? io(auto().startingAt(stage.workers).atMost(TuningScenario.MOST_IO))
                            : io(values[knob]);
            knob++;
            pipeline = pipeline.pipe(
                    stage.name,
                    item -> {
                        double wait;
                        double work;
                        synchronized (random) {
                            wait = stage.wait == 0 ? 0 : stage.drawWait(random);
                            work = stage.drawWork(random);
                        }
                        if (wait > 0) {
                            servers.acquire();
                            try {
                                Thread.sleep(Duration.ofNanos(Math.round(wait * 1e9)));
                            } finally {
                                servers.release();
                            }
                        }
                        return compute(work) == 42 ? 0L : item;
                    },
                    options);
        }
        return pipeline.batch(stages.getLast().group, Remainder.KEEP);
    }

    /// Takes batches for a while, as the scenario's trainer does; batches per second.
    private double train(Iterator<List<Long>> batches, SimulatedRun trainer, double seconds) throws Exception {
        long start = System.nanoTime();
        long end = start + Math.round(SCALE * seconds * 1e9);
        long taken = 0;
        while (System.nanoTime() < end) {
            batches.next();
            taken++;
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < trainer.trainerThreads; i++) {
                threads.add(Thread.ofPlatform().start(() -> sink.set(compute(trainer.trainerWork))));
            }
            for (Thread thread : threads) {
                thread.join();
            }
            Thread.sleep(Duration.ofNanos(Math.round(trainer.trainerWait * 1e9)));
        }
        return taken * 1e9 / (System.nanoTime() - start);
    }

    private double fixed(TuningScenario scenario, int[] values) throws Exception {
        try (Run<List<Long>> run = pipeline(scenario, values).start()) {
            Iterator<List<Long>> batches = run.iterator();
            train(batches, scenario.run(), WARM_UP_SECONDS);
            return train(batches, scenario.run(), SETTING_SECONDS);
        }
    }

    private int[] search(TuningScenario scenario) throws Exception {
        SplittableRandom random = new SplittableRandom(scenario.seed() + 1);
        List<Knob> knobs = scenario.knobs();
        int[] best = new int[0];
        double most = -1;
        for (int i = 0; i < SETTINGS; i++) {
            boolean all = i == 0;
            int[] values = knobs.stream()
                    .mapToInt(
                            knob -> all ? knob.most() : (int) Math.round(SimulatedWork.between(random, 1, knob.most())))
                    .toArray();
            double rate = fixed(scenario, values);
            print("  search %d of %d: %s, %.2f batches/s", i + 1, SETTINGS, Arrays.toString(values), rate);
            if (rate > most) {
                most = rate;
                best = values;
            }
        }
        return best;
    }

    /// The scenarios that were asked for, of those for as many processors as there are.
    private static List<TuningScenario> chosen() {
        List<Long> seeds = Arrays.stream(System.getProperty("tuning.seeds", "").split(",", -1))
                .filter(each -> !each.isBlank())
                .map(each -> Long.valueOf(each.strip()))
                .toList();
        int processors = Runtime.getRuntime().availableProcessors();
        return TuningScenario.chosen().stream()
                .filter(each -> seeds.isEmpty() || seeds.contains(each.seed()))
                .filter(each -> each.processors() == processors)
                .limit(Integer.getInteger("tuning.count", Integer.MAX_VALUE))
                .toList();
    }

    private static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int half = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(half) : (sorted.get(half - 1) + sorted.get(half)) / 2;
    }

    @Test
    @Timeout(value = 4, unit = TimeUnit.HOURS)
    void aMinuteOfTuningReachesWhatASearchFindsOnThisMachine() {
        List<TuningScenario> chosen = chosen();
        assertThat(chosen)
                .as("scenarios of %d processors", Runtime.getRuntime().availableProcessors())
                .isNotEmpty();
        calibrate();
        double seconds = TUNING_SECONDS + (SETTINGS + 2 * ROUNDS) * (WARM_UP_SECONDS + SETTING_SECONDS);
        print("%d scenarios of %.0f s, %.0f loops/us", chosen.size(), SCALE * seconds, loopsPerSecond / 1e6);
        List<Double> shares = new ArrayList<>();
        List<String> failed = new ArrayList<>();
        for (TuningScenario scenario : chosen) {
            print("%d of %d: %s", shares.size() + failed.size() + 1, chosen.size(), scenario);
            try {
                Duration most = Duration.ofSeconds(60 + Math.round(HANGS * SCALE * seconds));
                shares.add(assertTimeoutPreemptively(most, () -> share(scenario)));
                print(
                        "on this machine: median %.3f, least %.3f of %d",
                        median(shares), Collections.min(shares), shares.size());
            } catch (Exception | AssertionError e) {
                failed.add(scenario + ": " + e);
                print("  failed: %s", e);
            }
        }
        assertThat(failed).isEmpty();
        assertThat(median(shares)).as(shares.toString()).isGreaterThan(0.95);
    }

    private double share(TuningScenario scenario) throws Exception {
        try (Run<List<Long>> run = pipeline(scenario, new int[0]).start()) {
            Iterator<List<Long>> batches = run.iterator();
            double tuning = train(batches, scenario.run(), TUNING_SECONDS);
            print("  a minute of tuning: %.2f batches/s", tuning);
            run.stats().tuning().steps().forEach(step -> print("    %s", told(step)));
            int told = run.stats().tuning().steps().size();
            int[] best = search(scenario);
            double reached = 0;
            double found = 0;
            for (int round = 0; round < ROUNDS; round++) {
                train(batches, scenario.run(), WARM_UP_SECONDS);
                double tuned = train(batches, scenario.run(), SETTING_SECONDS);
                double fixed = fixed(scenario, best);
                print("  round %d: tuned %.2f, search %.2f batches/s: %.3f", round + 1, tuned, fixed, tuned / fixed);
                reached += tuned;
                found += fixed;
            }
            run.stats().tuning().steps().stream()
                    .skip(told)
                    .forEach(step -> print("    changed while measured: %s", told(step)));
            print("  %.3f %s: search %s", reached / found, scenario, Arrays.toString(best));
            return reached / found;
        }
    }

    private static String told(TuningStep step) {
        return String.format(Locale.ROOT, "%.1f s: %s", step.at().toMillis() / 1e3, step);
    }
}
