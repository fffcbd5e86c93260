package org.jspdl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.pipeline.StageOptions.cpu;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Gatherers;
import org.jspdl.source.Sources;
import org.jspdl.stats.PipelineStats;
import org.junit.jupiter.api.Test;

/// Background tasks, intervals of statistics, and the text of a recipe.
class BesideRunTest {
    @Test
    void aBackgroundTaskSeesTheRunAndIsInterruptedWhenItCloses() throws Exception {
        CountDownLatch seen = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        AtomicReference<PipelineStats> stats = new AtomicReference<>();
        BackgroundTask task = snapshot -> {
            stats.set(snapshot.get());
            seen.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException closing) {
                interrupted.countDown();
                throw closing;
            }
        };

        try (Run<Long> run =
                Pipeline.from(Sources.range(5)).start(RunOptions.defaults().background("watch", task))) {
            assertThat(run).hasSize(5);
            seen.await();
        }

        interrupted.await();
        assertThat(Objects.requireNonNull(stats.get()).stages())
                .extracting(stage -> stage.name())
                .containsExactly("source");
    }

    @Test
    void aThreadThatIsInterruptedAsItClosesTheRunWaitsForItsTasksToo() throws Exception {
        Gate gate = new Gate();
        CountDownLatch began = new CountDownLatch(1);
        AtomicBoolean ended = new AtomicBoolean();
        BackgroundTask task = snapshot -> {
            began.countDown();
            gate.passIgnoringInterrupts("task");
            ended.set(true);
        };
        Run<Long> run = Pipeline.from(Sources.range(5))
                .start(RunOptions.defaults().grace(Duration.ofSeconds(60)).background("slow", task));
        began.await();
        AtomicBoolean before = new AtomicBoolean();
        Thread closing = Thread.ofPlatform().start(() -> {
            Thread.currentThread().interrupt();
            run.close();
            before.set(ended.get());
        });
        gate.awaitInterrupts(1);

        gate.open();
        closing.join();

        assertThat(before).isTrue();
    }

    @Test
    void aBackgroundTaskMayChangeTheRun() throws Exception {
        CountDownLatch changed = new CountDownLatch(1);
        BackgroundTask task = handle -> {
            handle.tune(Tuning.concurrency("pass", 3));
            changed.countDown();
        };
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(5)).pipe("pass", item -> item, cpu(2));

        try (Run<Long> run = pipeline.start(RunOptions.defaults().background("tunes", task))) {
            changed.await();

            assertThat(run.stats().changes()).singleElement().hasToString("concurrency of 'pass' from 2 to 3");
            assertThat(run).hasSize(5);
        }
    }

    @Test
    void aBackgroundTaskThatFailsDoesNotFailTheRun() {
        RunOptions options = RunOptions.defaults().background("bad", stats -> {
            throw new IllegalStateException("on purpose");
        });

        try (Run<Long> run = Pipeline.from(Sources.range(5)).start(options)) {
            assertThat(run).hasSize(5);
        }
    }

    @Test
    void anIntervalCountsWhatHappenedBetweenTwoSnapshots() {
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(30)).pipe("pass", item -> item, cpu(2));
        try (Run<Long> run = pipeline.start(RunOptions.defaults().epochs(2))) {
            run.forEach(item -> {});
            PipelineStats first = run.stats();
            run.nextEpoch();
            run.forEach(item -> {});

            PipelineStats lap = run.stats().since(first);

            assertThat(lap.delivered()).isEqualTo(30);
            assertThat(run.stats().stage("pass").completed()).isEqualTo(60);
            assertThat(run.stats().stage("pass").latency().calls()).isEqualTo(60);
        }
    }

    @Test
    void aRecipePrintsItsStepsWithTheLineThatAddedThem() {
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(30))
                .pipe("decode", item -> item, cpu(2).inputOrder())
                .route("kind", item -> item % 2)
                .when(0L, even -> even.pipe("halve", item -> item / 2, cpu(1)))
                .otherwise(odd -> odd)
                .merge();

        assertThat(pipeline.toString())
                .contains("source of 30  (BesideRunTest.java:")
                .contains("pipe decode cpu(2).inputOrder()  (BesideRunTest.java:")
                .contains("when 0:")
                .contains("pipe halve cpu(1)");
        assertThat(Pipelines.toMermaid(pipeline))
                .startsWith("flowchart TD")
                .contains("[\"pipe decode cpu(2).inputOrder()\"]");
    }

    @Test
    void everyKindOfStepTellsTheLineThatAddedIt() {
        Pipeline<Long> numbers = Pipeline.from(Sources.range(30));
        Pipeline<List<Long>> batches = Pipeline.mix(1, 1, 2)
                .of(
                        StoppingStrategy.ALL_EXHAUSTED,
                        numbers,
                        Pipeline.roundRobin(StoppingStrategy.ALL_EXHAUSTED, numbers, numbers))
                .batch(3, Remainder.KEEP);
        Pipeline<Long> pipeline = Pipeline.<Long, Long>routeElements(batches, "parity", item -> item % 2)
                .when(0L, even -> even.pipe("halve", item -> item / 2, cpu(1)))
                .otherwise(odd -> odd)
                .merge()
                .unbatch(batch -> batch)
                .aggregate("window", Gatherers.windowFixed(2), GathererState.unsaved())
                .flatMap("elements", window -> window, cpu(1));

        assertThat(pipeline.toString())
                .doesNotContain("(Pipeline.java", "(Mix.java", "(ElementRoute.java", "(Route.java", "(?");
    }

    @Test
    void aStageOfAnotherTypeOfOptionsIsRefusedWithItsValue() {
        assertThatThrownBy(() -> cpu(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("concurrency must be from 1 to 65,536 but was 0");
    }
}
