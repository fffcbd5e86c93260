package org.jspdl.benchmarks;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;
import org.jspdl.observe.Trace;
import org.jspdl.observe.Watch;
import org.jspdl.pipeline.RunOptions;

/// What does it cost to look at a run? One contestant of the scenario `observe`.
///
/// Runs the same passes plain and looked at, in alternation in one process, so that a slow moment of the machine and of
/// the compiler hits both alike. Each pass is a run of its own, so that the start of what looks counts too, but for
/// that of a flight recorder.
///
/// Run: `java -cp 'benchmarks/target/benchmarks.jar:benchmarks/target/lib/*' org.jspdl.benchmarks.WatchCost WAY PAIRS
/// ITEMS [FOLDER]`
public final class WatchCost {
    private static final int WARM_UP_PAIRS = 3;

    /// How a run is looked at.
    private enum Way {
        BY_HAND,
        PLAIN,
        WATCHED,
        EXPLAINED,
        TRACED,
        RECORDED
    }

    /// What one pass took.
    private record Pass(double seconds, double cpuSeconds) {}

    private WatchCost() {}

    /// Measures one way against plain runs.
    ///
    /// @param arguments one of the ways, the number of pairs of passes, the number of items in a pass, and a folder
    ///     of images if they are the items; otherwise these compute for ten microseconds each
    public static void main(String[] arguments) throws Exception {
        Way way = Way.valueOf(arguments[0]);
        int pairs = Integer.parseInt(arguments[1]);
        int items = Integer.parseInt(arguments[2]);
        IO.println("{\"event\": \"versions\", \"java\": \"" + Runtime.version() + "\"}");
        IO.println("{\"event\": \"first_batch\"}");
        try (LookedAt work =
                arguments.length > 3 ? LookedAt.images(Path.of(arguments[3]), items) : LookedAt.numbers(items)) {
            for (int i = 0; i < WARM_UP_PAIRS; i++) {
                pass(Way.PLAIN, work);
                pass(way, work);
            }
            Pass[] plain = new Pass[pairs];
            Pass[] looked = new Pass[pairs];
            // By chance, since a collection that comes with every second pass would otherwise always hit
            // the same way.
            SplittableRandom order = new SplittableRandom(1);
            for (int i = 0; i < pairs; i++) {
                if (order.nextBoolean()) {
                    plain[i] = pass(Way.PLAIN, work);
                    looked[i] = pass(way, work);
                } else {
                    looked[i] = pass(way, work);
                    plain[i] = pass(Way.PLAIN, work);
                }
            }
            print(items, plain, looked);
        }
    }

    /// The figures of the passes that were looked at, and how each differs from the plain one beside it.
    private static void print(int items, Pass[] plain, Pass[] looked) {
        double[] rates = new double[plain.length];
        double[] cpus = new double[plain.length];
        for (int i = 0; i < plain.length; i++) {
            rates[i] = plain[i].seconds / looked[i].seconds - 1;
            cpus[i] = looked[i].cpuSeconds / plain[i].cpuSeconds - 1;
        }
        IO.println("{\"event\": \"epoch\", \"items\": " + items
                + ", \"seconds\": " + median(looked, Pass::seconds)
                + ", \"cpu_seconds\": " + median(looked, Pass::cpuSeconds)
                + ", \"rate_against_plain\": " + Arrays.toString(rates)
                + ", \"cpu_against_plain\": " + Arrays.toString(cpus) + "}");
    }

    private static double median(Pass[] passes, ToDoubleFunction<Pass> figure) {
        double[] sorted = Arrays.stream(passes).mapToDouble(figure).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    private static Pass pass(Way way, LookedAt work) throws Exception {
        if (way != Way.RECORDED) {
            return measured(way, work);
        }
        try (Recording recording = new Recording(Configuration.getConfiguration("default"))) {
            recording.start();
            return measured(way, work);
        }
    }

    private static Pass measured(Way way, LookedAt work) throws Exception {
        long cpu = ProcessCpu.nanos();
        long start = System.nanoTime();
        switch (way) {
            case BY_HAND -> work.byHand();
            case PLAIN, RECORDED -> work.run(RunOptions.defaults());
            case WATCHED -> work.run(Watch.create().on(RunOptions.defaults()));
            case EXPLAINED -> work.run(Watch.create().explainWaits().on(RunOptions.defaults()));
            case TRACED -> work.run(Trace.create().on(RunOptions.defaults()));
        }
        return new Pass((System.nanoTime() - start) / 1e9, (ProcessCpu.nanos() - cpu) / 1e9);
    }
}
