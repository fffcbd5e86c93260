package org.jspdl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.pipeline.Runs.numbers;
import static org.jspdl.pipeline.StageOptions.cpu;
import static org.jspdl.pipeline.StageOptions.io;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.jspdl.source.Samplers;
import org.jspdl.source.Sources;
import org.jspdl.stats.StageObserver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What the original does wrong and must not happen here. What other classes show is not repeated: the bound on
/// concurrency in input order ([ConcurrencyBoundTest]), idle queues ([StatsTest]), exhausted pipelines of a mix
/// ([MergeTest]).
class DefectTest {

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#few")
    void anErrorIsNeverLostWhenTheConsumerStopsEarly(Setting setting) throws InterruptedException {
        Gate failing = new Gate();
        CountDownLatch ended = new CountDownLatch(1);
        Run<Long> run = Pipeline.from(Sources.range(10))
                .pipe("fail", item -> item == 0 ? item : failLater(failing, item), setting.options())
                .start(Setting.roomy().observer(new StageObserver() {
                    @Override
                    public void stageEnded(String stage) {
                        if (stage.equals("fail")) {
                            ended.countDown();
                        }
                    }
                }));
        assertThat(run.iterator().next()).isZero();
        failing.awaitArrivals(1);
        failing.open();
        ended.await();

        assertThatThrownBy(run::close).isInstanceOf(PipelineException.class).hasMessageContaining("broken");
    }

    private static long failLater(Gate gate, long item) throws InterruptedException {
        gate.pass(item);
        throw new IllegalStateException("broken");
    }

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#all")
    void aLoopOverARunNeverEndsNormallyAfterAFailure(Setting setting) {
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(10))
                .pipe(
                        "fail",
                        item -> {
                            throw new IllegalStateException("broken");
                        },
                        setting.options());
        try (Run<Long> run = pipeline.start()) {
            assertThatThrownBy(() -> run.forEach(item -> assertThat(item).isNull()))
                    .isInstanceOf(PipelineException.class);
        }
    }

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#ordered")
    void aLazyFlatMapInInputOrderNeverYieldsNothing(Setting setting) {
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(20))
                .flatMap(
                        "twice",
                        item -> Elements.of(List.of(2 * item, 2 * item + 1).iterator()),
                        setting.options());

        assertThat(Runs.deliveries(pipeline)).isEqualTo(numbers(0, 40));
    }

    @Test
    void aFunctionThatAlwaysFailsNeverLooksLikeAnEmptyEpoch() {
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(200))
                .pipe(
                        "broken",
                        item -> {
                            throw new IllegalArgumentException("wrong number of arguments");
                        },
                        cpu(2).failures(FailurePolicy.skipRate(0.5)));

        assertThatThrownBy(() -> Runs.deliveries(pipeline)).hasMessageContaining("wrong number of arguments");
    }

    @Test
    void epochsOfAShuffledSourceAreNeverTheSameOrder() {
        assertThat(Runs.epochs(
                        Pipeline.from(Samplers.shuffled(100, 3)),
                        RunOptions.defaults().epochs(4)))
                .doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#all")
    void elementsOfDifferentBatchesAreNeverRecombined(Setting setting) {
        Pipeline<List<Long>> batches = Pipeline.from(Sources.range(90)).batch(3, Remainder.KEEP);
        Pipeline<List<Long>> pipeline = Pipeline.<Long, Long>routeElements(batches, "parity", item -> item % 2)
                .when(
                        0L,
                        way -> way.pipe(
                                "even",
                                item -> {
                                    if (item % 12 == 0) {
                                        throw new IllegalStateException("skipped");
                                    }
                                    return item;
                                },
                                setting.options().failures(FailurePolicy.skip(100))))
                .otherwise(way -> way.filter(item -> item % 9 != 0))
                .merge();

        for (List<Long> batch : Runs.deliveries(pipeline)) {
            assertThat(batch).allMatch(item -> item / 3 == batch.getFirst() / 3).isSorted();
            assertThat(batch).noneMatch(item -> item % 12 == 0 || (item % 2 == 1 && item % 9 == 0));
        }
        assertThat(Runs.deliveries(pipeline.unbatch(batch -> batch)))
                .isEqualTo(numbers(0, 90).stream()
                        .filter(i -> i % 12 != 0 && !(i % 2 == 1 && i % 9 == 0))
                        .toList());
    }

    @Test
    void aThresholdIsNeverNoticedLateByAStageThatWaitsForInput() {
        Gate source = new Gate();
        Pipeline<Long> pipeline = Pipeline.from(
                        Sources.indexed(10, index -> index < 3 ? index : waiting(source, index)))
                .pipe(
                        "fail",
                        item -> {
                            throw new IllegalStateException("broken");
                        },
                        io(1).failures(FailurePolicy.skip(2)));

        try (Run<Long> run = pipeline.start()) {
            assertThatThrownBy(() -> run.forEach(item -> assertThat(item).isNull()))
                    .hasMessageContaining("3 items failed");
        }
    }

    private static long waiting(Gate gate, long index) {
        try {
            return gate.pass(index);
        } catch (InterruptedException stop) {
            throw new IllegalStateException(stop);
        }
    }

    @Test
    void anAsynchronousFunctionThatReturnsNothingNeverHangsTheRun() {
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(5))
                .pipeAsync("fetch", item -> CompletableFuture.<Long>completedFuture(null), StageOptions.async(2));

        assertThatThrownBy(() -> Runs.deliveries(pipeline))
                .isInstanceOf(PipelineException.class)
                .hasMessageContaining("null");
    }
}
