package org.jspdl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jspdl.pipeline.Remainder.KEEP;
import static org.jspdl.pipeline.StageOptions.async;
import static org.jspdl.pipeline.StageOptions.cpu;
import static org.jspdl.pipeline.StageOptions.dedicated;
import static org.jspdl.pipeline.StageOptions.io;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import java.util.stream.Gatherer;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Leaving an epoch before its end stops what works for it.
class LeftEpochTest {
    private static final int SIZE = 4_000;
    /// What may be under way: a few buffers, batches and calls.
    private static final long UNDER_WAY = 400;

    private final Tracker tracker = new Tracker();
    private final AtomicLong read = new AtomicLong();

    private Pipeline<Tracker.Item> source(long size) {
        return Pipeline.from(Sources.range(size)).map(index -> {
            read.incrementAndGet();
            return tracker.item(index);
        });
    }

    private Pipeline<Tracker.Item> endless() {
        return Pipeline.from(
                        (Iterable<Long>) () -> LongStream.iterate(0, i -> i + 1).iterator())
                .map(index -> {
                    read.incrementAndGet();
                    return tracker.item(index);
                });
    }

    static Stream<Named<UnaryOperator<Pipeline<Tracker.Item>>>> shapes() {
        return Stream.of(
                Named.of("source", before -> before),
                Named.of("cpu", before -> before.pipe("work", item -> item, cpu(2))),
                Named.of(
                        "cpu in order",
                        before -> before.pipe(
                                "work", item -> item, cpu(3).inputOrder().buffer(9))),
                Named.of("io", before -> before.pipe("work", item -> item, io(3))),
                Named.of("dedicated", before -> before.pipe("work", item -> item, dedicated())),
                Named.of("async", before -> before.pipeAsync("work", CompletableFuture::completedFuture, async(3))),
                Named.of("flatMap", before -> before.flatMap("one", List::of, cpu(2).inputOrder())),
                Named.of("flatMap io", before -> before.flatMap("one", List::of, io(2))),
                Named.of("batches", before -> before.batch(16, KEEP).unbatch(batch -> batch)),
                Named.of(
                        "route",
                        before -> before.route("kind", item -> item.id() % 2)
                                .when(0L, way -> way.pipe("even", item -> item, cpu(2)))
                                .otherwise(way -> way)
                                .merge()),
                Named.of(
                        "elements",
                        before -> Pipeline.<Tracker.Item, Tracker.Item>routeElements(
                                        before.batch(8, KEEP), "kind", item -> item.id() % 2)
                                .when(0L, way -> way.pipe("even", item -> item, cpu(2)))
                                .otherwise(way -> way)
                                .merge()
                                .unbatch(batch -> batch)),
                Named.of("take", before -> before.take(3_500)));
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void theRestOfAnEpochThatIsLeftIsNotRead(UnaryOperator<Pipeline<Tracker.Item>> shape) {
        try (Run<Tracker.Item> run =
                shape.apply(source(SIZE)).start(RunOptions.defaults().epochs(2))) {
            Runs.take(run, 10).forEach(Tracker.Item::close);

            assertThat(run.nextEpoch()).isTrue();

            assertThat(read).hasValueLessThan(10 + 2 * UNDER_WAY);
            run.forEach(Tracker.Item::close);
            assertThat(run.nextEpoch()).isFalse();
        }
        tracker.assertEachClosedOnce();
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void anEndlessEpochCanBeLeftAlsoUnderAByteBudget(UnaryOperator<Pipeline<Tracker.Item>> shape) {
        Pipeline<Tracker.Item> pipeline = shape.apply(endless().weigh(item -> 10));
        for (ByteBudget budget : List.of(new ByteBudget(10, 0), new ByteBudget(1_000, 10))) {
            try (Run<Tracker.Item> run =
                    pipeline.start(RunOptions.defaults().epochs(3).byteBudget(budget))) {
                for (int epoch = 0; epoch < 3; epoch++) {
                    Runs.take(run, 5).forEach(Tracker.Item::close);
                    assertThat(run.nextEpoch()).isEqualTo(epoch < 2);
                }
                assertThat(run.stats().budget().usedBytes()).isZero();
            }
        }
        tracker.assertEachClosedOnce();
    }

    @Test
    void anEndlessFlatMapEndsWithTheEpoch() {
        for (StageOptions options : List.of(cpu(2), io(2), cpu(2).inputOrder())) {
            Pipeline<Long> pipeline = Pipeline.from(Sources.range(3))
                    .flatMap(
                            "count",
                            first -> Elements.of(
                                    LongStream.iterate(first, i -> i + 1).boxed()),
                            options);
            try (Run<Long> run = pipeline.start(RunOptions.defaults().epochs(2))) {
                assertThat(Runs.take(run, 20)).hasSize(20);
                assertThat(run.nextEpoch()).isTrue();
                assertThat(Runs.take(run, 20)).hasSize(20);
                assertThat(run.nextEpoch()).isFalse();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void takeStopsItsSourceAndItsItemsAreTheFirst(UnaryOperator<Pipeline<Tracker.Item>> shape) {
        try (Run<Tracker.Item> run =
                shape.apply(endless()).take(12).start(RunOptions.defaults().epochs(2))) {
            for (int epoch = 0; epoch < 2; epoch++) {
                List<Tracker.Item> taken = run.stream().toList();
                assertThat(taken).hasSize(12).extracting(Tracker.Item::id).doesNotHaveDuplicates();
                taken.forEach(Tracker.Item::close);
                assertThat(run.nextEpoch()).isEqualTo(epoch == 0);
            }
        }
        assertThat(read).hasValueLessThan(24 + 3 * UNDER_WAY);
        tracker.assertEachClosedOnce();
    }

    @Test
    void takeIsExactInInputOrderAndAllOfAShorterSource() {
        try (Run<Long> run = Pipeline.from(Sources.range(50)).take(7).start();
                Run<Long> shorter = Pipeline.from(Sources.range(5)).take(7).start()) {
            assertThat(run).containsExactlyElementsOf(Runs.numbers(0, 7));
            assertThat(shorter).containsExactlyElementsOf(Runs.numbers(0, 5));
        }
    }

    @Test
    void takeInABranchLeavesTheOthersAlone() {
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(SIZE))
                .route("kind", item -> item % 2)
                .when(0L, way -> way.take(3))
                .otherwise(way -> way)
                .merge();
        try (Run<Long> run = pipeline.start(RunOptions.defaults().epochs(2))) {
            for (int epoch = 0; epoch < 2; epoch++) {
                assertThat(run.stream().filter(item -> item % 2 == 0)).containsExactly(0L, 2L, 4L);
                assertThat(run.nextEpoch()).isEqualTo(epoch == 0);
            }
        }
    }

    @Test
    void aRoundRobinUntilTheFirstEndsReadsNoFurther() {
        Pipeline<Tracker.Item> pipeline = Pipeline.roundRobin(
                StoppingStrategy.FIRST_EXHAUSTED,
                Pipeline.from(Sources.range(4)).map(tracker::item),
                source(3_000).pipe("decode", item -> item, cpu(2)),
                endless());
        try (Run<Tracker.Item> run = pipeline.start(RunOptions.defaults().epochs(2))) {
            for (int epoch = 0; epoch < 2; epoch++) {
                assertThat(run.stream().peek(Tracker.Item::close)).hasSize(12);
                assertThat(run.nextEpoch()).isEqualTo(epoch == 0);
            }
        }
        assertThat(read).hasValueLessThan(24 + 3 * UNDER_WAY);
        tracker.assertEachClosedOnce();
    }

    @Test
    void aGathererThatWantsNoMoreStopsItsSource() {
        Gatherer<Tracker.Item, ?, Tracker.Item> five = Gatherer.ofSequential(
                () -> new int[1], (int[] count, Tracker.Item item, Gatherer.Downstream<? super Tracker.Item> out) -> {
                    out.push(item);
                    return ++count[0] < 5;
                });
        try (Run<Tracker.Item> run = endless()
                .aggregate("five", five, GathererState.unsaved())
                .start(RunOptions.defaults().epochs(2))) {
            for (int epoch = 0; epoch < 2; epoch++) {
                assertThat(run.stream().peek(Tracker.Item::close))
                        .extracting(Tracker.Item::id)
                        .containsExactly(0L, 1L, 2L, 3L, 4L);
                assertThat(run.nextEpoch()).isEqualTo(epoch == 0);
            }
        }
        assertThat(read).hasValueLessThan(10 + 2 * UNDER_WAY);
        tracker.assertEachClosedOnce();
    }
}
