package org.jspdl.pipeline.internal.tune;

import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/// A simulated pipeline on a simulated machine, which can be run with any settings.
interface SimulatedWork {
    /// Chooses what is random.
    long seed();

    /// A run from its start, with the settings that it begins with.
    SimulatedRun run();

    /// The most workers of stages that wait.
    int mostIo();

    /// What a tuner may choose.
    default List<Knob> knobs() {
        SimulatedRun run = run();
        return run.stages.stream()
                .filter(stage -> !stage.placement.equals("source") && !stage.placement.equals("inline"))
                .map(stage -> new Knob(
                        stage.name,
                        Knob.Kind.CONCURRENCY,
                        1,
                        stage.computes() ? run.processors : mostIo(),
                        stage.workers))
                .toList();
    }

    /// The settings of the best of `tries` random ones, each measured for 8 seconds, and of what a person would try
    /// first.
    default int[] bestOf(int tries) {
        List<Knob> knobs = knobs();
        SplittableRandom random = new SplittableRandom(seed() + 1);
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
    default double rate(int[] values, double seconds) {
        SimulatedRun run = run();
        List<Knob> knobs = knobs();
        for (int i = 0; i < values.length; i++) {
            run.tune(knobs.get(i).to(values[i]));
        }
        run.until(2, at -> {});
        return run.rate(seconds);
    }

    /// The stages and the trainer, for messages.
    default String describe() {
        SimulatedRun run = run();
        StringBuilder text = new StringBuilder("on " + run.processors + ":");
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

    /// Random, with the same chance for each order of magnitude.
    static double between(SplittableRandom random, double least, double most) {
        return least * Math.pow(most / least, random.nextDouble());
    }
}
