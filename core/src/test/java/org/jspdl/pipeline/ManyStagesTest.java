package org.jspdl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspdl.source.Sources;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Pipelines of thousands of stages, described and started on a small stack.
@Tag("slow")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ManyStagesTest {
    private static final int STAGES = 2_000;
    private static final int SMALL_STACK = 256 << 10;
    /// Thousands of threads have to end before a run is closed.
    private static final RunOptions PATIENT = RunOptions.defaults().grace(Duration.ofMinutes(1));

    private static Pipeline<Long> chainOf(int stages) {
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(5));
        for (int i = 0; i < stages; i++) {
            pipeline = switch (i % 5) {
                case 0 -> pipeline.pipe("cpu", item -> item + 1, StageOptions.cpu(1));
                case 1 -> pipeline.pipe("io", item -> item + 1, StageOptions.io(1));
                case 2 -> pipeline.map(item -> item + 1);
                case 3 ->
                    pipeline.route("route", item -> true)
                            .<Long>when(true, way -> way.map(item -> item + 1))
                            .merge();
                default ->
                    pipeline.pipeAsync(
                            "async", item -> CompletableFuture.completedFuture(item + 1), StageOptions.async(1));
            };
        }
        return pipeline;
    }

    private static void onASmallStack(Runnable test) throws InterruptedException {
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        Thread thread = new Thread(
                null,
                () -> {
                    try {
                        test.run();
                    } catch (Throwable thrown) {
                        failure.set(thrown);
                    }
                },
                "small-stack",
                SMALL_STACK);
        thread.start();
        thread.join();
        assertThat(failure.get()).isNull();
    }

    @Test
    void twoThousandStagesStartDeliverAndClose() throws InterruptedException {
        Pipeline<Long> pipeline = chainOf(STAGES);

        onASmallStack(() -> assertThat(Runs.deliveries(pipeline, PATIENT)).isEqualTo(Runs.numbers(STAGES, STAGES + 5)));
    }

    @Test
    void twoThousandStagesAreDrawnAndCheckpointed() throws InterruptedException {
        Pipeline<Long> pipeline = chainOf(STAGES);

        onASmallStack(() -> {
            assertThat(pipeline.toString().lines()).hasSizeGreaterThan(STAGES);
            assertThat(Pipelines.toMermaid(pipeline).lines()).hasSizeGreaterThan(STAGES);
            Checkpoint checkpoint;
            try (Run<Long> run = pipeline.start(PATIENT)) {
                assertThat(Runs.take(run, 2)).hasSize(2);
                checkpoint = run.checkpoint();
            }
            assertThat(Runs.deliveries(pipeline, PATIENT.resumeFrom(checkpoint)))
                    .hasSize(3);
        });
    }

    @Test
    void itemsOfAThousandBatchesWithinEachOtherAreSettledAndWeighed() throws InterruptedException {
        Pipeline<?> pipeline = Pipeline.from(Sources.range(6));
        for (int i = 0; i < 1_000; i++) {
            pipeline = pipeline.batch(i == 500 ? 2 : 1, Remainder.KEEP);
        }
        Pipeline<?> nested = pipeline.weigh(item -> 8);
        RunOptions options = PATIENT.byteBudget(new ByteBudget(16, 0));

        onASmallStack(() -> {
            try (Run<?> run = nested.start(options)) {
                assertThat(Runs.take(run, 10)).hasSize(3);
                assertThat(run.stats().budget().usedBytes()).isZero();
            }
        });
    }

    @Test
    void aFailureInTheMiddleOfTwoThousandStagesEndsTheRun() throws InterruptedException {
        Pipeline<Long> pipeline = chainOf(STAGES / 2)
                .pipe(
                        "broken",
                        item -> {
                            throw new IllegalStateException("in the middle");
                        },
                        StageOptions.cpu(1));
        Pipeline<Object> whole = pipeline.map(item -> (Object) item);
        for (int i = 0; i < STAGES / 2; i++) {
            whole = whole.pipe("io", item -> item, StageOptions.io(1));
        }
        Pipeline<Object> built = whole;

        onASmallStack(
                () -> assertThatThrownBy(() -> Runs.deliveries(built, PATIENT)).hasMessageContaining("in the middle"));
    }
}
