package org.jspdl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.pipeline.StageOptions.cpu;
import static org.jspdl.pipeline.StageOptions.dedicated;
import static org.jspdl.pipeline.StageOptions.io;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import java.util.stream.LongStream;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Calls that take longer than their stage allows.
class DeadlineTest {
    private static final Duration SHORT = Duration.ofMillis(30);

    static List<StageOptions> placements() {
        return List.of(io(2), cpu(2), io(2).inputOrder(), cpu(2).inputOrder());
    }

    private static List<Long> allBut(long missing) {
        return LongStream.range(0, 20).filter(item -> item != missing).boxed().toList();
    }

    @ParameterizedTest
    @MethodSource("placements")
    void aCallThatAnswersItsInterruptFailsOfItsDeadlineAndTheRestGoesOn(StageOptions placement) {
        ConcurrentLinkedQueue<FailedItem> skipped = new ConcurrentLinkedQueue<>();
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(20))
                .pipe(
                        "wait",
                        item -> {
                            if (item == 3) {
                                new CountDownLatch(1).await();
                            }
                            return item;
                        },
                        placement
                                .deadline(SHORT)
                                .onFailure(FailurePolicy.skip(1).quarantine(skipped::add)));

        try (Run<Long> run = pipeline.start()) {
            assertThat(run).containsExactlyInAnyOrderElementsOf(allBut(3));
        }

        assertThat(skipped).singleElement().satisfies(item -> {
            assertThat(item.position().index()).isEqualTo(3);
            assertThat(item.cause()).isInstanceOf(TimeoutException.class).hasMessageContaining("30 ms");
        });
    }

    @ParameterizedTest
    @MethodSource("placements")
    void aCallThatIgnoresItsInterruptIsGivenUpAndItsResultClosedWhenItComes(StageOptions placement) throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        Pipeline<Object> pipeline = Pipeline.from(Sources.range(20))
                .pipe(
                        "stuck",
                        item -> {
                            if (item != 3) {
                                return (Object) item;
                            }
                            awaitUninterruptibly(release);
                            return (AutoCloseable) closed::countDown;
                        },
                        placement.deadline(SHORT).onFailure(FailurePolicy.skip(1)));

        try (Run<Object> run = pipeline.start()) {
            List<Object> delivered = new ArrayList<>();
            run.forEach(delivered::add);

            assertThat(delivered).containsExactlyInAnyOrderElementsOf(allBut(3));
            assertThat(run.stats().stage("stuck").abandoned()).isEqualTo(1);
            release.countDown();
            closed.await();
        }
    }

    @Test
    void moreGivenUpCallsThanAllowedFailTheRun() {
        CountDownLatch release = new CountDownLatch(1);
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(20))
                .pipe(
                        "stuck",
                        item -> {
                            awaitUninterruptibly(release);
                            return item;
                        },
                        io(1).deadline(SHORT).onFailure(FailurePolicy.skip(100)));

        try (Run<Long> run = pipeline.start(RunOptions.defaults().abandonedLimit(1))) {
            assertThatThrownBy(() -> run.forEach(item -> {}))
                    .isInstanceOf(PipelineException.class)
                    .hasMessageContaining("stage 'stuck'")
                    .hasMessageContaining("abandonedLimit");
            release.countDown();
        }
    }

    @Test
    void aDedicatedStageFailsTheRunBecauseItsThreadCannotBeReplaced() {
        CountDownLatch release = new CountDownLatch(1);
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(5))
                .pipe(
                        "bound",
                        item -> {
                            awaitUninterruptibly(release);
                            return item;
                        },
                        dedicated().deadline(SHORT).onFailure(FailurePolicy.skip(100)));

        try (Run<Long> run = pipeline.start()) {
            assertThatThrownBy(() -> run.forEach(item -> {}))
                    .isInstanceOf(PipelineException.class)
                    .hasMessageContaining("bound to its thread");
            release.countDown();
        }
    }

    @Test
    void anAsynchronousCallBeyondItsDeadlineKeepsItsInputUntilItsPromiseIsKept() throws Exception {
        CompletableFuture<Object> promise = new CompletableFuture<>();
        CountDownLatch inputClosed = new CountDownLatch(1);
        AutoCloseable input = inputClosed::countDown;
        Pipeline<Object> pipeline = Pipeline.from(List.of(input))
                .pipeAsync(
                        "ask",
                        item -> promise.minimalCompletionStage(),
                        io(1).deadline(SHORT).onFailure(FailurePolicy.skip(1)));

        try (Run<Object> run = pipeline.start()) {
            assertThat(run).isEmpty();
            assertThat(inputClosed.getCount()).isEqualTo(1);
        }
        promise.complete("late");

        inputClosed.await();
    }

    @Test
    void aFlatMapRefusesADeadline() {
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(5));

        assertThatThrownBy(() -> pipeline.flatMap("parts", item -> List.of(item), io(1).deadline(SHORT)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("flatMap 'parts'");
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        boolean interrupted = false;
        while (true) {
            try {
                latch.await();
                break;
            } catch (InterruptedException ignored) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
