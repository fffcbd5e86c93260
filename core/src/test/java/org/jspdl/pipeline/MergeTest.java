package org.jspdl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.pipeline.Runs.deliveries;
import static org.jspdl.pipeline.Runs.numbers;
import static org.jspdl.pipeline.StageOptions.cpu;
import static org.jspdl.pipeline.StageOptions.io;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.Test;

class MergeTest {
    private final Pipeline<Long> left = Pipeline.from(Sources.range(5)).pipe("left", item -> item, io(1));
    private final Pipeline<Long> right =
            Pipeline.from(Sources.range(8)).map(item -> item + 100).pipe("right", item -> item, cpu(2));

    @Test
    void everyItemOfEveryPipelineComesOnce() {
        List<Long> all = Stream.concat(numbers(0, 5).stream(), numbers(100, 108).stream())
                .toList();

        assertThat(deliveries(Pipeline.merge(left, right))).containsExactlyInAnyOrderElementsOf(all);
        assertThat(deliveries(Pipeline.roundRobin(StoppingStrategy.ALL_EXHAUSTED, left, right)))
                .containsExactlyInAnyOrderElementsOf(all);
        assertThat(deliveries(Pipeline.mix(1, 0.3, 0.7).of(StoppingStrategy.ALL_EXHAUSTED, left, right)))
                .containsExactlyInAnyOrderElementsOf(all);
    }

    @Test
    void anEmptyPipelineHoldsUpNothing() {
        Pipeline<Long> empty = Pipeline.from(List.of());

        assertThat(deliveries(Pipeline.merge(empty, left, empty))).containsExactlyInAnyOrderElementsOf(numbers(0, 5));
        assertThat(deliveries(Pipeline.roundRobin(StoppingStrategy.ALL_EXHAUSTED, empty, left)))
                .isEqualTo(numbers(0, 5));
    }

    @Test
    void roundRobinTakesTurns() {
        Pipeline<Integer> odd = Pipeline.from(List.of(1, 3, 5));
        Pipeline<Integer> even = Pipeline.from(List.of(2, 4, 6, 8, 10));

        assertThat(deliveries(Pipeline.roundRobin(StoppingStrategy.ALL_EXHAUSTED, odd, even)))
                .containsExactly(1, 2, 3, 4, 5, 6, 8, 10);
        assertThat(deliveries(Pipeline.roundRobin(StoppingStrategy.FIRST_EXHAUSTED, odd, even)))
                .containsExactly(1, 2, 3, 4, 5, 6);
    }

    @Test
    void epochsEndTogether() {
        for (Pipeline<Long> pipeline : List.of(
                Pipeline.merge(left, right), Pipeline.roundRobin(StoppingStrategy.ALL_EXHAUSTED, left, right))) {
            assertThat(Runs.epochs(pipeline, RunOptions.defaults().epochs(4)))
                    .hasSize(4)
                    .allSatisfy(epoch -> assertThat(epoch).hasSize(13).doesNotHaveDuplicates());
        }
    }

    private static Pipeline<Long> failing() {
        return Pipeline.from(Sources.range(5))
                .pipe(
                        "failing",
                        item -> {
                            throw new IllegalStateException("broken");
                        },
                        io(1));
    }

    @Test
    void aFailureOfOnePipelineIsNeverTakenForTheEndOfTheEpoch() {
        Pipeline<Long> failing = failing();
        for (int attempt = 0; attempt < 100; attempt++) {
            List<Long> delivered = new ArrayList<>();
            try (Run<Long> run =
                    Pipeline.merge(failing, right).start(RunOptions.defaults().epochs(3))) {
                assertThatThrownBy(() -> run.forEach(delivered::add))
                        .isInstanceOf(PipelineException.class)
                        .hasMessageContaining("broken");
                assertThat(delivered).isSubsetOf(numbers(100, 108)).doesNotHaveDuplicates();
            }
        }
    }

    @Test
    void aFailureOfOnePipelineEndsTheOthersToo() {
        Pipeline<Long> failing = failing();
        Pipeline<Long> endless = Pipeline.from(Sources.range(3))
                .flatMap(
                        "count",
                        first -> () -> Stream.iterate(first, item -> item + 3).iterator(),
                        cpu(2));
        for (Pipeline<Long> merged : List.of(
                Pipeline.merge(endless, failing, endless.pipe("work", item -> item, io(2))),
                Pipeline.merge(endless, Pipeline.merge(failing, endless))
                        .batch(3, Remainder.KEEP)
                        .unbatch(b -> b),
                Pipeline.roundRobin(StoppingStrategy.ALL_EXHAUSTED, endless, failing))) {
            try (Run<Long> run = merged.start()) {
                assertThatThrownBy(() -> run.forEach(item -> {})).hasMessageContaining("broken");
            }
        }
    }

    @Test
    void aFailureInOneWayOfARouteIsNeverTakenForTheEndOfTheEpoch() {
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(10))
                .route("kind", item -> item == 9)
                .<Long>when(
                        true,
                        way -> way.pipe(
                                "failing",
                                item -> {
                                    throw new IllegalStateException("broken");
                                },
                                io(1)))
                .otherwise(way -> way.pipe("fine", item -> item, cpu(1)))
                .merge();
        for (int attempt = 0; attempt < 100; attempt++) {
            try (Run<Long> run = pipeline.start(RunOptions.defaults().epochs(3))) {
                assertThatThrownBy(() -> Runs.take(run, 100)).hasMessageContaining("broken");
            }
        }
    }

    @Test
    void aMixDrawsByItsWeightsAndTheSameFromTheSameSeed() {
        Pipeline<Long> rare = Pipeline.from(Sources.range(10_000)).map(item -> -1L);
        Pipeline<Long> common = Pipeline.from(Sources.range(10_000));
        Pipeline<Long> never = Pipeline.from(Sources.range(10_000)).map(item -> -2L);
        Pipeline<Long> mixed = Pipeline.mix(7, 1, 3, 0).of(StoppingStrategy.FIRST_EXHAUSTED, rare, common, never);

        List<Long> delivered = deliveries(mixed);

        // 3 standard deviations of some 13,300 draws.
        assertThat((double) delivered.stream().filter(item -> item == -1).count() / delivered.size())
                .isBetween(0.239, 0.261);
        assertThat(delivered).doesNotContain(-2L);
        assertThat(delivered.stream().filter(item -> item >= 0)).isEqualTo(numbers(0, 10_000));
        assertThat(deliveries(mixed)).isEqualTo(delivered);
        assertThat(deliveries(Pipeline.mix(8, 1, 3, 0).of(StoppingStrategy.FIRST_EXHAUSTED, rare, common, never)))
                .isNotEqualTo(delivered);
    }

    @Test
    void aMixUntilAllAreExhaustedGoesOnWithWhatIsLeft() {
        Pipeline<Long> mixed = Pipeline.mix(7, 1, 100).of(StoppingStrategy.ALL_EXHAUSTED, right, left);

        List<Long> delivered = deliveries(mixed);

        assertThat(delivered).hasSize(13);
        assertThat(delivered.getLast()).isGreaterThanOrEqualTo(100L);
    }

    @Test
    void weightsThatDoNotFitAreRefused() {
        assertThatThrownBy(() -> Pipeline.mix(1, 1, 2).of(StoppingStrategy.ALL_EXHAUSTED, left))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("2 weights for 1 pipelines");
        assertThatThrownBy(() -> Pipeline.mix(1, 0, 0)).hasMessageContaining("positive");
        assertThatThrownBy(() -> Pipeline.mix(1, 1, -2)).hasMessageContaining("-2.0");
        assertThatThrownBy(() -> Pipeline.mix(1, 1, Double.NaN)).hasMessageContaining("NaN");
    }

    @Test
    void nothingToMergeIsRefused() {
        assertThatThrownBy(Pipeline::merge).isInstanceOf(IllegalArgumentException.class);
    }
}
