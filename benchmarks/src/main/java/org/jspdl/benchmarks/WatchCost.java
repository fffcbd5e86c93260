package org.jspdl.benchmarks;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;
import org.jspdl.observe.Trace;
import org.jspdl.observe.Watch;
import org.jspdl.pipeline.RunOptions;

/// What does it cost to look at a run? One contestant of the scenario `observe`.
///
/// Runs the same passes plain and looked at in one process, in groups of four: plain, looked at, looked at, plain, or
/// the other way round by chance. What drifts evenly, such as the clock of a processor, cancels within a group. Each
/// pass is a run of its own, so that the start and the end of what looks count too, but for that of a flight recorder.
///
/// Prints every pass: how long it took, what the process used of the processors, and what others used of them.
///
/// Run: `java -cp 'benchmarks/target/benchmarks.jar:benchmarks/target/lib/*' org.jspdl.benchmarks.WatchCost WAY GROUPS
/// ITEMS [FOLDER]`
public final class WatchCost {
    private static final int IN_GROUP = 4;
    /// Until the compiler is done with both ways.
    private static final double WARM_UP_SECONDS = 6;

    /// How a run is looked at.
    private enum Way {
        BY_HAND,
        PLAIN,
        WATCHED,
        EXPLAINED,
        TRACED,
        RECORDED
    }

    /// What one pass took, and what others took from it.
    private record Pass(double seconds, double cpuSeconds, double othersSeconds) {}

    private WatchCost() {}

    /// Measures one way against plain runs.
    ///
    /// @param arguments one of the ways, the number of groups of four passes, the number of items in a pass, and a
    ///     folder of images if they are the items; otherwise these compute for ten microseconds each
    public static void main(String[] arguments) throws Exception {
        Way way = Way.valueOf(arguments[0]);
        int groups = Integer.parseInt(arguments[1]);
        int items = Integer.parseInt(arguments[2]);
        Events.versions();
        Events.firstBatch();
        try (StackSampling work = arguments.length > 3
                ? StackSampling.images(Path.of(arguments[3]), items)
                : StackSampling.numbers(items)) {
            long until = System.nanoTime() + (long) (WARM_UP_SECONDS * 1e9);
            do {
                pass(Way.PLAIN, work);
                pass(way, work);
            } while (System.nanoTime() < until);
            Pass[] plain = new Pass[groups * IN_GROUP / 2];
            Pass[] looked = new Pass[plain.length];
            SplittableRandom order = new SplittableRandom(1);
            for (int i = 0; i < plain.length; i += 2) {
                boolean plainOutside = order.nextBoolean();
                for (int place = 0; place < IN_GROUP; place++) {
                    boolean outside = place == 0 || place == IN_GROUP - 1;
                    Pass[] passes = outside == plainOutside ? plain : looked;
                    passes[i + place / 2] = pass(passes == plain ? Way.PLAIN : way, work);
                }
            }
            print(items, plain, looked);
        }
    }

    private static void print(int items, Pass[] plain, Pass[] looked) {
        IO.println("{\"event\": \"epoch\", \"items\": " + items
                + ", \"seconds\": " + median(looked, Pass::seconds)
                + ", \"cpu_seconds\": " + median(looked, Pass::cpuSeconds)
                + ", \"plain\": " + listed(plain)
                + ", \"looked\": " + listed(looked) + "}");
    }

    /// The passes as lists of seconds, CPU seconds and CPU seconds of others, two passes of each group side by
    /// side.
    private static String listed(Pass[] passes) {
        return Arrays.toString(Arrays.stream(passes)
                .map(pass -> String.format(
                        Locale.ROOT, "[%.6f, %.6f, %.2f]", pass.seconds, pass.cpuSeconds, pass.othersSeconds))
                .toArray());
    }

    private static double median(Pass[] passes, ToDoubleFunction<Pass> figure) {
        double[] sorted = Arrays.stream(passes).mapToDouble(figure).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    private static Pass pass(Way way, StackSampling work) throws Exception {
        if (way != Way.RECORDED) {
            return measured(way, work);
        }
        try (Recording recording = new Recording(Configuration.getConfiguration("default"))) {
            recording.start();
            return measured(way, work);
        }
    }

    private static Pass measured(Way way, StackSampling work) throws Exception {
        double machine = CpuClock.machineSeconds();
        long cpu = CpuClock.nanos();
        long start = System.nanoTime();
        switch (way) {
            case BY_HAND -> work.byHand();
            case PLAIN, RECORDED -> work.run(RunOptions.defaults());
            case WATCHED -> work.run(Watch.create().on(RunOptions.defaults()));
            case EXPLAINED -> work.run(Watch.create().explainStalls().on(RunOptions.defaults()));
            case TRACED -> work.run(Trace.create().on(RunOptions.defaults()));
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        double cpuSeconds = (CpuClock.nanos() - cpu) / 1e9;
        return new Pass(seconds, cpuSeconds, CpuClock.machineSeconds() - machine - cpuSeconds);
    }
}
