package org.jspdl.benchmarks;

import java.util.List;

/// Passes items through three steps that do nothing, and prints what that takes once the code is compiled: one
/// contestant of the scenario `engine`.
///
/// Run: `java -cp 'benchmarks/target/benchmarks.jar:benchmarks/target/lib/*' org.jspdl.benchmarks.NoOpStages WAY
/// CONCURRENCY ITEMS`
public final class NoOpStages {
    /// Long enough for the compiler to be done with every way.
    private static final double WARM_UP_SECONDS = 4;
    private static final double MEASURED_SECONDS = 3;

    private NoOpStages() {}

    /// Runs one way, pass after pass: first to warm up, then measured.
    ///
    /// @param arguments one of [Ways], the concurrency, and the number of items in a pass
    public static void main(String[] arguments) throws InterruptedException {
        Ways way = Ways.valueOf(arguments[0]);
        int concurrency = Integer.parseInt(arguments[1]);
        List<Long> items = Work.items(Integer.parseInt(arguments[2]));
        IO.println("{\"event\": \"versions\", \"java\": \"" + Runtime.version() + "\"}");
        IO.println("{\"event\": \"first_batch\"}");
        passes(way, concurrency, items, WARM_UP_SECONDS);
        passes(way, concurrency, items, MEASURED_SECONDS);
    }

    private static void passes(Ways way, int concurrency, List<Long> items, double least) throws InterruptedException {
        Work work = new Work(0);
        long start = System.nanoTime();
        long cpu = ProcessCpu.nanos();
        long count = 0;
        double seconds = 0;
        while (seconds < least) {
            long sum = way.sum(items, work, concurrency);
            if (sum != Work.expected(items.size())) {
                throw new IllegalStateException("items were lost: the sum is " + sum);
            }
            count += items.size();
            seconds = (System.nanoTime() - start) / 1e9;
        }
        IO.println("{\"event\": \"epoch\", \"items\": " + count + ", \"seconds\": " + seconds + ", \"cpu_seconds\": "
                + (ProcessCpu.nanos() - cpu) / 1e9 + "}");
    }
}
