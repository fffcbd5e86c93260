package org.jspdl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.pipeline.Runs.deliveries;
import static org.jspdl.pipeline.Runs.numbers;
import static org.jspdl.pipeline.StageOptions.cpu;
import static org.jspdl.pipeline.StageOptions.io;
import static org.jspdl.pipeline.StageOptions.on;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.Test;

class ExecutorPlacementTest {

    @Test
    void theFunctionRunsOnTheCallersThreadsWhichStayOpen() {
        Set<String> threads = ConcurrentHashMap.newKeySet();
        try (ExecutorService executor = Executors.newFixedThreadPool(
                2, Thread.ofPlatform().name("mine-", 0).factory())) {
            Pipeline<Long> pipeline = Pipeline.from(Sources.range(50))
                    .pipe(
                            "work",
                            item -> {
                                threads.add(Thread.currentThread().getName());
                                return item;
                            },
                            on(executor, 2));

            assertThat(deliveries(pipeline)).hasSize(50);
            assertThat(deliveries(pipeline)).hasSize(50);

            assertThat(executor.isShutdown()).isFalse();
        }
        assertThat(threads).isNotEmpty().allMatch(name -> name.startsWith("mine-"));
    }

    @Test
    void anExecutorOfOneThreadServesManyStages() {
        try (ExecutorService executor = Executors.newSingleThreadExecutor()) {
            Pipeline<Long> pipeline = Pipeline.from(Sources.range(200))
                    .pipe("one", item -> item + 1, on(executor, 4))
                    .pipe("two", item -> item + 1, on(executor, 4))
                    .pipe("three", item -> item + 1, on(executor, 4));

            assertThat(deliveries(pipeline)).containsExactlyInAnyOrderElementsOf(numbers(3, 203));
        }
    }

    @Test
    void anExecutorThatRunsTasksAtOnceIsServedToo() {
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(20_000))
                .pipe("one", item -> item, on(Runnable::run, 2))
                .pipe("two", item -> item, on(Runnable::run, 1));

        assertThat(deliveries(pipeline)).hasSize(20_000);
    }

    /// As one that has the caller run what it has no room for.
    @Test
    void anExecutorThatRunsTasksAtOnceNeedsNoDeeperStackForMoreOfThem() {
        AtomicInteger deepest = new AtomicInteger();
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(4_000))
                .pipe("feed", item -> item, io(4))
                .pipe(
                        "work",
                        item -> {
                            // Longer than an activation goes on, so that the next item is
                            // of another.
                            long end = System.nanoTime() + 60_000;
                            while (System.nanoTime() < end) {
                                Thread.onSpinWait();
                            }
                            deepest.accumulateAndGet(new Throwable().getStackTrace().length, Math::max);
                            return item;
                        },
                        on(Runnable::run, 1));

        assertThat(deliveries(pipeline)).hasSize(4_000);

        assertThat(deepest.get()).isLessThan(200);
    }

    @Test
    void anExecutorThatWasShutDownFailsTheRun() {
        ExecutorService executor = Executors.newSingleThreadExecutor();
        executor.close();

        try (Run<Long> run = Pipeline.from(Sources.range(5))
                .pipe("work", item -> item, on(executor, 1))
                .start()) {
            assertThatThrownBy(() -> run.iterator().hasNext())
                    .isInstanceOf(PipelineException.class)
                    .hasMessageContaining("work")
                    .hasMessageContaining("rejected")
                    .hasCauseInstanceOf(RejectedExecutionException.class);
        }
    }

    @Test
    void anExecutorThatRejectsInTheMiddleFailsTheRunAndLosesNoItem() {
        Tracker tracker = new Tracker();
        AtomicInteger accepted = new AtomicInteger();
        Pipeline<Tracker.Item> pipeline = Pipeline.from(Sources.range(1_000))
                .map(tracker::item)
                .pipe("before", item -> item, io(2))
                .pipe(
                        "work",
                        item -> item,
                        on(
                                task -> {
                                    if (accepted.incrementAndGet() > 20) {
                                        throw new RejectedExecutionException("queue full");
                                    }
                                    Setting.THREAD_PER_TASK.execute(task);
                                },
                                2))
                .pipe("after", item -> item, cpu(2));

        try (Run<Tracker.Item> run = pipeline.start()) {
            assertThatThrownBy(() -> run.forEach(Tracker.Item::close))
                    .isInstanceOf(PipelineException.class)
                    .hasMessageContaining("queue full");
        }
        tracker.assertEachClosedOnce();
    }

    @Test
    void closingARunLeavesNoInterruptOnTheCallersThread() throws Exception {
        Gate gate = new Gate();
        try (ExecutorService executor = Executors.newSingleThreadExecutor()) {
            Run<Long> run = Pipeline.from(Sources.range(5))
                    .pipe("work", gate::pass, on(executor, 1))
                    .start();
            gate.awaitArrivals(1);

            run.close();

            assertThat(executor.submit(Thread::interrupted).get()).isFalse();
        }
    }
}
