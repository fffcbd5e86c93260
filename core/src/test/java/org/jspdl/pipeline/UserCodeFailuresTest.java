package org.jspdl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.AbstractList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspdl.source.Sources;
import org.jspdl.stats.ItemObserver;
import org.jspdl.stats.StageObserver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Whatever the user's code throws reaches the consumer, soon, and everything is closed.
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class UserCodeFailuresTest {
    private static final Duration PROMPT = Duration.ofSeconds(20);

    /// Throws something; the compiler need not know.
    interface Thrower {
        RuntimeException thrown();
    }

    static Stream<Thrower> throwers() {
        return Stream.of(
                () -> new IllegalStateException("callback broken"),
                () -> {
                    throw new AssertionError("callback broken");
                },
                () -> {
                    throw new StackOverflowError("callback broken");
                },
                () -> UserCodeFailuresTest.<RuntimeException>sneaky(new Throwable("callback broken")),
                () -> UserCodeFailuresTest.<RuntimeException>sneaky(new InterruptedException("callback broken")));
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <E extends Throwable> RuntimeException sneaky(Throwable failure) throws E {
        throw (E) failure;
    }

    private static Long failing(Long item) {
        if (item % 5 == 3) {
            throw new IllegalStateException("item " + item);
        }
        return item;
    }

    /// The run fails with what was thrown; it ends well before the grace period is over.
    private static void assertBreaks(Pipeline<?> pipeline, RunOptions options) {
        long start = System.nanoTime();
        assertThatThrownBy(() -> Runs.deliveries(pipeline, options.grace(Duration.ofSeconds(50))))
                .isInstanceOf(PipelineException.class)
                .hasStackTraceContaining("callback broken");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(PROMPT);
    }

    private static void inEveryPlace(RunOptions options) {
        for (UserCodePlace place : UserCodePlace.values()) {
            assertBreaks(place.pipeline(UserCodeFailuresTest::failing), options);
        }
    }

    @ParameterizedTest
    @MethodSource("throwers")
    void aQuarantineThatThrowsEndsTheRun(Thrower thrower) {
        inEveryPlace(RunOptions.defaults().failures(FailurePolicy.skip(100).quarantine(_ -> {
            throw thrower.thrown();
        })));
    }

    @ParameterizedTest
    @MethodSource("throwers")
    void aPredicateOfRetriesThatThrowsEndsTheRun(Thrower thrower) {
        RunOptions options = RunOptions.defaults()
                .failures(FailurePolicy.skip(100).retry(3, Duration.ZERO, _ -> {
                    throw thrower.thrown();
                }));
        for (UserCodePlace place : UserCodePlace.values()) {
            if (place.retries()) {
                assertBreaks(place.pipeline(UserCodeFailuresTest::failing), options);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("throwers")
    void anObserverThatThrowsWhenAnItemEndsEndsTheRun(Thrower thrower) {
        StageObserver observer = new StageObserver() {
            @Override
            public void itemEnded(String stage, long nanos, Outcome outcome) {
                throw thrower.thrown();
            }
        };
        for (UserCodePlace place : UserCodePlace.values()) {
            if (place.retries()) {
                assertBreaks(
                        place.pipeline(UserCodeFailuresTest::failing),
                        RunOptions.defaults().failures(FailurePolicy.skip(100)).observer(observer));
            }
        }
    }

    /// What an observer of items is told.
    enum Moment {
        ADMITTED,
        WORKED,
        GROUPED,
        DELIVERED
    }

    @ParameterizedTest
    @EnumSource
    void anObserverOfItemsThatThrowsReachesTheConsumerAndLeavesNothingOpen(Moment moment) {
        Tracker tracker = new Tracker();
        Pipeline<List<Tracker.Item>> pipeline = Pipeline.from(Sources.range(40))
                .map(tracker::item)
                .pipe("work", item -> item, StageOptions.cpu(2))
                .batch(3, Remainder.KEEP);
        ItemObserver observer = new ItemObserver() {
            @Override
            public void admitted(String source, long item, long start, long end) {
                failAt(Moment.ADMITTED);
            }

            @Override
            public void worked(String stage, long item, long start, long end, Outcome outcome) {
                failAt(Moment.WORKED);
            }

            @Override
            public void grouped(String stage, long group, long[] members, long at) {
                failAt(Moment.GROUPED);
            }

            @Override
            public void delivered(long item, long asked, long received) {
                failAt(Moment.DELIVERED);
            }

            private void failAt(Moment now) {
                if (now == moment) {
                    throw new AssertionError("callback broken");
                }
            }
        };

        assertThatThrownBy(() -> {
                    try (Run<List<Tracker.Item>> run =
                            pipeline.start(RunOptions.defaults().observer(observer))) {
                        run.forEach(batch -> batch.forEach(Tracker.Item::close));
                    }
                })
                .isInstanceOf(PipelineException.class)
                .hasStackTraceContaining("callback broken");
        tracker.assertEachClosedOnce();
    }

    @ParameterizedTest
    @MethodSource("throwers")
    void anItemWhoseTextCannotBeHadIsQuarantinedLikeAnyOther(Thrower thrower) {
        Object mute = new Object() {
            @Override
            public String toString() {
                throw thrower.thrown();
            }
        };
        Pipeline<Object> pipeline = Pipeline.from(List.of(mute))
                .pipe(
                        "work",
                        item -> {
                            throw new IllegalStateException("bad");
                        },
                        StageOptions.io(1));
        List<FailedItem> told = new java.util.concurrent.CopyOnWriteArrayList<>();

        assertThat(Runs.deliveries(
                        pipeline,
                        RunOptions.defaults().failures(FailurePolicy.skip(1).quarantine(told::add))))
                .isEmpty();
        assertThat(told)
                .singleElement()
                .satisfies(item -> assertThat(item.input()).contains("whose toString failed"));
    }

    @ParameterizedTest
    @MethodSource("throwers")
    void aFailureThatCannotSayWhereItComesFromIsSkippedLikeAnyOther(Thrower thrower) {
        class Mute extends RuntimeException {
            private static final long serialVersionUID = 1L;

            @Override
            public String getMessage() {
                throw thrower.thrown();
            }

            @Override
            public StackTraceElement[] getStackTrace() {
                throw thrower.thrown();
            }
        }
        Pipeline<Long> pipeline =
                Pipeline.from(Sources.range(3)).pipe("work", item -> mute(new Mute()), StageOptions.cpu(1));

        assertThat(Runs.deliveries(pipeline, RunOptions.defaults().failures(FailurePolicy.skip(3))))
                .isEmpty();
    }

    private static Long mute(RuntimeException failure) {
        throw failure;
    }

    @ParameterizedTest
    @MethodSource("throwers")
    void aPromiseThatCannotBeListenedToFailsItsItem(Thrower thrower) {
        class Broken extends CompletableFuture<Long> {
            @Override
            public CompletableFuture<Long> whenComplete(
                    java.util.function.BiConsumer<? super Long, ? super Throwable> action) {
                throw thrower.thrown();
            }
        }
        Pipeline<Long> pipeline =
                Pipeline.from(Sources.range(9)).pipeAsync("ask", item -> new Broken(), StageOptions.async(2));

        assertBreaks(pipeline, RunOptions.defaults());
    }

    @Test
    void aPromiseThatIsKeptTwiceCountsOnce() {
        class Eager extends CompletableFuture<Long> {
            @Override
            public CompletableFuture<Long> whenComplete(
                    java.util.function.BiConsumer<? super Long, ? super Throwable> action) {
                action.accept(join(), null);
                action.accept(null, new IllegalStateException("again"));
                return this;
            }
        }
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(9))
                .pipeAsync("ask", item -> kept(new Eager(), item), StageOptions.async(2));

        assertThat(Runs.deliveries(pipeline)).hasSize(9);
    }

    private static CompletionStage<Long> kept(CompletableFuture<Long> promise, Long item) {
        promise.complete(item);
        return promise;
    }

    @Test
    void closingARunLeavesTheFuturesOfAClientAlone() throws Exception {
        CompletableFuture<Long> shared = new CompletableFuture<>();
        Pipeline<Long> pipeline =
                Pipeline.from(Sources.range(3)).pipeAsync("cache", item -> shared, StageOptions.async(3));
        try (Run<Long> other = pipeline.start()) {
            Gate asked = new Gate();
            asked.open();
            Run<Long> first = Pipeline.from(Sources.range(3))
                    .pipeAsync(
                            "cache",
                            item -> {
                                asked.pass(item);
                                return shared;
                            },
                            StageOptions.async(3).deadline(Duration.ofSeconds(50)))
                    .start();
            asked.awaitArrivals(3);
            first.close();

            assertThat(shared).isNotDone();
            shared.complete(7L);
            assertThat(Runs.take(other, 3)).containsExactly(7L, 7L, 7L);
        }
    }

    @Test
    void aBatchThatCannotBeReadIsSkippedWhereItIsTakenApart() {
        List<Long> broken = new AbstractList<>() {
            @Override
            public Long get(int index) {
                throw new IllegalStateException("callback broken");
            }

            @Override
            public int size() {
                return 3;
            }
        };
        Pipeline<List<Long>> batches = Pipeline.from(Sources.range(4)).map(item -> item == 2 ? broken : List.of(item));
        Pipeline<Long> pipeline = Pipeline.<Long, Long>routeElements(batches, "kind", item -> item)
                .otherwise(way -> way)
                .merge()
                .unbatch(batch -> batch);

        assertThat(Runs.deliveries(pipeline, RunOptions.defaults().failures(FailurePolicy.skip(1))))
                .containsExactly(0L, 1L, 3L);
        assertBreaks(pipeline, RunOptions.defaults());
    }
}
