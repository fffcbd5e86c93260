package org.jspdl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspdl.source.Sources;
import org.jspdl.stats.StageObserver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ObserverTest {

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#all")
    void everyCallIsToldOfOnceWithItsOutcome(Setting setting) {
        Recorder recorder = new Recorder();
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(60))
                .pipe(
                        "work",
                        item -> failOn(item % 6 == 1, item),
                        setting.options().failures(FailurePolicy.skip(100)))
                .filter(item -> item % 6 != 2);

        assertThat(Runs.deliveries(pipeline, RunOptions.defaults().observer(recorder)))
                .hasSize(40);

        assertThat(recorder.items("work")).containsExactlyInAnyOrderElementsOf(Runs.numbers(0, 60));
        assertThat(recorder.outcome("work", StageObserver.Outcome.COMPLETED)).isEqualTo(40);
        assertThat(recorder.outcome("work", StageObserver.Outcome.FILTERED)).isEqualTo(10);
        assertThat(recorder.outcome("work", StageObserver.Outcome.FAILED)).isEqualTo(10);
    }

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#all")
    void everyStageBeginsOnceAndEndsOnce(Setting setting) {
        Recorder recorder = new Recorder();
        Pipeline<List<Long>> pipeline = Pipeline.from(Sources.range(20))
                .pipe("one", item -> item, setting.options())
                .pipe("two", item -> item, setting.options())
                .batch(3, Remainder.DROP);

        Runs.deliveries(pipeline, RunOptions.defaults().observer(recorder));

        assertThat(recorder.started)
                .containsOnlyKeys("source", "one", "two", "batch(3)")
                .allSatisfy((stage, times) -> assertThat(times).hasValue(1));
        assertThat(recorder.ended)
                .containsOnlyKeys("source", "one", "two", "batch(3)")
                .allSatisfy((stage, times) -> assertThat(times).hasValue(1));
    }

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#all")
    void aStageThatIsStoppedEndsOnceIfItBegan(Setting setting) {
        Recorder recorder = new Recorder();
        Gate gate = new Gate();
        Run<Long> run = Pipeline.from(Sources.range(20))
                .pipe("hold", gate::pass, setting.options())
                .pipe("starved", item -> item, setting.options())
                .start(Setting.roomy().observer(recorder));
        gate.awaitArrivals(1);

        run.close();

        assertThat(recorder.ended)
                .containsKeys("source", "hold")
                .allSatisfy((stage, times) -> assertThat(times).hasValue(1));
        assertThat(recorder.ended.keySet()).isEqualTo(recorder.started.keySet());
    }

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#few")
    void severalObserversAreAllTold(Setting setting) {
        Recorder one = new Recorder();
        Recorder two = new Recorder();
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(20)).pipe("work", item -> item, setting.options());

        Runs.deliveries(pipeline, RunOptions.defaults().observer(one).observer(two));

        assertThat(one.items("work")).hasSize(20);
        assertThat(two.items("work")).hasSize(20);
        assertThat(two.outcome("work", StageObserver.Outcome.COMPLETED)).isEqualTo(20);
    }

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#few")
    void anObserverThatThrowsWhenAnItemStartsFailsThatItem(Setting setting) {
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(20))
                .pipe("work", item -> item, setting.options().failures(FailurePolicy.skip(1)));
        StageObserver picky = new StageObserver() {
            @Override
            public void itemStarted(String stage, Object item) {
                failOn(item.equals(7L), 0);
            }
        };

        assertThat(Runs.deliveries(pipeline, RunOptions.defaults().observer(picky)))
                .hasSize(19)
                .doesNotContain(7L);
    }

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#few")
    void anObserverThatThrowsWhenAnItemEndsNeitherHangsTheRunNorLeaksTheItem(Setting setting) {
        Tracker tracker = new Tracker();
        Pipeline<Tracker.Item> pipeline =
                Pipeline.from(Sources.range(20)).map(tracker::item).pipe("work", item -> item, setting.options());
        StageObserver broken = new StageObserver() {
            @Override
            public void itemEnded(String stage, long nanos, Outcome outcome) {
                throw new IllegalStateException("observer broken");
            }
        };

        try (Run<Tracker.Item> run = pipeline.start(RunOptions.defaults().observer(broken))) {
            assertThatThrownBy(() -> run.forEach(Tracker.Item::close))
                    .isInstanceOf(PipelineException.class)
                    .hasMessageContaining("observer broken");
        }
        tracker.assertEachClosedOnce();
    }

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#few")
    void anObserverThatThrowsWhenAStageStartsFailsTheRun(Setting setting) {
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(20)).pipe("work", item -> item, setting.options());
        StageObserver broken = new StageObserver() {
            @Override
            public void stageStarted(String stage) {
                failOn(stage.equals("work"), 0);
            }
        };

        assertThatThrownBy(() -> Runs.deliveries(pipeline, RunOptions.defaults().observer(broken)))
                .hasStackTraceContaining("bad");
    }

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#few")
    void anObserverThatThrowsWhenAStageEndsIsReportedAndHoldsUpNothing(Setting setting) {
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(20)).pipe("work", item -> item, setting.options());
        StageObserver broken = new StageObserver() {
            @Override
            public void stageEnded(String stage) {
                failOn(stage.equals("work"), 0);
            }
        };

        assertThatThrownBy(() -> Runs.deliveries(pipeline, RunOptions.defaults().observer(broken)))
                .hasStackTraceContaining("bad")
                .message()
                .doesNotContain("did not answer");
    }

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#few")
    void aGuardedObserverMayThrowAsItLikes(Setting setting) {
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(20)).pipe("work", item -> item, setting.options());
        StageObserver broken = new StageObserver() {
            @Override
            public void stageStarted(String stage) {
                throw new IllegalStateException("1");
            }

            @Override
            public void itemStarted(String stage, Object item) {
                throw new IllegalStateException("2");
            }

            @Override
            public void itemEnded(String stage, long nanos, Outcome outcome) {
                throw new IllegalStateException("3");
            }

            @Override
            public void stageEnded(String stage) {
                throw new IllegalStateException("4");
            }
        };

        assertThat(Runs.deliveries(pipeline, RunOptions.defaults().observer(StageObserver.guarded(broken))))
                .hasSize(20);
    }

    @Test
    void theTimeOfACallIsTold() {
        ConcurrentLinkedQueue<Long> nanos = new ConcurrentLinkedQueue<>();
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(3))
                .pipe(
                        "work",
                        item -> {
                            long until = System.nanoTime() + 2_000_000;
                            while (System.nanoTime() < until) {
                                Thread.onSpinWait();
                            }
                            return item;
                        },
                        StageOptions.io(1));
        StageObserver timer = new StageObserver() {
            @Override
            public void itemEnded(String stage, long elapsed, Outcome outcome) {
                nanos.add(elapsed);
            }
        };

        Runs.deliveries(pipeline, RunOptions.defaults().observer(timer));

        assertThat(nanos).hasSize(3).allMatch(elapsed -> elapsed >= 2_000_000);
    }

    private static long failOn(boolean bad, long item) {
        if (bad) {
            throw new IllegalStateException("bad");
        }
        return item;
    }

    /// Remembers all it is told.
    private static final class Recorder implements StageObserver {
        private final Map<String, AtomicInteger> started = new ConcurrentHashMap<>();
        private final Map<String, AtomicInteger> ended = new ConcurrentHashMap<>();
        private final Map<String, ConcurrentLinkedQueue<Object>> items = new ConcurrentHashMap<>();
        private final Map<String, AtomicInteger> outcomes = new ConcurrentHashMap<>();

        @Override
        public void stageStarted(String stage) {
            started.computeIfAbsent(stage, s -> new AtomicInteger()).incrementAndGet();
        }

        @Override
        public void itemStarted(String stage, Object item) {
            items.computeIfAbsent(stage, s -> new ConcurrentLinkedQueue<>()).add(item);
        }

        @Override
        public void itemEnded(String stage, long nanos, Outcome outcome) {
            outcomes.computeIfAbsent(stage + outcome, s -> new AtomicInteger()).incrementAndGet();
        }

        @Override
        public void stageEnded(String stage) {
            ended.computeIfAbsent(stage, s -> new AtomicInteger()).incrementAndGet();
        }

        List<Long> items(String stage) {
            return items.getOrDefault(stage, new ConcurrentLinkedQueue<>()).stream()
                    .map(Long.class::cast)
                    .toList();
        }

        int outcome(String stage, Outcome outcome) {
            return outcomes.getOrDefault(stage + outcome, new AtomicInteger()).get();
        }
    }
}
