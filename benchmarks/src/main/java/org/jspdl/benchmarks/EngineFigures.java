package org.jspdl.benchmarks;

import static org.jspdl.pipeline.StageOptions.cpu;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Run;
import org.jspdl.source.Sources;

/// What else is promised of the engine, measured one after the other and printed as a table.
///
/// Run: `java -Xmx64m -XX:+UseSerialGC -cp 'benchmarks/target/benchmarks.jar:benchmarks/target/lib/*'
/// org.jspdl.benchmarks.EngineFigures`
public final class EngineFigures {
    private static final int ROUNDS = 5;

    private EngineFigures() {}

    /// Takes no arguments.
    public static void main(String[] arguments) throws Exception {
        IO.println("heap limit " + (Runtime.getRuntime().maxMemory() >> 20) + " MiB");
        startAndStop();
        handOff();
        garbage();
        manyItems();
        manyPipelines();
    }

    private static void print(String what, String format, Object... values) {
        IO.println(String.format(Locale.ROOT, "%-64s %s", what, String.format(Locale.ROOT, format, values)));
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private static void startAndStop() {
        double[] micros = new double[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            long start = System.nanoTime();
            for (int i = 0; i < 500; i++) {
                try (Run<Long> run = stages(0, 3, 1).start()) {
                    run.forEach(item -> {});
                }
            }
            micros[round] = (System.nanoTime() - start) / 500e3;
        }
        print("start and stop an empty run of three stages", "%.0f us", median(micros));
    }

    /// One item at a time, from the end of one function to the start of the next on an awake compute thread.
    private static void handOff() {
        int items = 50_000;
        long[] ended = new long[items];
        long[] gaps = new long[items];
        for (int round = 0; round < ROUNDS; round++) {
            Pipeline<Long> pipeline = Pipeline.from(Sources.range(items))
                    .pipe(
                            "first",
                            item -> {
                                ended[(int) (long) item] = System.nanoTime();
                                return item;
                            },
                            cpu(1))
                    .pipe(
                            "second",
                            item -> {
                                gaps[(int) (long) item] = System.nanoTime() - ended[(int) (long) item];
                                return item;
                            },
                            cpu(1).buffer(1));
            try (Run<Long> run = pipeline.start()) {
                run.forEach(item -> {});
            }
        }
        Arrays.sort(gaps);
        print(
                "end of one function to start of the next, busy",
                "p50 %.1f us, p90 %.1f us",
                gaps[items / 2] / 1e3,
                gaps[items * 9 / 10] / 1e3);
        parkedHandOff();
    }

    /// The same with a pause before each item, so that the compute threads have parked.
    private static void parkedHandOff() {
        int items = 500;
        long[] ended = new long[items];
        long[] gaps = new long[items];
        Pipeline<Long> pipeline = Pipeline.from(Sources.indexed(items, index -> {
                    java.util.concurrent.locks.LockSupport.parkNanos(1_000_000);
                    ended[(int) index] = System.nanoTime();
                    return index;
                }))
                .pipe(
                        "first",
                        item -> {
                            gaps[(int) (long) item] = System.nanoTime() - ended[(int) (long) item];
                            return item;
                        },
                        cpu(1));
        try (Run<Long> run = pipeline.start()) {
            run.forEach(item -> {});
        }
        Arrays.sort(gaps);
        print(
                "source to a stage whose thread is parked",
                "p50 %.1f us, p90 %.1f us",
                gaps[items / 2] / 1e3,
                gaps[items * 9 / 10] / 1e3);
    }

    private static void garbage() {
        for (int count : new int[] {1, 4}) {
            int items = 500_000;
            long one = allocated(items, 1, count);
            long eleven = allocated(items, 11, count);
            print("garbage for each item and stage, concurrency " + count, "%.0f bytes", (eleven - one) / 10.0 / items);
            print(
                    "garbage for each item of a run of one stage, concurrency " + count,
                    "%.0f bytes",
                    (double) one / items);
        }
    }

    private static long allocated(int items, int stages, int concurrency) {
        long before = allocatedBytes();
        try (Run<Long> run = stages(items, stages, concurrency).start()) {
            run.forEach(item -> {});
        }
        return allocatedBytes() - before;
    }

    private static long allocatedBytes() {
        return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean()).getTotalThreadAllocatedBytes();
    }

    private static void manyItems() {
        long start = System.nanoTime();
        long count = 0;
        try (Run<Long> run = stages(1_000_000, 10, 2).start()) {
            for (Long _ : run) {
                count++;
            }
        }
        print(
                "1,000,000 items through 10 stages",
                "%,d delivered, %.1f s, %.0f items/s",
                count,
                (System.nanoTime() - start) / 1e9,
                count / ((System.nanoTime() - start) / 1e9));
    }

    private static void manyPipelines() throws Exception {
        int pipelines = 64;
        CyclicBarrier together = new CyclicBarrier(pipelines);
        long start = System.nanoTime();
        long delivered = 0;
        try (var threads = Executors.newFixedThreadPool(pipelines)) {
            List<Future<Long>> counts = new ArrayList<>();
            for (int i = 0; i < pipelines; i++) {
                counts.add(threads.submit(() -> {
                    together.await();
                    long count = 0;
                    try (Run<Long> run = stages(10_000, 3, 2).start()) {
                        for (Long _ : run) {
                            count++;
                        }
                    }
                    return count;
                }));
            }
            for (Future<Long> count : counts) {
                delivered += count.get();
            }
        }
        print(
                "64 pipelines of 10,000 items at once",
                "%,d delivered, %.1f s",
                delivered,
                (System.nanoTime() - start) / 1e9);
    }

    private static Pipeline<Long> stages(long items, int stages, int concurrency) {
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(items));
        for (int i = 0; i < stages; i++) {
            pipeline = pipeline.pipe("stage" + i, item -> item, cpu(concurrency));
        }
        return pipeline;
    }
}
