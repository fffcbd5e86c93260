package org.jspdl.pipeline.internal.tune;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/// A random pipeline on a random machine, which can be run with any settings.
///
/// @param seed chooses it
record SimulatedCase(long seed) {
    private static final int[] PROCESSORS = {1, 2, 2, 4, 8};
    static final int MOST_IO = 128;

    SimulatedRun run() {
        SplittableRandom random = new SplittableRandom(seed);
        int processors = PROCESSORS[random.nextInt(PROCESSORS.length)];
        List<SimulatedStage> stages = new ArrayList<>();
        stages.add(new SimulatedStage("source", "source", 1, 1, 0, 0));
        int functions = 1 + random.nextInt(3);
        for (int i = 0; i < functions; i++) {
            boolean waits = random.nextInt(3) == 0 || (i == 0 && random.nextBoolean());
            String name = (waits ? "io" : "cpu") + i;
            double work = waits ? between(random, 0.00005, 0.0005) : between(random, 0.0005, 0.01);
            double wait = waits ? between(random, 0.002, 0.1) : 0;
            SimulatedStage stage = new SimulatedStage(name, waits ? "io" : "cpu", processors, 1, work, wait);
            if (waits && random.nextInt(3) == 0) {
                stage.servers = 2 + random.nextInt(30);
            }
            stages.add(stage);
        }
        int size = 1 << random.nextInt(6);
        stages.add(new SimulatedStage("batch", "inline", 1, size, 0, 0));
        SimulatedRun run = new SimulatedRun(seed, processors, stages);
        switch (random.nextInt(4)) {
            case 0 -> run.trainerWait = size * between(random, 0.0002, 0.01);
            case 1 -> {
                run.trainerThreads = processors;
                run.trainerWork = size * between(random, 0.0002, 0.002);
                run.trainerWait = run.trainerWork;
            }
            default -> run.trainerWait = 0.0001;
        }
        return run;
    }

    private static double between(SplittableRandom random, double least, double most) {
        return least * Math.pow(most / least, random.nextDouble());
    }

    /// What a tuner may choose.
    List<Knob> knobs() {
        SimulatedRun run = run();
        return run.stages.stream()
                .filter(stage -> !stage.placement.equals("source") && !stage.placement.equals("inline"))
                .map(stage -> new Knob(
                        stage.name,
                        Knob.Kind.CONCURRENCY,
                        1,
                        stage.computes() ? run.processors : MOST_IO,
                        stage.workers))
                .toList();
    }

    /// The settings of the best of `tries` random ones, each measured for 8 seconds, and of what a person would try
    /// first.
    int[] bestOf(int tries) {
        List<Knob> knobs = knobs();
        SplittableRandom random = new SplittableRandom(seed + 1);
        int[] best = new int[knobs.size()];
        double most = -1;
        for (int i = 0; i < tries; i++) {
            int[] values = new int[knobs.size()];
            for (int j = 0; j < values.length; j++) {
                Knob knob = knobs.get(j);
                values[j] = i == 0 ? knob.most() : (int) Math.round(between(random, 1, knob.most()));
            }
            double rate = rate(values, 8);
            if (rate > most) {
                most = rate;
                best = values;
            }
        }
        return best;
    }

    /// Batches per second with these settings, after a warm-up.
    double rate(int[] values, double seconds) {
        SimulatedRun run = run();
        List<Knob> knobs = knobs();
        for (int i = 0; i < values.length; i++) {
            run.tune(knobs.get(i).to(values[i]));
        }
        run.until(2, at -> {});
        return run.rate(seconds);
    }

    @Override
    public String toString() {
        SimulatedRun run = run();
        StringBuilder text = new StringBuilder("seed " + seed + " on " + run.processors + ":");
        for (SimulatedStage stage : run.stages) {
            text.append(String.format(
                    Locale.ROOT,
                    " %s(%.1f+%.1f ms%s)",
                    stage.name,
                    stage.work * 1e3,
                    stage.wait * 1e3,
                    stage.group > 1 ? ", " + stage.group : stage.servers < 1000 ? ", " + stage.servers : ""));
        }
        return text
                + String.format(
                        Locale.ROOT,
                        " trainer(%d x %.1f + %.1f ms)",
                        run.trainerThreads,
                        run.trainerWork * 1e3,
                        run.trainerWait * 1e3);
    }
}
