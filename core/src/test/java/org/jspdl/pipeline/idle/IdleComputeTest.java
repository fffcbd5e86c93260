package org.jspdl.pipeline.idle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.pipeline.StageOptions;
import org.junit.jupiter.api.Test;

/// Functions of `cpu` stages that are helped by threads of their run.
class IdleComputeTest {
    @Test
    void threadsOfTheRunHelpWithItsLastItem() throws Exception {
        Set<Thread> helpers = ConcurrentHashMap.newKeySet();
        Pipeline<Integer> pipeline = Pipeline.from(List.of(1))
                .pipe(
                        "compute",
                        item -> {
                            CountDownLatch helped = new CountDownLatch(2);
                            for (int i = 0; i < 2; i++) {
                                IdleCompute.executor().execute(() -> {
                                    helpers.add(Thread.currentThread());
                                    helped.countDown();
                                    await(helped);
                                });
                            }
                            await(helped);
                            helpers.add(Thread.currentThread());
                            return item;
                        },
                        StageOptions.cpu(3));
        try (Run<Integer> run = pipeline.start(RunOptions.defaults().computeThreads(3))) {
            assertThat(run.stream()).containsExactly(1);
        }

        assertThat(helpers).hasSize(3).allMatch(thread -> thread.getName().contains("compute"));
    }

    /// Whatever is offered, no more threads work than the run has, and every item is delivered.
    @Test
    void helpersTakeNoThreadsFromItems() throws Exception {
        AtomicInteger working = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Pipeline<Integer> pipeline = Pipeline.from(List.of(1, 2, 3, 4, 5, 6, 7, 8, 9))
                .pipe(
                        "compute",
                        item -> {
                            most.accumulateAndGet(working.incrementAndGet(), Math::max);
                            for (int i = 0; i < 5; i++) {
                                IdleCompute.executor().execute(() -> {
                                    most.accumulateAndGet(working.incrementAndGet(), Math::max);
                                    working.decrementAndGet();
                                });
                            }
                            working.decrementAndGet();
                            return item;
                        },
                        StageOptions.cpu(2).inputOrder());
        try (Run<Integer> run = pipeline.start(RunOptions.defaults().computeThreads(2))) {
            assertThat(run.stream()).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9);
        }

        assertThat(most.get()).isBetween(1, 2);
    }

    /// A helper that fails is told to the handler of uncaught exceptions, and its thread goes on.
    @Test
    void aHelperThatFailsTakesNoThreadWithIt() throws Exception {
        CountDownLatch told = new CountDownLatch(1);
        Pipeline<Integer> pipeline = Pipeline.from(List.of(1))
                .pipe(
                        "compute",
                        item -> {
                            IdleCompute.executor().execute(() -> {
                                Thread.currentThread()
                                        .setUncaughtExceptionHandler((thread, failure) -> told.countDown());
                                throw new IllegalStateException("a helper fails");
                            });
                            await(told);
                            CountDownLatch helped = new CountDownLatch(1);
                            IdleCompute.executor().execute(helped::countDown);
                            await(helped);
                            return item;
                        },
                        StageOptions.cpu(2));
        try (Run<Integer> run = pipeline.start(RunOptions.defaults().computeThreads(2))) {
            assertThat(run.stream()).containsExactly(1);
        }
    }

    @Test
    void elsewhereNobodyIsIdle() {
        assertThatThrownBy(() -> IdleCompute.executor().execute(() -> {}))
                .isInstanceOf(RejectedExecutionException.class);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(100, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException stop) {
            throw new IllegalStateException(stop);
        }
    }
}
