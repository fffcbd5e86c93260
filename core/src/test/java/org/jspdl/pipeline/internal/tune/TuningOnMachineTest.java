package org.jspdl.pipeline.internal.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jspdl.pipeline.StageOptions.auto;
import static org.jspdl.pipeline.StageOptions.cpu;
import static org.jspdl.pipeline.StageOptions.io;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Remainder;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.StageOptions;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The scenarios of [TuningScenario] on this machine: stages compute and sleep as long as simulated ones do. Only those
/// of as many processors as there are run, so that `taskset -c 0` chooses the others. Of a quiet machine.
///
/// `-Dtuning.seeds=4,5,6` chooses scenarios; each takes about four and a half minutes, or `-Dtuning.scale=0.1` of that.
@Tag("campaign")
class TuningOnMachineTest {
    private static final double SCALE = Double.parseDouble(System.getProperty("tuning.scale", "1"));
    private static final int SETTINGS = 16;
    private static final double SETTING_SECONDS = 8;
    private static final double WARM_UP_SECONDS = 2;
    private static final double TUNING_SECONDS = 60;
    private static final int ROUNDS = 3;

    private final AtomicLong sink = new AtomicLong();
    private double loopsPerSecond;

    /// Work that takes a processor, whoever else has one meanwhile.
    private long compute(double seconds) {
        long value = sink.get();
        for (long i = Math.round(seconds * loopsPerSecond); i > 0; i--) {
            value = value * 6364136223846793005L + 1442695040888963407L;
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
            if (rate > most) {
                most = rate;
                best = values;
            }
        }
        return best;
    }

    @Test
    @Timeout(3 * 3600)
    void aMinuteOfTuningReachesWhatASearchFindsOnThisMachine() throws Exception {
        String chosen = System.getProperty("tuning.seeds", "");
        List<Long> seeds = Arrays.stream(chosen.split(",", -1))
                .filter(each -> !each.isBlank())
                .map(Long::valueOf)
                .toList();
        calibrate();
        List<Double> shares = new ArrayList<>();
        for (TuningScenario scenario : TuningScenario.all()) {
            boolean wanted = seeds.isEmpty() || seeds.contains(scenario.seed());
            if (wanted && scenario.processors() == Runtime.getRuntime().availableProcessors()) {
                shares.add(share(scenario));
            }
        }
        double[] sorted = shares.stream().mapToDouble(each -> each).sorted().toArray();
        System.out.printf(
                Locale.ROOT,
                "on this machine: median %.3f, least %.3f of %d%n",
                sorted[sorted.length / 2],
                sorted[0],
                sorted.length);
        assertThat(sorted[sorted.length / 2]).as(Arrays.toString(sorted)).isGreaterThan(0.95);
    }

    private double share(TuningScenario scenario) throws Exception {
        try (Run<List<Long>> run = pipeline(scenario, new int[0]).start()) {
            Iterator<List<Long>> batches = run.iterator();
            train(batches, scenario.run(), TUNING_SECONDS);
            int[] best = search(scenario);
            double reached = 0;
            double found = 0;
            for (int round = 0; round < ROUNDS; round++) {
                train(batches, scenario.run(), WARM_UP_SECONDS);
                reached += train(batches, scenario.run(), SETTING_SECONDS);
                found += fixed(scenario, best);
            }
            System.out.printf(
                    Locale.ROOT,
                    "%.3f %s: search %s, tuned %s%n",
                    reached / found,
                    scenario,
                    Arrays.toString(best),
                    run.stats().tuning().steps());
            return reached / found;
        }
    }
}
