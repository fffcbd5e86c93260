package org.jspdl.benchmarks;

import java.lang.management.ManagementFactory;
import java.util.List;

/// Passes items through three steps that do nothing, twice, and prints what the second time took: one contestant of the
/// scenario `engine`.
///
/// Run: `java -cp 'benchmarks/target/benchmarks.jar:benchmarks/target/lib/*' org.jspdl.benchmarks.NoOpStages WAY
/// CONCURRENCY ITEMS`
public final class NoOpStages {
    private NoOpStages() {}

    /// Runs one way.
    ///
    /// @param arguments one of [Ways], the concurrency, and the number of items
    public static void main(String[] arguments) throws InterruptedException {
        Ways way = Ways.valueOf(arguments[0]);
        int concurrency = Integer.parseInt(arguments[1]);
        List<Long> items = Work.items(Integer.parseInt(arguments[2]));
        Work work = new Work(0);
        IO.println("{\"event\": \"versions\", \"java\": \"" + Runtime.version() + "\"}");
        IO.println("{\"event\": \"first_batch\"}");
        for (int epoch = 0; epoch < 2; epoch++) {
            long start = System.nanoTime();
            long cpu = cpuNanos();
            long sum = way.sum(items, work, concurrency);
            double seconds = (System.nanoTime() - start) / 1e9;
            if (sum != Work.expected(items.size())) {
                throw new IllegalStateException("items were lost: the sum is " + sum);
            }
            IO.println("{\"event\": \"epoch\", \"items\": " + items.size() + ", \"seconds\": " + seconds
                    + ", \"cpu_seconds\": " + (cpuNanos() - cpu) / 1e9 + "}");
        }
    }

    private static long cpuNanos() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }
}
