package org.jspdl.observe;

import static org.jspdl.pipeline.StageOptions.cpu;
import static org.jspdl.pipeline.StageOptions.io;

import java.util.List;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Remainder;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.source.Sources;

/// What the tests watch: numbers that are waited for and computed on, in batches of ten.
final class WatchedPipeline {
    private WatchedPipeline() {}

    static Pipeline<List<Long>> of(long items) {
        return Pipeline.from(Sources.range(items))
                .pipe(
                        "read",
                        item -> {
                            Pauses.micros(2_000);
                            return item;
                        },
                        io(2))
                .pipe("decode", WatchedPipeline::compute, cpu(1))
                .batch(10, Remainder.KEEP);
    }

    /// Runs it to its end.
    static void run(Watch watch, int items) {
        try (Run<List<Long>> run = of(items).start(watch.on(RunOptions.defaults()))) {
            run.forEach(batch -> {});
        }
    }

    private static Long compute(Long item) {
        long end = System.nanoTime() + 300_000;
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
        return item;
    }
}
