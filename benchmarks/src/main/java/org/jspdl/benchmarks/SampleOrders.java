package org.jspdl.benchmarks;

import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.jspdl.source.Sampler;
import org.jspdl.source.Samplers;

/// Visits samples in a shuffled order, epoch after epoch, and prints what that takes: a contestant of the scenario
/// `data`.
///
/// Run: `java -cp 'benchmarks/target/benchmarks.jar:benchmarks/target/lib/*' org.jspdl.benchmarks.SampleOrders SIZE
/// ITEMS`
public final class SampleOrders {
    private SampleOrders() {}

    /// Visits `ITEMS` samples twice, first to warm up, each from the beginning of an epoch of `SIZE`.
    ///
    /// @param arguments the size of the dataset, and how many samples are visited
    public static void main(String[] arguments) throws Exception {
        long size = Long.parseLong(arguments[0]);
        long items = Long.parseLong(arguments[1]);
        IO.println("{\"event\": \"versions\", \"java\": \"" + Runtime.version() + "\"}");
        long begun = System.nanoTime();
        Sampler sampler = Samplers.shuffled(size, 1);
        long sum = visit(sampler, 0, 1);
        long first = System.nanoTime() - begun;
        IO.println("{\"event\": \"first_batch\", \"construction_microseconds\": " + first / 1e3 + "}");
        for (int pass = 0; pass < 2; pass++) {
            long start = System.nanoTime();
            long cpu = ProcessCpu.nanos();
            sum += visit(sampler, pass, items);
            IO.println("{\"event\": \"epoch\", \"items\": " + items + ", \"seconds\": "
                    + (System.nanoTime() - start) / 1e9 + ", \"cpu_seconds\": " + (ProcessCpu.nanos() - cpu) / 1e9
                    + ", \"sum\": " + sum + "}");
        }
    }

    private static long visit(Sampler sampler, long from, long items) throws Exception {
        long sum = 0;
        long epoch = from;
        for (long left = items; left > 0; epoch++) {
            try (Cursor<Long> cursor = sampler.open(epoch, Position.START)) {
                while (left > 0 && cursor.advance()) {
                    sum += cursor.item();
                    left--;
                }
            }
        }
        return sum;
    }
}
