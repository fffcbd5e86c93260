package org.jspdl.pipeline.parity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.pipeline.StageOptions.async;
import static org.jspdl.pipeline.StageOptions.cpu;
import static org.jspdl.pipeline.StageOptions.io;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.jspdl.pipeline.FailurePolicy;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.PipelineException;
import org.jspdl.pipeline.Remainder;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.pipeline.StageOptions;
import org.jspdl.pipeline.StoppingStrategy;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What SPDL calls path variants.
class RouteBehaviorTest {
    private static final Pipeline<Long> TWENTY = Pipeline.from(Sources.range(20));

    private static <T> List<List<T>> epochs(Pipeline<T> pipeline, long epochs) {
        List<List<T>> all = new ArrayList<>();
        try (Run<T> run = pipeline.start(RunOptions.defaults().epochs(epochs))) {
            do {
                all.add(run.stream().toList());
            } while (run.nextEpoch());
        }
        return all;
    }

    private static Long broken(Long item) {
        throw new IllegalStateException("broken at " + item);
    }

    private static Pipeline<Long> brokenWays(Pipeline<Long> before, long brokenWays, StageOptions options) {
        return before.route("kind", item -> item % 2)
                .<Long>when(0L, way -> way.pipe("even", item -> brokenWays > 0 ? broken(item) : item, options))
                .otherwise(way -> way.pipe("odd", item -> brokenWays > 1 ? broken(item) : item, options))
                .merge();
    }

    @Test
    void aWayWhoseItemsAreSkippedDoesNotAffectTheOthers() {
        StageOptions skipping = cpu(2).failures(FailurePolicy.skip(100));

        assertThat(epochs(brokenWays(TWENTY, 1, skipping), 2))
                .allSatisfy(epoch -> assertThat(epoch)
                        .containsExactlyInAnyOrderElementsOf(LongStream.range(0, 20)
                                .filter(item -> item % 2 == 1)
                                .boxed()
                                .toList()));
        assertThat(epochs(brokenWays(TWENTY, 2, skipping), 2)).containsExactly(List.of(), List.of());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void aWayThatFailsStopsTheRouterAlsoOfAnEndlessSource(long brokenWays) {
        Pipeline<Long> endless = Pipeline.from(Sources.range(Long.MAX_VALUE));
        Pipeline<Long> oneWay = endless.map(item -> 2 * item);

        for (Pipeline<Long> source : List.of(endless, oneWay)) {
            assertThatThrownBy(() -> epochs(brokenWays(source, brokenWays, io(2)), 1))
                    .isInstanceOf(PipelineException.class)
                    .hasMessageContaining("broken at");
        }
    }

    @Test
    void aRouteStandsBehindAMergeAndBetweenOtherStages() {
        Pipeline<Long> merged = Pipeline.merge(TWENTY, TWENTY.map(item -> item + 20));
        Pipeline<String> pipeline = merged.pipe("before", item -> item + 1, cpu(2))
                .route("kind", item -> item % 2 == 0)
                .<Long>when(true, way -> way.pipeAsync("ask", CompletableFuture::completedFuture, async(3)))
                .otherwise(way -> way.pipe("negate", item -> -item, io(3)))
                .merge()
                .pipe("after", String::valueOf, cpu(2));

        assertThat(epochs(pipeline, 1).getFirst())
                .containsExactlyInAnyOrderElementsOf(LongStream.range(1, 41)
                        .mapToObj(item -> String.valueOf(item % 2 == 0 ? item : -item))
                        .toList());
    }

    @Test
    void waysOfAnySpeedAndLengthLetNoItemCrossTheEndOfAnEpoch() {
        Pipeline<Long> nested = TWENTY.route("outer", item -> item % 2)
                .<Long>when(
                        0L,
                        way -> way.route("inner", item -> item % 4)
                                .<Long>when(0L, inner -> inner.pipe("slow", RouteBehaviorTest::slowly, io(1)))
                                .otherwise(inner -> inner)
                                .merge())
                .otherwise(way -> way.pipe("first", item -> item, cpu(1)).pipe("second", item -> item, io(4)))
                .merge();

        assertThat(epochs(nested, 5))
                .hasSize(5)
                .allSatisfy(epoch -> assertThat(epoch)
                        .containsExactlyInAnyOrderElementsOf(
                                LongStream.range(0, 20).boxed().toList()));
    }

    @SuppressWarnings("ThreadPriorityCheck")
    private static Long slowly(Long item) {
        for (int i = 0; i < 200; i++) {
            Thread.yield();
        }
        return item;
    }

    @Test
    void anIncompleteBatchInAWayIsPassedOnAtTheEndOfTheEpoch() {
        Pipeline<List<Long>> pipeline = TWENTY.route("kind", item -> item % 2)
                .<List<Long>>when(0L, way -> way.batch(4, Remainder.KEEP))
                .otherwise(way -> way.batch(3, Remainder.DROP))
                .merge();

        assertThat(epochs(pipeline, 3))
                .allSatisfy(epoch -> assertThat(epoch)
                        .containsExactlyInAnyOrder(
                                List.of(0L, 2L, 4L, 6L),
                                List.of(8L, 10L, 12L, 14L),
                                List.of(16L, 18L),
                                List.of(1L, 3L, 5L),
                                List.of(7L, 9L, 11L),
                                List.of(13L, 15L, 17L)));
    }

    @Test
    void emptyEpochsPassThroughRoutes() {
        assertThat(epochs(brokenWays(Pipeline.from(Sources.range(0)), 2, cpu(2)), 3))
                .containsExactly(List.of(), List.of(), List.of());
    }

    @Test
    @SuppressWarnings("NullAway") // null is refused
    void aWayIsCheckedWhenItIsGiven() {
        var route = TWENTY.route("kind", item -> item % 2);

        assertThatThrownBy(() -> route.<Long>when(0L, way -> null))
                .isInstanceOf(NullPointerException.class)
                .hasMessageContaining("the chain of '0'");
        assertThatThrownBy(() -> route.when(0L, way -> way).when(0L, way -> way))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no item reaches the branch '0'");
        assertThatThrownBy(() -> TWENTY.route("kind", null)).isInstanceOf(NullPointerException.class);
    }

    @Test
    void allElementsOfABatchMayGoOneWayAndSomeMayBeDropped() {
        Pipeline<List<Long>> batches = TWENTY.batch(5, Remainder.KEEP);
        Pipeline<List<Long>> pipeline = Pipeline.<Long, Long>routeElements(batches, "kind", item -> item < 10)
                .when(true, way -> way.filter(item -> item % 2 == 0).pipe("first", item -> item, cpu(2)))
                .otherwise(way -> way.filter(item -> item >= 15))
                .merge();

        assertThat(epochs(pipeline, 2))
                .allSatisfy(epoch -> assertThat(epoch.stream().flatMap(List::stream))
                        .containsExactly(0L, 2L, 4L, 6L, 8L, 15L, 16L, 17L, 18L, 19L));
    }

    @Test
    void pipelinesOfAnyLengthAndStagesMergeWithStagesBehindThem() {
        Pipeline<List<Long>> asked = TWENTY.pipeAsync("ask", CompletableFuture::completedFuture, async(2))
                .batch(6, Remainder.KEEP);
        Pipeline<List<Long>> short_ =
                Pipeline.from(Sources.range(3)).map(item -> 100 + item).pipe("list", List::of, io(3));
        Pipeline<List<Long>> empty = Pipeline.<Long>from(List.of()).batch(2, Remainder.KEEP);
        Pipeline<Integer> pipeline = Pipeline.merge(asked, short_, empty).pipe("size", List::size, cpu(2));

        assertThat(epochs(pipeline, 2))
                .allSatisfy(epoch -> assertThat(epoch).containsExactlyInAnyOrder(6, 6, 6, 2, 1, 1, 1));
    }

    @Test
    void pipelinesOfDifferentTypesMergeToWhatTheyHaveInCommon() {
        Pipeline<Object> pipeline = Pipeline.<Object>merge(TWENTY.take(1), Pipeline.from(List.of("text")));

        assertThat(epochs(pipeline, 1).getFirst()).containsExactlyInAnyOrder(0L, "text");
    }

    @Test
    void theFirstPipelineToEndMayEndTheOthers() {
        Pipeline<Long> pipeline = Pipeline.roundRobin(
                StoppingStrategy.FIRST_EXHAUSTED,
                Pipeline.from(List.of(1L, 2L, 3L)),
                Pipeline.from(Sources.range(Long.MAX_VALUE)).map(item -> item + 4));

        assertThat(epochs(pipeline, 1).getFirst()).containsExactly(1L, 4L, 2L, 5L, 3L, 6L);
    }
}
