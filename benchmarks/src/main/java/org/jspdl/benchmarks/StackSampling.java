package org.jspdl.benchmarks;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspdl.media.image.ImageBatches;
import org.jspdl.media.image.ImageSpec;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Tensor;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Remainder;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.pipeline.StageOptions;
import org.jspdl.source.Sources;

/// The work that [WatchCost] looks at. Closed when done with.
abstract class StackSampling implements AutoCloseable {
    private static final int ITEM_NANOS = 10_000;
    private static final int TRIALS = 2_000;
    private static final int BATCH = 64;
    private static final int THREADS = 2;
    /// With less room, waking threads for items this small costs more than looking at them does.
    private static final int BUFFER = 128;

    /// Runs a pipeline to its end.
    abstract void run(RunOptions options);

    /// Does the same without a pipeline, which nobody looks at.
    void byHand() throws InterruptedException {
        throw new UnsupportedOperationException("these items go through a pipeline only");
    }

    @Override
    public void close() {}

    /// Numbers, of which each computes for about ten microseconds.
    static StackSampling numbers(int items) {
        int rounds = roundsFor(ITEM_NANOS);
        return new StackSampling() {
            @Override
            void run(RunOptions options) {
                Pipeline<List<Double>> pipeline = Pipeline.from(Sources.range(items))
                        .pipe(
                                "work",
                                number -> compute(number, rounds),
                                StageOptions.cpu(THREADS).buffer(BUFFER))
                        .batch(BATCH, Remainder.KEEP);
                int count = 0;
                try (Run<List<Double>> run = pipeline.start(options)) {
                    for (List<Double> batch : run) {
                        count += batch.size();
                    }
                }
                check(count, items);
            }

            @Override
            void byHand() throws InterruptedException {
                AtomicInteger next = new AtomicInteger();
                ArrayBlockingQueue<List<Double>> batches = new ArrayBlockingQueue<>(2);
                for (int i = 0; i < THREADS; i++) {
                    Thread.ofPlatform().daemon().start(() -> fillBatches(next, items, rounds, batches));
                }
                int count = 0;
                while (count < items) {
                    count += batches.take().size();
                }
                check(count, items);
            }
        };
    }

    private static void fillBatches(
            AtomicInteger next, int items, int rounds, ArrayBlockingQueue<List<Double>> batches) {
        try {
            for (List<Double> batch = new ArrayList<>(); ; batch = new ArrayList<>()) {
                int item;
                while (batch.size() < BATCH && (item = next.getAndIncrement()) < items) {
                    batch.add(compute(item, rounds));
                }
                if (batch.isEmpty()) {
                    return;
                }
                batches.put(batch);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /// Images of a folder, decoded to 224 by 224 and batched.
    static StackSampling images(Path folder, int items) throws IOException {
        List<Path> files;
        try (Stream<Path> found = Files.walk(folder)) {
            files = found.filter(file -> file.toString().endsWith(".jpg"))
                    .sorted()
                    .limit(items)
                    .toList();
        }
        check(files.size(), items);
        BufferPool pool = BufferPool.create("images", 1L << 30);
        ImageBatches images = ImageBatches.of(ImageSpec.shorterSide(256).centerCrop(224, 224), pool);
        return new StackSampling() {
            @Override
            void run(RunOptions options) {
                Pipeline<Tensor> pipeline = Pipeline.from(files)
                        .pipe(
                                "read",
                                file -> MemorySegment.ofArray(Files.readAllBytes(file)),
                                StageOptions.cpu(THREADS))
                        .batch(BATCH, Remainder.KEEP)
                        .pipe("decode", images::decode, StageOptions.cpu(THREADS));
                long count = 0;
                try (Run<Tensor> run = pipeline.start(options)) {
                    for (Tensor batch : run) {
                        try (batch) {
                            count += batch.shape().extent(0);
                        }
                    }
                }
                check(count, items);
            }

            @Override
            public void close() {
                images.close();
                pool.close();
            }
        };
    }

    private static double compute(long item, int rounds) {
        double sum = item;
        for (int i = 1; i < rounds; i++) {
            sum += Math.sqrt(i + sum);
        }
        return sum;
    }

    /// How many rounds [#compute] does in `nanos` on this machine when nothing disturbs it.
    private static int roundsFor(long nanos) {
        int rounds = 1_000;
        long fastest = Long.MAX_VALUE;
        double sum = 0;
        for (int trial = 0; trial < TRIALS; trial++) {
            long start = System.nanoTime();
            sum += compute(trial, rounds);
            fastest = Math.min(fastest, System.nanoTime() - start);
        }
        check(Double.isFinite(sum) ? 1 : 0, 1);
        return Math.toIntExact(rounds * nanos / fastest);
    }

    private static void check(long count, long expected) {
        if (count != expected) {
            throw new IllegalStateException(count + " items instead of " + expected);
        }
    }
}
