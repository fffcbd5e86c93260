package org.jspdl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.pipeline.StageOptions.cpu;
import static org.jspdl.pipeline.StageOptions.dedicated;
import static org.jspdl.pipeline.StageOptions.io;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Calls that take longer than their stage allows.
@Timeout(value = 5, unit = TimeUnit.MINUTES) // on a busy machine deadlines are tried that are long enough
class DeadlineTest {
    private static final Duration SHORT = Duration.ofMillis(30);
    private static final Duration PATIENT = Duration.ofMillis(200);
    private static final Duration LONG = Duration.ofSeconds(30);

    static List<StageOptions> placements() {
        return List.of(io(2), cpu(2), io(2).inputOrder(), cpu(2).inputOrder());
    }

    private static List<Long> allBut(long missing) {
        return LongStream.range(0, 20).filter(item -> item != missing).boxed().toList();
    }

    /// Longer and longer deadlines, of which the first that is long enough for the other calls counts: on a busy
    /// machine a short one may pass while a call that does nothing has lost its processor.
    private static Stream<Duration> deadlines() {
        return Stream.iterate(SHORT, deadline -> deadline.compareTo(LONG) < 0, deadline -> deadline.multipliedBy(2));
    }

    @ParameterizedTest
    @MethodSource("placements")
    void aCallThatAnswersItsInterruptFailsOfItsDeadlineAndTheRestGoesOn(StageOptions placement) {
        assertThat(deadlines()).anyMatch(deadline -> onlyTheThirdIsLate(placement, deadline));
    }

    private static boolean onlyTheThirdIsLate(StageOptions placement, Duration deadline) {
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
                                .deadline(deadline)
                                .failures(FailurePolicy.skip(20).quarantine(skipped::add)));

        List<Long> delivered = Runs.deliveries(pipeline);

        assertThat(delivered).hasSize(20 - skipped.size());
        assertThat(skipped).anySatisfy(item -> {
            assertThat(item.position().index()).isEqualTo(3);
            assertThat(item.cause())
                    .isInstanceOf(TimeoutException.class)
                    .hasMessageContaining(deadline.toMillis() + " ms");
        });
        return allBut(3).equals(delivered.stream().sorted().toList());
    }

    @ParameterizedTest
    @MethodSource("placements")
    void aCallThatIgnoresItsInterruptIsGivenUpAndItsResultClosedWhenItComes(StageOptions placement) {
        assertThat(deadlines()).anyMatch(deadline -> onlyTheThirdIsGivenUp(placement, deadline));
    }

    private static boolean onlyTheThirdIsGivenUp(StageOptions placement, Duration deadline) {
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
                        placement.deadline(deadline).failures(FailurePolicy.skip(20)));

        try (Run<Object> run = pipeline.start(RunOptions.defaults().abandonedLimit(20))) {
            List<Object> delivered = Runs.take(run, 20);
            long abandoned = run.stats().stage("stuck").abandoned();
            release.countDown();
            awaitUninterruptibly(closed);

            assertThat(delivered).doesNotContain(3L).doesNotHaveDuplicates();
            return abandoned == 1 && delivered.size() == 19;
        }
    }

    @ParameterizedTest
    @MethodSource("placements")
    void aFirstCallThatHangsIsRepeatedAndTheSecondCounts(StageOptions placement) {
        AtomicInteger calls = new AtomicInteger();
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(20))
                .pipe(
                        "hang",
                        item -> {
                            if (item == 3 && calls.incrementAndGet() == 1) {
                                new CountDownLatch(1).await();
                            }
                            return item;
                        },
                        placement
                                .deadline(PATIENT)
                                .failures(FailurePolicy.failFast().retry(5, Duration.ZERO)));

        assertThat(Runs.deliveries(pipeline)).containsExactlyInAnyOrderElementsOf(Runs.numbers(0, 20));
        assertThat(calls).hasValueGreaterThanOrEqualTo(2);
    }

    @ParameterizedTest
    @MethodSource("placements")
    void aCallThatIgnoresItsInterruptIsRepeatedOnAnotherThread(StageOptions placement) {
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger calls = new AtomicInteger();
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(20))
                .pipe(
                        "stuck",
                        item -> {
                            if (item == 3 && calls.incrementAndGet() == 1) {
                                awaitUninterruptibly(release);
                            }
                            return item;
                        },
                        placement
                                .deadline(PATIENT)
                                .failures(FailurePolicy.failFast().retry(5, Duration.ZERO)));

        try (Run<Long> run = pipeline.start()) {
            assertThat(Runs.take(run, 30)).containsExactlyInAnyOrderElementsOf(Runs.numbers(0, 20));
            release.countDown();
        }
    }

    @ParameterizedTest
    @MethodSource("placements")
    void anInputThatMustBeClosedStaysWithTheCallThatIgnoresItsInterrupt(StageOptions placement) throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        AtomicInteger calls = new AtomicInteger();
        AutoCloseable input = closed::countDown;
        Pipeline<Object> pipeline = Pipeline.from(List.of(input))
                .pipe(
                        "stuck",
                        item -> {
                            calls.incrementAndGet();
                            awaitUninterruptibly(release);
                            throw new IllegalStateException("in the end");
                        },
                        placement.deadline(SHORT).failures(FailurePolicy.skip(1).retry(5, Duration.ZERO)));

        try (Run<Object> run = pipeline.start()) {
            assertThat(Runs.take(run, 1)).isEmpty();
            assertThat(closed.getCount()).isEqualTo(1);
            release.countDown();
            closed.await();
        }
        assertThat(calls).hasValue(1);
    }

    @ParameterizedTest
    @MethodSource("placements")
    void aTotalDeadlineEndsAllAttempts(StageOptions placement) {
        ConcurrentLinkedQueue<FailedItem> skipped = new ConcurrentLinkedQueue<>();
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(1))
                .pipe(
                        "hang",
                        item -> {
                            new CountDownLatch(1).await();
                            return item;
                        },
                        placement
                                .deadline(SHORT)
                                .totalDeadline(SHORT.multipliedBy(3))
                                .failures(FailurePolicy.skip(1)
                                        .quarantine(skipped::add)
                                        .retry(Integer.MAX_VALUE, Duration.ZERO)));

        assertThat(Runs.deliveries(pipeline)).isEmpty();
        assertThat(skipped)
                .singleElement()
                .satisfies(item -> assertThat(item.cause())
                        .isInstanceOf(TimeoutException.class)
                        .hasMessageContaining("all attempts together")
                        .hasMessageContaining("90 ms"));
    }

    @Test
    void anAsynchronousCallThatHangsIsRepeatedAndItsFutureLeftAlone() {
        CompletableFuture<Long> never = new CompletableFuture<>();
        AtomicInteger calls = new AtomicInteger();
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(20))
                .pipeAsync(
                        "ask",
                        item -> item == 3 && calls.incrementAndGet() == 1
                                ? never
                                : CompletableFuture.completedFuture(item),
                        StageOptions.async(2)
                                .deadline(PATIENT)
                                .failures(FailurePolicy.failFast().retry(5, Duration.ofMillis(1))));

        assertThat(Runs.deliveries(pipeline)).containsExactlyInAnyOrderElementsOf(Runs.numbers(0, 20));
        assertThat(never).isNotDone();
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
                        io(1).deadline(SHORT).failures(FailurePolicy.skip(100)));

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
                        dedicated().deadline(SHORT).failures(FailurePolicy.skip(100)));

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
                        StageOptions.async(1).deadline(SHORT).failures(FailurePolicy.skip(1)));

        try (Run<Object> run = pipeline.start()) {
            assertThat(run).isEmpty();
            assertThat(inputClosed.getCount()).isEqualTo(1);
        }
        promise.completeExceptionally(new IllegalStateException("late"));

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
