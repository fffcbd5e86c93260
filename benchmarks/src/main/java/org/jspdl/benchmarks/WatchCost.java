package org.jspdl.benchmarks;

import java.lang.management.ManagementFactory;
import org.jspdl.observe.Trace;
import org.jspdl.observe.Watch;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Remainder;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.pipeline.StageOptions;
import org.jspdl.source.Sources;

/// What does watching a run cost, with items that take ten microseconds? One contestant of the scenario `observe`.
///
/// Run: `java -cp 'benchmarks/target/benchmarks.jar:benchmarks/target/lib/*' org.jspdl.benchmarks.WatchCost WAY ITEMS`
public final class WatchCost {
    private static final double WARM_UP_SECONDS = 4;
    private static final double MEASURED_SECONDS = 4;
    private static final int ROUNDS = 680;

    /// How a run is looked at.
    private enum Way {
        PLAIN,
        WATCHED,
        EXPLAINED,
        TRACED
    }

    private WatchCost() {}

    /// Runs one way, pass after pass: first to warm up, then measured.
    ///
    /// @param arguments one of the ways, and the number of items in a pass
    public static void main(String[] arguments) {
        Way way = Way.valueOf(arguments[0]);
        int items = Integer.parseInt(arguments[1]);
        IO.println("{\"event\": \"versions\", \"java\": \"" + Runtime.version() + "\"}");
        IO.println("{\"event\": \"first_batch\"}");
        passes(way, items, WARM_UP_SECONDS);
        passes(way, items, MEASURED_SECONDS);
    }

    private static void passes(Way way, int items, double least) {
        long start = System.nanoTime();
        long cpu = cpuNanos();
        long count = 0;
        double seconds = 0;
        while (seconds < least) {
            count += pass(way, items);
            seconds = (System.nanoTime() - start) / 1e9;
        }
        IO.println("{\"event\": \"epoch\", \"items\": " + count + ", \"seconds\": " + seconds + ", \"cpu_seconds\": "
                + (cpuNanos() - cpu) / 1e9 + "}");
    }

    private static long pass(Way way, int items) {
        Pipeline<java.util.List<Double>> pipeline = Pipeline.from(Sources.range(items))
                .pipe("work", WatchCost::tenMicroseconds, StageOptions.cpu(2))
                .batch(64, Remainder.KEEP_REMAINDER);
        RunOptions options = switch (way) {
            case PLAIN -> RunOptions.defaults();
            case WATCHED -> Watch.create().on(RunOptions.defaults());
            case EXPLAINED -> Watch.create().explainWaits().on(RunOptions.defaults());
            case TRACED -> Trace.create().on(RunOptions.defaults());
        };
        long count = 0;
        try (Run<java.util.List<Double>> run = pipeline.start(options)) {
            for (java.util.List<Double> batch : run) {
                count += batch.size();
            }
        }
        return count;
    }

    private static double tenMicroseconds(long item) {
        double sum = item;
        for (int i = 1; i < ROUNDS; i++) {
            sum += Math.sqrt(i + sum);
        }
        return sum;
    }

    private static long cpuNanos() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }
}
