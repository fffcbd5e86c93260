package org.jspdl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.pipeline.Remainder.KEEP;
import static org.jspdl.pipeline.StageOptions.cpu;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Gatherers;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspdl.source.Sources;
import org.jspdl.stats.BudgetStats;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Runs whose items in flight are bounded by their weight.
class ByteBudgetTest {
    private static final long ITEM_BYTES = 10;

    @ParameterizedTest
    @ValueSource(longs = {20, 50, 1_000})
    void theWeightInFlightStaysWithinTheBudgetAndEverythingIsDelivered(long budget) {
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(500))
                .pipe("load", item -> item, cpu(4))
                .weigh(item -> ITEM_BYTES)
                .pipe("use", item -> item, cpu(2));

        try (Run<Long> run = pipeline.start(RunOptions.defaults().byteBudget(new ByteBudget(budget, ITEM_BYTES)))) {
            assertThat(run).hasSize(500);
            BudgetStats stats = run.stats().budget();
            assertThat(stats.peakBytes()).isBetween(ITEM_BYTES, budget);
            assertThat(stats.admittedBeyond()).isZero();
            assertThat(stats.usedBytes()).isZero();
        }
    }

    @Test
    void aConsumerThatConfinesTheRunWhileItIsBusyGetsEverythingInOrder() {
        Pipeline<List<Long>> pipeline = Pipeline.from(Sources.range(500))
                .weigh(item -> ITEM_BYTES)
                .pipe("use", item -> item, cpu(2))
                .batch(8, KEEP);
        RunOptions options = RunOptions.defaults()
                .epochs(2)
                .byteBudget(new ByteBudget(10 * ITEM_BYTES, ITEM_BYTES))
                .leaveOut(List.of(3L, 4L, 70L));

        List<Long> got = new ArrayList<>();
        long received = 0;
        try (Run<List<Long>> run = pipeline.start(options)) {
            do {
                for (List<Long> batch : run) {
                    run.confine(got.size() % 3, ++received);
                    got.addAll(batch);
                    run.confine(Integer.MAX_VALUE, received);
                }
            } while (run.nextEpoch());
            assertThat(run.stats().budget().usedBytes()).isZero();
        }
        assertThat(got).hasSize(2 * 500 - 3 * 8);
    }

    @Test
    void aBatchThatDoesNotFitIsFilledBeyondTheBudgetAndCounted() {
        Pipeline<List<Long>> pipeline =
                Pipeline.from(Sources.range(64)).weigh(item -> ITEM_BYTES).batch(32, KEEP);

        try (Run<List<Long>> run = pipeline.start(RunOptions.defaults().byteBudget(new ByteBudget(100, 0)))) {
            assertThat(run).extracting(List::size).containsExactly(32, 32);
            assertThat(run.stats().budget().admittedBeyond()).isPositive();
        }
    }

    @Test
    void aBatchBehindALargeBufferIsFilledBeyondTheBudgetToo() {
        Pipeline<List<Long>> pipeline = Pipeline.from(Sources.range(64))
                .pipe("load", item -> item, cpu(2).buffer(128))
                .weigh(item -> ITEM_BYTES)
                .batch(32, KEEP);

        try (Run<List<Long>> run = pipeline.start(RunOptions.defaults().byteBudget(new ByteBudget(100, 0)))) {
            assertThat(run).extracting(List::size).containsExactly(32, 32);
        }
    }

    @Test
    void filteredAndSkippedItemsGiveTheirWeightBack() {
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(300))
                .weigh(item -> ITEM_BYTES)
                .pipe(
                        "pick",
                        item -> {
                            if (item % 3 == 0) {
                                throw new IllegalStateException("bad");
                            }
                            return item;
                        },
                        cpu(2).failures(FailurePolicy.skip(100)))
                .filter(item -> item % 3 == 1);

        try (Run<Long> run = pipeline.start(RunOptions.defaults().byteBudget(new ByteBudget(40, ITEM_BYTES)))) {
            assertThat(run).hasSize(100);
            assertThat(run.stats().budget().usedBytes()).isZero();
        }
    }

    @Test
    void aBudgetBelowAKnownGroupIsRefusedAtTheStart() {
        Pipeline<List<List<Long>>> pipeline =
                Pipeline.from(Sources.range(64)).batch(8, KEEP).batch(4, KEEP);
        RunOptions options = RunOptions.defaults().byteBudget(new ByteBudget(319, ITEM_BYTES));

        assertThatThrownBy(() -> pipeline.start(options))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a batch of 32 items of 10 bytes does not fit the byte budget of 319");
    }

    @Test
    void framesOfOneVideoAreNotTakenForVideos() {
        Pipeline<List<Long>> pipeline = Pipeline.from(Sources.range(4))
                .flatMap("frames", video -> LongStream.range(0, 300).boxed().toList(), cpu(2))
                .batch(100, KEEP);

        try (Run<List<Long>> run = pipeline.start(RunOptions.defaults().byteBudget(new ByteBudget(100, 50)))) {
            assertThat(run).hasSize(12);
        }
    }

    @Test
    void videosOfManyFramesAreAcceptedWhereOneFits() {
        Pipeline<List<Long>> pipeline = Pipeline.from(Sources.range(3))
                .pipe("read", video -> video, cpu(2))
                .weigh(video -> 50_000_000)
                .route("kind", video -> video % 2)
                .<Long>when(0L, way -> way.flatMap("frames", ByteBudgetTest::frames, cpu(2)))
                .otherwise(way -> way.flatMap("other-frames", ByteBudgetTest::frames, cpu(2)))
                .merge()
                .weigh(frame -> 150_000)
                .batch(300, KEEP);

        try (Run<List<Long>> run =
                pipeline.start(RunOptions.defaults().byteBudget(new ByteBudget(1L << 30, 50_000_000)))) {
            assertThat(run).hasSize(3);
            assertThat(run.stats().budget().admittedBeyond()).isZero();
        }
    }

    private static List<Long> frames(long video) {
        return LongStream.range(0, 300).boxed().toList();
    }

    /// A mixture of images and clips with their weights in bytes.
    @ParameterizedTest
    @CsvSource({
        "1200, 600_000, 120, 60_000_000, 201_326_592",
        "1200, 600_000, 120, 60_000_000, 268_435_456",
        "300, 1, 300, 100, 320"
    })
    void lightAndHeavyItemsAreMixedWithinTheBudgetAndTheHeaviestOfEachInput(
            int images, String imageBytes, int clips, String clipBytes, String budget) {
        long light = bytes(imageBytes);
        long heavy = bytes(clipBytes);
        long limit = bytes(budget);
        Pipeline<Long> mixture = Pipeline.mix(7, 10, 1)
                .of(StoppingStrategy.ALL_EXHAUSTED, weighing(images, light), weighing(clips, heavy));

        try (Run<Long> run = mixture.start(RunOptions.defaults().epochs(2).byteBudget(new ByteBudget(limit, 0)))) {
            assertThat(run).hasSize(images + clips);
            assertThat(run.nextEpoch()).isTrue();
            assertThat(run).hasSize(images + clips);
            assertThat(run.stats().budget().peakBytes()).isLessThanOrEqualTo(limit + light + heavy);
            assertThat(run.stats().budget().usedBytes()).isZero();
        }
    }

    private static long bytes(String digits) {
        return Long.parseLong(digits.replace("_", ""));
    }

    private static Pipeline<Long> weighing(int items, long bytes) {
        return Pipeline.from(Sources.range(items))
                .pipe("load-" + bytes, item -> item, cpu(4))
                .weigh(item -> bytes);
    }

    @Test
    void whatTheFirstItemWeighsIsKnownBeforeTheNextIsAdmitted() {
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(40))
                .pipe("load", item -> item, cpu(4).buffer(20))
                .weigh(item -> 100);

        try (Run<Long> run = pipeline.start(RunOptions.defaults().byteBudget(new ByteBudget(250, 0)))) {
            assertThat(run).hasSize(40);
            assertThat(run.stats().budget().peakBytes()).isEqualTo(200);
            assertThat(run.stats().budget().admittedBeyond()).isZero();
        }
    }

    static Stream<Named<Pipeline<?>>> endedEarly() {
        return Stream.of(
                Named.of("a take", weighing(1_000, 3).take(10)),
                Named.of(
                        "a take of parts",
                        weighing(1_000, 3)
                                .flatMap("parts", ByteBudgetTest::frames, cpu(2))
                                .take(310)),
                Named.of("a take of batches", weighing(1_000, 3).batch(4, KEEP).take(3)),
                Named.of(
                        "a take behind a gatherer",
                        weighing(1_000, 3)
                                .aggregate("window", Gatherers.windowFixed(5), GathererState.emptyAfterEmission())
                                .take(3)),
                Named.of(
                        "a take behind branches of elements",
                        Pipeline.<Long, Long>routeElements(weighing(1_000, 3).batch(4, KEEP), "kind", item -> item % 2)
                                .when(0L, way -> way.pipe("even", item -> item, cpu(2)))
                                .otherwise(way -> way.pipe("odd", item -> item, cpu(2)))
                                .merge()
                                .take(3)),
                Named.of(
                        "a mix that is cut short",
                        Pipeline.mix(7, 1, 1)
                                .of(StoppingStrategy.FIRST_EXHAUSTED, weighing(1_000, 3), weighing(20, 5))),
                Named.of(
                        "a source that waits",
                        Pipeline.merge(weighing(10, 3), Pipeline.from(Sources.queue(new LinkedBlockingQueue<Long>())))
                                .take(10)));
    }

    @ParameterizedTest
    @MethodSource("endedEarly")
    @SuppressWarnings("try") // what is left after the close is looked at
    void nothingIsInFlightAfterARunThatEndedEarly(Pipeline<?> pipeline) {
        try (Run<?> run = pipeline.start(RunOptions.defaults().byteBudget(new ByteBudget(60, 5)))) {
            assertThat(run.stream().count()).isPositive();
            assertThat(run.nextEpoch()).isFalse();
            run.close();
            assertThat(run.stats().budget().usedBytes()).isZero();
        }
    }
}
