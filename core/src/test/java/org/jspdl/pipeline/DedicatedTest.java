package org.jspdl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.pipeline.StageOptions.dedicated;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.Test;

class DedicatedTest {

    @Test
    void hooksAndFunctionRunOnOnePlatformThreadNamedAfterTheStage() {
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        ConcurrentLinkedQueue<String> events = new ConcurrentLinkedQueue<>();
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(3))
                .named("p")
                .pipe(
                        "gpu",
                        item -> {
                            threads.add(Thread.currentThread());
                            events.add("item " + item);
                            return item;
                        },
                        dedicated(
                                () -> {
                                    threads.add(Thread.currentThread());
                                    events.add("start");
                                },
                                () -> {
                                    threads.add(Thread.currentThread());
                                    events.add("close");
                                }));

        Runs.epochs(pipeline, RunOptions.defaults().epochs(2));

        assertThat(threads).singleElement().satisfies(thread -> {
            assertThat(thread.isVirtual()).isFalse();
            assertThat(thread.getName()).isEqualTo("jspdl-p-gpu-0");
        });
        assertThat(events)
                .containsExactly("start", "item 0", "item 1", "item 2", "item 0", "item 1", "item 2", "close");
    }

    @Test
    void aStartHookThatFailsFailsTheRunBeforeTheFirstItem() {
        AtomicInteger calls = new AtomicInteger();
        AtomicBoolean closed = new AtomicBoolean();
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(3))
                .pipe(
                        "gpu",
                        item -> {
                            calls.incrementAndGet();
                            return item;
                        },
                        dedicated(
                                () -> {
                                    throw new IllegalStateException("no device");
                                },
                                () -> closed.set(true)));

        assertThatThrownBy(() -> Runs.deliveries(pipeline))
                .isInstanceOf(PipelineException.class)
                .hasMessageContaining("gpu")
                .hasMessageContaining("start hook")
                .hasMessageContaining("no device");
        assertThat(calls).hasValue(0);
        assertThat(closed).as("the close hook runs also after a failure").isTrue();
    }

    @Test
    void theCloseHookRunsAfterAFailureOfTheFunction() {
        AtomicBoolean closed = new AtomicBoolean();
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(3))
                .pipe(
                        "gpu",
                        item -> {
                            throw new IllegalStateException("bad kernel");
                        },
                        dedicated(() -> {}, () -> closed.set(true)));

        assertThatThrownBy(() -> Runs.deliveries(pipeline)).hasMessageContaining("bad kernel");

        assertThat(closed).isTrue();
    }

    @Test
    void theCloseHookRunsWhenTheRunIsClosedHalfway() {
        AtomicBoolean closed = new AtomicBoolean();
        try (Run<Long> run = Pipeline.from(Sources.range(1_000))
                .pipe("gpu", item -> item, dedicated(() -> {}, () -> closed.set(true)))
                .start()) {
            run.iterator().next();
        }
        assertThat(closed).isTrue();
    }

    @Test
    void theCloseHookIsNotInterrupted() {
        Gate gate = new Gate();
        AtomicReference<Boolean> interrupted = new AtomicReference<>();
        Run<Long> run = Pipeline.from(Sources.range(10))
                .pipe(
                        "gpu",
                        item -> spinUntilInterrupted(gate, item),
                        dedicated(
                                () -> {},
                                () -> interrupted.set(Thread.currentThread().isInterrupted())))
                .start();
        gate.awaitArrivals(1);

        run.close();

        assertThat(interrupted).hasValue(false);
    }

    /// Returns normally with the interrupt still pending, as a native call does.
    private static long spinUntilInterrupted(Gate gate, long item) throws InterruptedException {
        gate.letPass(1);
        gate.pass(item);
        while (!Thread.currentThread().isInterrupted()) {
            Thread.onSpinWait();
        }
        return item;
    }

    @Test
    void aCloseHookThatFailsIsReportedWhenTheRunIsClosedHalfway() {
        Gate gate = new Gate();
        Run<Long> run = Pipeline.from(Sources.range(10))
                .pipe("gpu", gate::pass, dedicated(() -> {}, () -> {
                    throw new IllegalStateException("context lost");
                }))
                .start();
        gate.awaitArrivals(1);

        assertThatThrownBy(run::close)
                .isInstanceOf(PipelineException.class)
                .hasMessageContaining("gpu")
                .hasMessageContaining("close hook")
                .hasMessageContaining("context lost");
    }

    @Test
    void aCloseHookThatFailsIsReportedAfterTheLastItem() {
        for (int i = 0; i < 50; i++) {
            Pipeline<Long> pipeline = Pipeline.from(Sources.range(3))
                    .pipe("gpu", item -> item, dedicated(() -> {}, () -> {
                        throw new IllegalStateException("context lost");
                    }));

            assertThatThrownBy(() -> Runs.deliveries(pipeline))
                    .as("attempt %d", i)
                    .hasMessageContaining("context lost");
        }
    }

    @Test
    void aFailingCloseHookDoesNotHideTheFailureBeforeIt() {
        IllegalStateException bad = new IllegalStateException("bad kernel");
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(3))
                .pipe(
                        "gpu",
                        item -> {
                            throw bad;
                        },
                        dedicated(() -> {}, () -> {
                            throw new IllegalStateException("context lost");
                        }));

        assertThatThrownBy(() -> Runs.deliveries(pipeline))
                .isInstanceOf(PipelineException.class)
                .hasCause(bad);
    }

    @Test
    void twoDedicatedStagesHaveAThreadEach() {
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        StageFunction<Long, Long> remember = item -> {
            threads.add(Thread.currentThread());
            return item;
        };
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(20))
                .pipe("one", remember, dedicated())
                .pipe("two", remember, dedicated());

        assertThat(Runs.deliveries(pipeline)).hasSize(20);

        assertThat(threads).hasSize(2);
        assertThat(List.copyOf(threads)).extracting(Thread::getName).doesNotHaveDuplicates();
    }
}
