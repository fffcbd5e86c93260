package org.jspdl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jspdl.pipeline.Runs.deliveries;
import static org.jspdl.pipeline.Runs.numbers;
import static org.jspdl.pipeline.StageOptions.async;
import static org.jspdl.pipeline.StageOptions.io;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspdl.source.Sources;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Functions that return before their results are there, of which there are several.
class SeveralResultsTest {
    private static final Pipeline<Long> NUMBERS = Pipeline.from(Sources.range(40));

    /// As many results as the number says, up to 3.
    private static CompletionStage<List<Long>> some(long item) {
        return CompletableFuture.supplyAsync(() -> numbers(10 * item, 10 * item + item % 4));
    }

    private static List<Long> all() {
        return numbers(0, 40).stream()
                .flatMap(item -> numbers(10 * item, 10 * item + item % 4).stream())
                .toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 8})
    void everyResultComesOnceAndInInputOrderIfThatIsWanted(int calls) {
        RunOptions epochs = RunOptions.defaults().epochs(3);

        assertThat(Runs.epochs(
                        NUMBERS.flatMapAsync(
                                "some", SeveralResultsTest::some, async(calls).inputOrder()),
                        epochs))
                .containsExactly(all(), all(), all());
        assertThat(Runs.epochs(NUMBERS.flatMapAsync("some", SeveralResultsTest::some, async(calls)), epochs))
                .hasSize(3)
                .allSatisfy(epoch -> assertThat(epoch).containsExactlyInAnyOrderElementsOf(all()));
    }

    @Test
    void inCompletionOrderTheResultsOfTheFirstPromiseThatIsKeptComeFirst() throws InterruptedException {
        List<CompletableFuture<List<Long>>> promises = List.of(new CompletableFuture<>(), new CompletableFuture<>());
        CountDownLatch asked = new CountDownLatch(2);
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(2))
                .flatMapAsync(
                        "some",
                        item -> {
                            asked.countDown();
                            return promises.get(item.intValue());
                        },
                        async(2));
        try (Run<Long> run = pipeline.start()) {
            asked.await();
            promises.get(1).complete(List.of(11L, 12L));
            assertThat(Runs.take(run, 2)).containsExactly(11L, 12L);
            promises.get(0).complete(List.of(1L, 2L));
            assertThat(Runs.take(run, 9)).containsExactly(1L, 2L);
        }
    }

    @Test
    void resultsThatNobodyReceivesAreClosedWhereverTheyAre() {
        Tracker tracker = new Tracker();
        Pipeline<Tracker.Item> pipeline = NUMBERS.flatMapAsync(
                "open",
                item -> CompletableFuture.supplyAsync(
                        () -> List.of(tracker.item(item), tracker.item(item), tracker.item(item))),
                async(4));
        for (int taken : new int[] {0, 1, 5, 50}) {
            try (Run<Tracker.Item> run = pipeline.start()) {
                Runs.take(run, taken).forEach(Tracker.Item::close);
            }
        }
        tracker.assertEachClosedOnce();
    }

    @Test
    void aPromiseOfAnItemThatFailsIsSkippedAsOneFailure() {
        Pipeline<Long> pipeline = NUMBERS.flatMapAsync(
                "some",
                item -> item == 7 ? CompletableFuture.failedFuture(new IOException("gone")) : some(item),
                async(4).inputOrder().failures(FailurePolicy.skip(1)));

        assertThat(deliveries(pipeline))
                .isEqualTo(all().stream().filter(item -> item / 10 != 7).toList());
    }

    /// Publishes numbers as they are asked for, on the thread that asks.
    private static final class Counting implements Flow.Publisher<Long> {
        private final long first;
        private final long end;
        private final AtomicLong asked = new AtomicLong();
        private final AtomicBoolean canceled = new AtomicBoolean();
        private final @Nullable RuntimeException failure;

        Counting(long first, long end, @Nullable RuntimeException failure) {
            this.first = first;
            this.end = end;
            this.failure = failure;
        }

        @Override
        public void subscribe(Flow.Subscriber<? super Long> subscriber) {
            subscriber.onSubscribe(new Flow.Subscription() {
                private long next = first;

                @Override
                public void request(long n) {
                    asked.addAndGet(n);
                    for (long i = 0; i < n && next < end; i++) {
                        subscriber.onNext(next++);
                    }
                    if (next == end) {
                        next++;
                        if (failure == null) {
                            subscriber.onComplete();
                        } else {
                            subscriber.onError(failure);
                        }
                    }
                }

                @Override
                public void cancel() {
                    canceled.set(true);
                }
            });
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 8})
    void whatIsPublishedComesInOrder(int calls) {
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(8))
                .flatMap(
                        "rows",
                        item -> Elements.of(new Counting(100 * item, 100 * item + 10 * item, null)),
                        io(calls).inputOrder());

        assertThat(deliveries(pipeline))
                .isEqualTo(numbers(0, 8).stream()
                        .flatMap(item -> numbers(100 * item, 110 * item).stream())
                        .toList());
    }

    @Test
    @SuppressWarnings("try") // closing the publisher ends what it publishes
    void whatIsPublishedPassesBeforeThePublisherHasEnded() {
        try (SubmissionPublisher<String> publisher = new SubmissionPublisher<>(Runnable::run, 4)) {
            Pipeline<String> pipeline =
                    Pipeline.from(List.of(1)).flatMap("rows", item -> Elements.of(publisher), io(1));
            try (Run<String> run = pipeline.start()) {
                while (publisher.getNumberOfSubscribers() == 0) {
                    Thread.onSpinWait();
                }
                publisher.submit("first");
                assertThat(Runs.take(run, 1)).containsExactly("first");
                publisher.submit("second");
                publisher.close();
                assertThat(Runs.take(run, 9)).containsExactly("second");
            }
        }
    }

    @Test
    void aPublisherIsAskedForLittleAheadAndCanceledWhenTheRunEnds() {
        Counting endless = new Counting(0, Long.MAX_VALUE, null);
        Pipeline<Long> pipeline = Pipeline.from(List.of(1))
                .flatMap("rows", item -> Elements.of(endless), io(1).buffer(2))
                .prefetch(1);
        try (Run<Long> run = pipeline.start()) {
            assertThat(Runs.take(run, 100)).isEqualTo(numbers(0, 100));
        }
        assertThat(endless.asked.get()).isBetween(100L, 130L);
        assertThat(endless.canceled).isTrue();
    }

    @Test
    void aRunThatWaitsForAPublisherCanBeClosed() {
        CountDownLatch subscribed = new CountDownLatch(1);
        Pipeline<Object> pipeline = Pipeline.from(List.of(1))
                .flatMap("rows", item -> Elements.of(subscriber -> subscribed.countDown()), io(1));

        assertThat(Thread.interrupted()).isFalse();
        try (Run<Object> run = pipeline.start()) {
            subscribed.await();
            assertThat(run.stats().delivered()).isZero();
        } catch (InterruptedException stop) {
            throw new IllegalStateException(stop);
        }
    }

    @Test
    void whatWasPublishedBeforeAFailureStaysAndTheRestCountsAsOneFailure() {
        ConcurrentLinkedQueue<FailedItem> told = new ConcurrentLinkedQueue<>();
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(3))
                .flatMap(
                        "rows",
                        item -> Elements.of(new Counting(
                                10 * item, 10 * item + 4, item == 1 ? new IllegalStateException("lost") : null)),
                        io(1).failures(FailurePolicy.skip(1).quarantine(told::add)));

        assertThat(deliveries(pipeline)).containsExactly(0L, 1L, 2L, 3L, 10L, 11L, 12L, 13L, 20L, 21L, 22L, 23L);
        assertThat(told)
                .singleElement()
                .satisfies(item -> assertThat(item.cause())
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessage("lost"));
    }

    @Test
    void publishedElementsThatNobodyPullsAreClosed() {
        Tracker tracker = new Tracker();
        List<Tracker.Item> delivered = new ArrayList<>();
        Pipeline<Tracker.Item> pipeline =
                Pipeline.from(Sources.range(10)).flatMap("open", item -> Elements.of(opening(tracker)), io(2));
        try (Run<Tracker.Item> run = pipeline.start()) {
            delivered.addAll(Runs.take(run, 5));
        }
        delivered.forEach(Tracker.Item::close);

        tracker.assertEachClosedOnce();
    }

    /// Publishes 30 items at once as soon as any is asked for, a greedy publisher.
    private static Flow.Publisher<Tracker.Item> opening(Tracker tracker) {
        return subscriber -> subscriber.onSubscribe(new Flow.Subscription() {
            private boolean done;

            @Override
            public void request(long n) {
                if (!done) {
                    done = true;
                    for (int i = 0; i < 30; i++) {
                        subscriber.onNext(tracker.item(i));
                    }
                    subscriber.onComplete();
                }
            }

            @Override
            public void cancel() {}
        });
    }
}
