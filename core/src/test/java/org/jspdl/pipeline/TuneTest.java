package org.jspdl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.pipeline.StageOptions.cpu;
import static org.jspdl.pipeline.StageOptions.io;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TuneTest {
    private static final boolean CAMPAIGN = Boolean.getBoolean("campaign");

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void moreCallsRunAtOnce(boolean computes) {
        Gate gate = new Gate();
        StageOptions options = computes ? cpu(1) : io(1);
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(50)).pipe("hold", gate::pass, options);
        try (Run<Long> run = pipeline.start(RunOptions.defaults().computeThreads(4))) {
            gate.awaitArrivals(1);

            run.tune(Tuning.concurrency("hold", 4));

            gate.awaitArrivals(4);
            gate.open();
            assertThat(count(run)).isEqualTo(50);
            assertThat(run.stats().stage("hold").concurrency()).isEqualTo(4);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void fewerCallsRunOnceTheOthersHaveEnded(boolean computes) {
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        // So small a buffer that the items after the change are worked on after it, too.
        StageOptions options = (computes ? cpu(4) : io(4)).buffer(2);
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(400))
                .pipe(
                        "work",
                        item -> {
                            most.accumulateAndGet(running.incrementAndGet(), Math::max);
                            Runs.dawdle(20);
                            running.decrementAndGet();
                            return item;
                        },
                        options)
                .prefetch(2);
        try (Run<Long> run = pipeline.start(RunOptions.defaults().computeThreads(4))) {
            var items = run.iterator();
            for (int i = 0; i < 100; i++) {
                items.next();
            }
            run.tune(Tuning.concurrency("work", 1));
            for (int i = 0; i < 100; i++) {
                items.next();
            }
            most.set(0);
            assertThat(count(run)).isEqualTo(200);
            assertThat(most).hasValueLessThanOrEqualTo(1);
        }
    }

    @Test
    void aBufferGrowsAtOnceAndShrinksAsItIsEmptied() {
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(200))
                .pipe("work", item -> item, cpu(1).inputOrder())
                .prefetch(2);
        try (Run<Long> run = pipeline.start()) {
            run.tune(Tuning.buffer("work", 40));
            awaitReady(run, 40);
            run.tune(Tuning.buffer("work", 1));

            assertThat(run.stats().links().getLast().size()).isGreaterThanOrEqualTo(40);
            assertThat(Runs.take(run, 200)).isEqualTo(Runs.numbers(0, 200));
            assertThat(run.stats().changes())
                    .hasToString("[buffer of 'work' from 2 to 40, buffer of 'work' from 40 to 1]");
        }
    }

    @Test
    void aSourceWhoseItemsTakeTimeOrThatWasTunedDoesNotReadFurtherAhead() {
        Pipeline<Long> slow = Pipeline.from(Sources.range(600)).map(item -> {
            long end = System.nanoTime() + 60_000; // quick is what takes less than 20 us
            while (System.nanoTime() < end) {
                Thread.onSpinWait();
            }
            return item;
        });
        Pipeline<Long> tuned = Pipeline.from(Sources.range(5_000));
        try (Run<Long> first = slow.pipe("work", item -> item, cpu(1)).start();
                Run<Long> second = tuned.pipe("work", item -> item, cpu(1)).start()) {
            second.tune(Tuning.buffer("source", 3));

            assertThat(count(first)).isEqualTo(600);
            assertThat(count(second)).isEqualTo(5_000);

            assertThat(first.stats().links().getFirst().capacity()).isEqualTo(9);
            assertThat(second.stats().links().getFirst().capacity()).isEqualTo(4);
        }
    }

    private static void awaitReady(Run<?> run, int items) {
        while (run.stats().links().getLast().size() < items) {
            Thread.onSpinWait();
        }
    }

    @Test
    void whatCanNotBeChangedIsRefusedByName() {
        Pipeline<List<Long>> pipeline = Pipeline.from(Sources.range(10)).batch(2, Remainder.KEEP);
        try (Run<List<Long>> run = pipeline.start()) {
            assertThatThrownBy(() -> run.tune(Tuning.concurrency("batch(2)", 3)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'batch(2)' (inline) can't be changed");
            assertThatThrownBy(() -> run.tune(Tuning.buffer("decode", 3)))
                    .hasMessageContaining("no stage named 'decode', only [source, batch(2)]");
            assertThat(run.stats().changes()).isEmpty();
        }
        assertThatThrownBy(() -> Tuning.concurrency("work", 0)).hasMessageContaining("at least 1 but was 0");
    }

    @Test
    @Timeout(600)
    void nothingIsLostOrReorderedHoweverOftenARunIsTuned() throws Exception {
        int runs = CAMPAIGN ? 2_000 : 40;
        for (long seed = 1; seed <= runs; seed++) {
            Random random = new Random(seed);
            boolean ordered = random.nextBoolean();
            int size = 200 + random.nextInt(1_500);
            Pipeline<Long> pipeline = Pipeline.from(Sources.range(size))
                    .pipe("a", item -> item, options(random, ordered))
                    .pipe("b", item -> item, options(random, ordered))
                    .filter(item -> item % 7 != 3)
                    .pipe("c", item -> item, options(random, ordered))
                    .prefetch(1 + random.nextInt(3));
            List<Long> expected =
                    Runs.numbers(0, size).stream().filter(item -> item % 7 != 3).toList();
            try (Run<Long> run = pipeline.start(RunOptions.defaults().computeThreads(3))) {
                // Paced by the items: a tuner that never waits would leave nothing of a single
                // processor to the run.
                Semaphore turns = new Semaphore(20);
                Thread tuner = Thread.ofVirtual().start(() -> tune(run, turns, new Random(random.nextLong())));
                List<Long> items = new ArrayList<>();
                run.forEach(item -> {
                    items.add(item);
                    turns.release();
                });
                tuner.interrupt();
                tuner.join();
                if (ordered) {
                    assertThat(items).as("seed %d", seed).isEqualTo(expected);
                } else {
                    assertThat(items).as("seed %d", seed).containsExactlyInAnyOrderElementsOf(expected);
                }
            }
        }
    }

    private static StageOptions options(Random random, boolean ordered) {
        int slots = 1 + random.nextInt(4);
        StageOptions options = (random.nextBoolean() ? cpu(slots) : io(slots)).buffer(1 + random.nextInt(4));
        return ordered ? options.inputOrder() : options;
    }

    private static void tune(Run<?> run, Semaphore turns, Random random) {
        try {
            for (; ; ) {
                turns.acquire();
                String stage = List.of("a", "b", "c").get(random.nextInt(3));
                run.tune(
                        random.nextBoolean()
                                ? Tuning.concurrency(stage, 1 + random.nextInt(6))
                                : Tuning.buffer(stage, 1 + random.nextInt(12)));
            }
        } catch (InterruptedException ended) {
            // All items came.
        }
    }

    private static int count(Run<?> run) {
        int count = 0;
        for (Object _ : run) {
            count++;
        }
        return count;
    }
}
