package org.jspdl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.pipeline.Runs.numbers;
import static org.jspdl.pipeline.StageOptions.io;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Functions that return before their result is there.
class AsyncTest {
    /// A client that keeps its promises when it is told to.
    private static final class Client {
        final ConcurrentLinkedQueue<Runnable> asked = new ConcurrentLinkedQueue<>();
        private final CountDownLatch arrivals;

        Client(int expected) {
            arrivals = new CountDownLatch(expected);
        }

        CompletionStage<Long> get(long item) {
            CompletableFuture<Long> promise = new CompletableFuture<>();
            asked.add(() -> promise.complete(item));
            arrivals.countDown();
            return promise;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 8})
    void asManyCallsAreUnderWayAsWereAskedForAndNeverMore(int concurrency) throws InterruptedException {
        Client client = new Client(concurrency);
        AtomicInteger most = new AtomicInteger();
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(40))
                .pipeAsync("get", client::get, StageOptions.async(concurrency).buffer(4));
        try (Run<Long> run = pipeline.start()) {
            client.arrivals.await();
            Thread keeper = Thread.ofPlatform().daemon().start(() -> {
                for (int kept = 0; kept < 40; ) {
                    most.accumulateAndGet(client.asked.size(), Math::max);
                    Runnable next = client.asked.poll();
                    if (next != null) {
                        next.run();
                        kept++;
                    }
                    Thread.onSpinWait();
                }
            });
            assertThat(Runs.take(run, 40)).containsExactlyInAnyOrderElementsOf(numbers(0, 40));
            keeper.join();
        }
        assertThat(most).hasValue(concurrency);
    }

    @Test
    void inInputOrderResultsComeInTheOrderOfTheItemsWhicheverIsThereFirst() throws InterruptedException {
        Client client = new Client(4);
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(4))
                .pipeAsync("get", client::get, StageOptions.async(4).inputOrder());
        try (Run<Long> run = pipeline.start()) {
            client.arrivals.await();
            new ArrayList<>(client.asked).reversed().forEach(Runnable::run);
            assertThat(Runs.take(run, 4)).isEqualTo(numbers(0, 4));
        }
    }

    @Test
    void inCompletionOrderTheFirstResultComesFirst() throws InterruptedException {
        Client client = new Client(2);
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(2)).pipeAsync("get", client::get, StageOptions.async(2));
        try (Run<Long> run = pipeline.start()) {
            client.arrivals.await();
            List<Runnable> asked = new ArrayList<>(client.asked);
            asked.get(1).run();
            assertThat(run.iterator().next()).isEqualTo(1);
            asked.get(0).run();
            assertThat(run.iterator().next()).isZero();
        }
    }

    @Test
    void aCallThatFailsAtFirstIsRepeatedAndOneThatThrowsCountsLikeAFailedPromise() {
        AtomicInteger calls = new AtomicInteger();
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(30))
                .pipeAsync(
                        "get",
                        item -> {
                            if (item == 7) {
                                throw new IllegalStateException("never");
                            }
                            return item == 3 && calls.incrementAndGet() < 3
                                    ? CompletableFuture.<Long>failedFuture(new IOException("busy"))
                                    : CompletableFuture.completedFuture(item);
                        },
                        StageOptions.async(4).failures(FailurePolicy.skip(1).retry(3, Duration.ZERO)));

        assertThat(Runs.deliveries(pipeline)).hasSize(29).contains(3L).doesNotContain(7L);
        assertThat(calls).hasValue(3);
    }

    @Test
    void aFailedPromiseFailsTheRunWithItsOwnCause() {
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(5))
                .pipeAsync(
                        "get",
                        item -> CompletableFuture.supplyAsync(() -> {
                            if (item == 2) {
                                throw new IllegalStateException("two");
                            }
                            return item;
                        }),
                        StageOptions.async(2));

        assertThatThrownBy(() -> Runs.deliveries(pipeline))
                .isInstanceOf(PipelineException.class)
                .hasMessageContaining("stage 'get' failed at epoch 0")
                .hasCauseInstanceOf(IllegalStateException.class);
    }
}
