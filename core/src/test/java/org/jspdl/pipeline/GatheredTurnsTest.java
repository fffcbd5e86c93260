package org.jspdl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.jspdl.leakcheck.LeakCheck;
import org.jspdl.source.Samplers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What came in another order than it was started in comes so again, and is started as it was.
@ExtendWith(LeakCheck.class)
class GatheredTurnsTest {
    private static final int PATIENCE_SECONDS = 30;
    private static final int ITEMS = 200;
    private static final int BUDGET = 20;
    private static final long LATE = 3;
    private static final Duration SOON = Duration.ofMillis(1);

    /// The late item came behind this many others.
    private static List<Long> order(int turn) {
        List<Long> order = new ArrayList<>(Runs.numbers(0, ITEMS));
        order.remove(LATE);
        order.add(turn, LATE);
        return order;
    }

    /// In the first run item 3 was under way while others passed it, and so it is in the rerun, also in one that
    /// begins in the middle: the others end only when it has begun, and it ends only when they were delivered.
    @ParameterizedTest
    @CsvSource({"io, 0", "cpu, 0", "async, 0", "io, 50", "cpu, 50", "async, 50"})
    void whatWasLateIsStartedWhereItWasAndNobodyWaitsForItAgain(String placement, int from) {
        int turn = 100 - from;
        List<Long> order = order(100).subList(from, ITEMS);
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch others = new CountDownLatch(turn);
        StageFunction<Long, Long> work = item -> {
            if (item == LATE) {
                begun.countDown();
                await(others);
            } else if (item > LATE + 6 && !item.equals(order.getFirst())) { // which tells what one weighs
                await(begun);
            }
            return item;
        };
        Pipeline<Long> pipeline = stage(Pipeline.from(Samplers.sequential(ITEMS)), "work", work, placement, 4)
                .weigh(_ -> 1L);
        RunOptions options = RunOptions.defaults().computeThreads(4).byteBudget(new ByteBudget(BUDGET, 1));
        List<Long> delivered = new ArrayList<>();
        try (Run<Long> run = Pipelines.gathered(pipeline, 0, order, options)) {
            for (long item : run) {
                delivered.add(item);
                others.countDown();
            }
            assertThat(run.stats().budget().admittedBeyond()).isZero();
            assertThat(run.stats().budget().peakBytes()).isLessThanOrEqualTo(BUDGET);
        }

        assertThat(delivered).isEqualTo(order);
    }

    private static void await(CountDownLatch latch) throws InterruptedException {
        if (!latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("somebody was waited for in vain, " + latch.getCount() + " left");
        }
    }

    private static Pipeline<Long> stage(
            Pipeline<Long> before, String name, StageFunction<Long, Long> work, String placement, int n) {
        return switch (placement) {
            case "io" -> before.pipe(name, work, StageOptions.io(n).defer(SOON));
            case "cpu" -> before.pipe(name, work, StageOptions.cpu(n));
            case "buffered" ->
                before.pipe(name, work, StageOptions.cpu(n).buffer(1).defer(SOON));
            case "ordered" -> before.pipe(name, work, StageOptions.io(n).inputOrder());
            default ->
                before.pipeAsync(
                        name,
                        item -> CompletableFuture.supplyAsync(
                                () -> {
                                    try {
                                        return work.apply(item);
                                    } catch (Exception failure) {
                                        throw new IllegalStateException(failure);
                                    }
                                },
                                Thread::startVirtualThread),
                        StageOptions.async(n).defer(SOON));
        };
    }

    /// Any order at all, also one that no run had, and with less room than it needs.
    @Test
    @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void anyOrderComesThroughAnyStagesInAnyRoom() {
        String[] placements = {"io", "cpu", "async", "buffered", "ordered"};
        for (int seed = 0; seed < 150; seed++) {
            Random random = new Random(seed);
            int size = 1 + random.nextInt(120);
            List<Long> order = new ArrayList<>(Runs.numbers(0, size));
            switch (random.nextInt(3)) {
                case 0 -> Collections.shuffle(order, random);
                case 1 -> Collections.reverse(order);
                default -> {
                    for (int moves = random.nextInt(5); moves > 0; moves--) {
                        order.add(random.nextInt(size), order.remove(random.nextInt(size)));
                    }
                }
            }
            order = order.subList(0, 1 + random.nextInt(size));
            Pipeline<Long> pipeline = Pipeline.from(Samplers.sequential(size));
            for (int stages = 1 + random.nextInt(3); stages > 0; stages--) {
                pipeline = stage(
                        pipeline,
                        "stage " + stages,
                        item -> item,
                        placements[random.nextInt(placements.length)],
                        1 + random.nextInt(4));
                pipeline = random.nextBoolean() ? pipeline.filter(item -> item >= 0) : pipeline;
                pipeline = random.nextBoolean() ? pipeline.weigh(_ -> 1L) : pipeline;
            }
            int batch = 1 + random.nextInt(7);
            RunOptions options = RunOptions.defaults().computeThreads(3);
            options =
                    random.nextBoolean() ? options.byteBudget(new ByteBudget(batch + random.nextInt(10), 1)) : options;
            List<Long> delivered = new ArrayList<>();
            try (Run<List<Long>> run = Pipelines.gathered(pipeline.batch(batch, Remainder.DROP), 0, order, options)) {
                run.forEach(delivered::addAll);
            }
            assertThat(delivered).as("seed %d", seed).isEqualTo(order);
        }
    }

    /// Mixed inputs, some of which had passed each other before they were mixed and all of them behind it.
    @Test
    @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    @SuppressWarnings("unchecked") // an array of pipelines
    void mixedSourcesComeInAnyOrderOfTheirOwn() {
        String[] placements = {"io", "cpu", "async", "ordered"};
        for (int seed = 0; seed < 60; seed++) {
            Random random = new Random(seed);
            List<Pipeline<Long>> inputs = new ArrayList<>();
            List<SourcePlace> places = new ArrayList<>();
            for (int source = 0; source < 3; source++) {
                int of = source;
                Pipeline<Long> input = Pipeline.from(Samplers.sequential(40)).map(item -> 1_000L * of + item);
                inputs.add(
                        random.nextBoolean()
                                ? input
                                : stage(input, "own", item -> item, placements[random.nextInt(4)], 3));
                LongStream.range(0, random.nextInt(41)).forEach(place -> places.add(new SourcePlace(of, place)));
            }
            Collections.shuffle(places, random);
            Pipeline<Long> mixed = Pipeline.merge(inputs.toArray(Pipeline[]::new));
            mixed = random.nextBoolean() ? mixed : stage(mixed, "all", item -> item, placements[random.nextInt(4)], 3);
            List<Long> delivered = new ArrayList<>();
            try (Run<Long> run = Pipelines.gathered(
                    mixed, 0, places, Optional.empty(), RunOptions.defaults().computeThreads(3))) {
                run.forEach(delivered::add);
            }
            assertThat(delivered)
                    .as("seed %d", seed)
                    .isEqualTo(places.stream()
                            .map(place -> 1_000L * place.source() + place.place())
                            .toList());
        }
    }

    /// Each batch of an input is one turn of it; the last may be smaller.
    @Test
    void batchesThatWereMixedComeInTheirOrder() {
        Pipeline<List<Long>> two = Pipeline.from(Samplers.sequential(5))
                .pipe("one", item -> item, StageOptions.cpu(3))
                .batch(2, Remainder.KEEP);
        Pipeline<List<Long>> three =
                Pipeline.from(Samplers.sequential(6)).map(item -> 100 + item).batch(3, Remainder.KEEP);
        List<SourcePlace> places = new ArrayList<>();
        for (long[] each : new long[][] {{1, 0, 1, 2}, {0, 3, 0}, {0, 1, 4}, {1, 3, 4, 5}, {0, 2}}) {
            for (int i = 1; i < each.length; i++) {
                places.add(new SourcePlace((int) each[0], each[i]));
            }
        }
        List<List<Long>> delivered = new ArrayList<>();
        try (Run<List<Long>> run =
                Pipelines.gathered(Pipeline.merge(two, three), 0, places, Optional.empty(), RunOptions.defaults())) {
            run.forEach(delivered::add);
        }

        assertThat(delivered)
                .isEqualTo(List.of(
                        List.of(100L, 101L, 102L),
                        List.of(3L, 0L),
                        List.of(1L, 4L),
                        List.of(103L, 104L, 105L),
                        List.of(2L)));
    }

    /// A stage behind the merge had batches that passed each other: its turns are not those of single items.
    @ParameterizedTest
    @CsvSource({"io", "cpu", "async", "ordered"})
    void batchesThatPassedEachOtherBehindAMergeComeInTheirOrder(String placement) {
        Pipeline<List<Long>> two = Pipeline.from(Samplers.sequential(40)).batch(2, Remainder.KEEP);
        Pipeline<List<Long>> three =
                Pipeline.from(Samplers.sequential(42)).map(item -> 100 + item).batch(3, Remainder.KEEP);
        List<List<Long>> order = new ArrayList<>();
        for (long first = 0; first < 40; first += 2) {
            order.add(List.of(first, first + 1));
        }
        for (long first = 100; first < 142; first += 3) {
            order.add(List.of(first, first + 1, first + 2));
        }
        Collections.shuffle(order, new Random(7));
        List<SourcePlace> places = order.stream()
                .flatMap(List::stream)
                .map(item -> new SourcePlace((int) (item / 100), item % 100))
                .toList();
        List<List<Long>> delivered = new ArrayList<>();
        try (Run<List<Long>> run = Pipelines.gathered(
                batches(Pipeline.merge(two, three), placement), 0, places, Optional.empty(), RunOptions.defaults())) {
            run.forEach(delivered::add);
        }

        assertThat(delivered).isEqualTo(order);
    }

    private static Pipeline<List<Long>> batches(Pipeline<List<Long>> merged, String placement) {
        return switch (placement) {
            case "io" -> merged.pipe("work", item -> item, StageOptions.io(3));
            case "cpu" -> merged.pipe("work", item -> item, StageOptions.cpu(3).defer(SOON));
            case "async" -> merged.pipeAsync("work", CompletableFuture::completedFuture, StageOptions.async(3));
            default -> merged.pipe("work", item -> item, StageOptions.cpu(3).inputOrder());
        };
    }

    @Test
    void whatFailsOrIsFilteredNowIsNotLeftOut() {
        AtomicInteger calls = new AtomicInteger();
        Pipeline<Long> failing = Pipeline.from(Samplers.sequential(ITEMS))
                .pipe(
                        "work",
                        item -> {
                            if (item == LATE) {
                                calls.incrementAndGet();
                                throw new IllegalArgumentException("no picture any more");
                            }
                            return item;
                        },
                        StageOptions.cpu(3).failures(FailurePolicy.skip(10).retry(2, Duration.ZERO)));
        Pipeline<Long> filtering = Pipeline.from(Samplers.sequential(ITEMS))
                .filter(item -> item != LATE)
                .pipe("work", item -> item, StageOptions.cpu(3));

        assertThatThrownBy(() -> all(failing))
                .isInstanceOf(PipelineException.class)
                .hasMessageContaining("no picture any more");
        assertThat(calls).hasValue(2);
        assertThatThrownBy(() -> all(filtering)).hasMessageContaining("a filter drops now");
    }

    private static void all(Pipeline<Long> pipeline) {
        RunOptions options = RunOptions.defaults().failures(FailurePolicy.skip(5));
        try (Run<Long> run = Pipelines.gathered(pipeline, 0, order(40), options)) {
            run.forEach(_ -> {});
        }
    }
}
