package org.jspdl.pipeline.internal.tune;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.jspdl.pipeline.Run;
import org.jspdl.stats.TuningStats;
import org.jspdl.stats.TuningStep;
import org.jspdl.stats.TuningStep.Kind;

/// What tuning reaches on this machine, which has to be quiet: `benchmarks/tuning` starts it.
///
/// Twenty scenarios, those of as many processors as this process may use. Each is tuned until the tuner has settled, a
/// minute at the most. Then a search measures 16 settings for 8 s each, or all where there are fewer, and its winner is
/// measured again in alternation with the tuned run. With `--trained` the trainer needs all processors for half of each
/// step, and the settings that a run begins with are measured in the alternation too. A line of the file is one
/// scenario; those that are there are not measured again.
final class MachineTuning {
    private static final int SCENARIOS = 20;
    private static final int SETTINGS = 16;
    private static final int ROUNDS = 3;
    private static final int TRAINED_ROUNDS = 4;
    private static final int MOST_TRAINED = 4;
    private static final double MINUTE = 60;
    private static final double SETTING_SECONDS = 8;
    private static final double WARM_UP_SECONDS = 2;

    private final MachineRun machine = new MachineRun();
    private final Map<String, String> options;
    private final double scale;

    private MachineTuning(Map<String, String> options) {
        this.options = options;
        this.scale = Double.parseDouble(options.getOrDefault("--scale", "1"));
    }

    /// `--file FILE --from SEED [--minutes N] [--part I/N] [--trained true] [--scale 0.1]`, or `--sum FILE`.
    public static void main(String[] arguments) throws Exception {
        Map<String, String> options = new LinkedHashMap<>();
        for (int i = 0; i + 1 < arguments.length; i += 2) {
            options.put(arguments[i], arguments[i + 1]);
        }
        if (options.containsKey("--sum")) {
            MachineTuningSums.print(Files.readAllLines(Path.of(options.get("--sum"))));
        } else {
            new MachineTuning(options).measure();
        }
    }

    private void measure() throws Exception {
        Path file = Path.of(options.get("--file"));
        boolean trained = Boolean.parseBoolean(options.get("--trained"));
        String[] part = options.getOrDefault("--part", "0/1").split("/", 2);
        long end = System.nanoTime() + Math.round(60e9 * Double.parseDouble(options.getOrDefault("--minutes", "600")));
        long from = Long.parseLong(options.get("--from"));
        List<TuningScenario> scenarios = LongStream.range(from, from + SCENARIOS)
                .mapToObj(TuningScenario::new)
                .filter(each -> each.processors() == Runtime.getRuntime().availableProcessors())
                .limit(trained ? MOST_TRAINED : SCENARIOS)
                .toList();
        long longest = 0;
        for (int i = Integer.parseInt(part[0]); i < scenarios.size(); i += Integer.parseInt(part[1])) {
            TuningScenario scenario = scenarios.get(i);
            String name = (trained ? "trained " : "") + scenario.seed();
            if (isThere(file, name)) {
                continue;
            }
            if (System.nanoTime() + longest > end) {
                print("no time is left for scenario %s", name);
                return;
            }
            long begun = System.nanoTime();
            String line = name + "\t" + (trained ? besideATrainer(scenario) : besideASearch(scenario));
            longest = Math.max(longest, System.nanoTime() - begun);
            print("%s", line);
            Files.writeString(file, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        }
    }

    private static boolean isThere(Path file, String name) throws IOException {
        return Files.exists(file) && Files.readAllLines(file).stream().anyMatch(line -> line.startsWith(name + "\t"));
    }

    private static void print(String format, Object... values) {
        System.out.printf(Locale.ROOT, format + "%n", values);
        System.out.flush();
    }

    private Run<List<Long>> start(TuningScenario scenario, SimulatedRun run, int[] values) {
        return machine.pipeline(run.stages, scenario.seed(), values).start();
    }

    private double fixed(TuningScenario scenario, SimulatedRun run, int[] values) throws InterruptedException {
        try (Run<List<Long>> started = start(scenario, run, values)) {
            Iterator<List<Long>> batches = started.iterator();
            machine.train(batches, run, scale * WARM_UP_SECONDS);
            return machine.train(batches, run, scale * SETTING_SECONDS);
        }
    }

    private double again(Iterator<List<Long>> batches, SimulatedRun run) throws InterruptedException {
        machine.train(batches, run, scale * WARM_UP_SECONDS);
        return machine.train(batches, run, scale * SETTING_SECONDS);
    }

    /// Until it has settled; after how many seconds.
    private double tune(Run<List<Long>> run, Iterator<List<Long>> batches, SimulatedRun trainer)
            throws InterruptedException {
        long start = System.nanoTime();
        double seconds = 0;
        while (seconds < scale * MINUTE && run.stats().tuning().state() != TuningStats.State.SETTLED) {
            machine.train(batches, trainer, 0.5);
            seconds = (System.nanoTime() - start) / 1e9;
        }
        return seconds;
    }

    /// The setting that gives most, of those that a search looks at.
    private int[] search(TuningScenario scenario, SimulatedRun run) throws InterruptedException {
        int[] best = new int[0];
        double most = -1;
        for (int[] values : settings(scenario)) {
            double rate = fixed(scenario, run, values);
            print("  %s: %.2f batches/s", Arrays.toString(values), rate);
            if (rate > most) {
                most = rate;
                best = values;
            }
        }
        return best;
    }

    /// All, if there are at most 16; else the one with the most of everything and 15 random ones.
    private static List<int[]> settings(TuningScenario scenario) {
        List<Knob> knobs = scenario.knobs();
        long all = knobs.stream().mapToLong(Knob::most).reduce(1, (one, other) -> one * other);
        SplittableRandom random = new SplittableRandom(scenario.seed() + 1);
        List<int[]> settings = new ArrayList<>();
        for (long i = 0; i < Math.min(SETTINGS, all); i++) {
            long left = i;
            int[] values = new int[knobs.size()];
            for (int k = 0; k < values.length; k++) {
                int most = knobs.get(k).most();
                values[k] = all <= SETTINGS
                        ? 1 + (int) (left % most)
                        : i == 0 ? most : (int) Math.round(SimulatedWork.between(random, 1, most));
                left /= most;
            }
            settings.add(values);
        }
        return settings;
    }

    private String besideASearch(TuningScenario scenario) throws InterruptedException {
        SimulatedRun trainer = scenario.run();
        try (Run<List<Long>> run = start(scenario, trainer, new int[0])) {
            Iterator<List<Long>> batches = run.iterator();
            double settled = tune(run, batches, trainer);
            int[] best = search(scenario, trainer);
            double tuned = 0;
            double found = 0;
            for (int round = 0; round < ROUNDS; round++) {
                double one = again(batches, trainer);
                double other = fixed(scenario, trainer, best);
                print("  round %d: tuned %.2f, search %.2f batches/s", round + 1, one, other);
                tuned += one;
                found += other;
            }
            return String.format(
                    Locale.ROOT,
                    "%d\t%.1f\t%.4f\t\t%s\t%s\t%s\t%s",
                    scenario.processors(),
                    settled,
                    tuned / found,
                    Arrays.toString(best),
                    predictions(run),
                    decisions(run),
                    scenario);
        }
    }

    private String besideATrainer(TuningScenario scenario) throws InterruptedException {
        SimulatedRun trainer = scenario.trained();
        int[] before = scenario.knobs().stream().mapToInt(Knob::start).toArray();
        try (Run<List<Long>> run = start(scenario, trainer, new int[0])) {
            Iterator<List<Long>> batches = run.iterator();
            double settled = tune(run, batches, trainer);
            int[] best = search(scenario, trainer);
            double tuned = 0;
            double found = 0;
            double began = 0;
            for (int round = 0; round < TRAINED_ROUNDS; round++) {
                double one = again(batches, trainer);
                double other = fixed(scenario, trainer, best);
                double third = fixed(scenario, trainer, before);
                print("  round %d: tuned %.2f, search %.2f, start %.2f batches/s", round + 1, one, other, third);
                tuned += one;
                found += other;
                began += third;
            }
            return String.format(
                    Locale.ROOT,
                    "%d\t%.1f\t%.4f\t%.4f\t%s\t%s\t%s\t%s",
                    scenario.processors(),
                    settled,
                    tuned / found,
                    tuned / began,
                    Arrays.toString(best),
                    predictions(run),
                    decisions(run),
                    scenario);
        }
    }

    /// What the tuner tried, as `predicted/measured` throughput, parts of that before.
    private static String predictions(Run<?> run) {
        List<String> all = new ArrayList<>();
        for (TuningStep step : run.stats().tuning().steps()) {
            if ((step.kind() == Kind.KEPT || step.kind() == Kind.REVERTED) && step.measured() > 0) {
                all.add(String.format(Locale.ROOT, "%.3f/%.3f", step.predicted(), step.measured()));
            }
        }
        return String.join(" ", all);
    }

    private static String decisions(Run<?> run) {
        List<String> all = new ArrayList<>();
        run.stats()
                .tuning()
                .steps()
                .forEach(step -> all.add(
                        String.format(Locale.ROOT, "%.1f s %s", step.at().toMillis() / 1e3, step)));
        return String.join("; ", all).replace('\t', ' ');
    }
}
