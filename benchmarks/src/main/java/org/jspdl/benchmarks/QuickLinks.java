package org.jspdl.benchmarks;

import static org.jspdl.pipeline.StageOptions.cpu;

import java.util.Locale;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Run;
import org.jspdl.source.Sources;

/// Items through links whose buffers nobody has set, and runs that are started and stopped without items: what the
/// scenario `versions` compares of the engine beside [NoOpStages].
///
/// Uses nothing that an older engine lacks, so that it runs with the classes of another checkout.
///
/// Run: `java -cp 'benchmarks/target/benchmarks.jar:benchmarks/target/lib/*' org.jspdl.benchmarks.QuickLinks WAY ITEMS`
public final class QuickLinks {
    /// Long enough for the compiler to be done.
    private static final double WARM_UP_SECONDS = 4;
    private static final double MEASURED_SECONDS = 3;

    private QuickLinks() {}

    private enum Way {
        SOURCE,
        CPU,
        CHAIN,
        START;

        /// One pass; the items that it counts.
        long pass(long items) {
            return switch (this) {
                case SOURCE -> delivered(Pipeline.from(Sources.range(items)));
                case CPU -> delivered(Pipeline.from(Sources.range(items)).pipe("work", item -> item, cpu(2)));
                case CHAIN -> delivered(chain(items));
                case START -> {
                    for (long i = 0; i < items / 1_000; i++) {
                        long _ = delivered(chain(0));
                    }
                    yield items / 1_000;
                }
            };
        }
    }

    private static Pipeline<Long> chain(long items) {
        return Pipeline.from(Sources.range(items))
                .pipe("first", item -> item, cpu(1))
                .pipe("second", item -> item, cpu(1))
                .pipe("third", item -> item, cpu(1));
    }

    private static long delivered(Pipeline<Long> pipeline) {
        long count = 0;
        try (Run<Long> run = pipeline.start()) {
            for (Long _ : run) {
                count++;
            }
        }
        return count;
    }

    /// Runs one way, pass after pass: first to warm up, then measured. With `START` each item is a run of three
    /// stages that is started and stopped.
    ///
    /// @param arguments `SOURCE`, `CPU`, `CHAIN` or `START`, and the number of items in a pass
    public static void main(String[] arguments) {
        Way way = Way.valueOf(arguments[0]);
        long items = Long.parseLong(arguments[1]);
        IO.println("{\"event\": \"versions\", \"java\": \"" + Runtime.version() + "\"}");
        IO.println("{\"event\": \"first_batch\"}");
        passes(way, items, WARM_UP_SECONDS);
        passes(way, items, MEASURED_SECONDS);
    }

    private static void passes(Way way, long items, double least) {
        long start = System.nanoTime();
        long cpu = ProcessCpu.nanos();
        long count = 0;
        double seconds = 0;
        while (seconds < least) {
            count += way.pass(items);
            seconds = (System.nanoTime() - start) / 1e9;
        }
        IO.println(String.format(
                Locale.ROOT,
                "{\"event\": \"epoch\", \"items\": %d, \"seconds\": %f, \"cpu_seconds\": %f}",
                count,
                seconds,
                (ProcessCpu.nanos() - cpu) / 1e9));
    }
}
