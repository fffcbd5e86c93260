package org.jspdl.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jspdl.pipeline.StageOptions.dedicated;
import static org.jspdl.pipeline.StageOptions.io;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Remainder;
import org.jspdl.pipeline.StageOptions;
import org.jspdl.pipeline.StoppingStrategy;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.Test;

class ProfilerTest {
    private final AtomicInteger open = new AtomicInteger();

    /// Closed by the stage that takes it.
    private final class Resource implements AutoCloseable {
        Resource() {
            open.incrementAndGet();
        }

        @Override
        public void close() {
            open.decrementAndGet();
        }
    }

    @Test
    void aStageThatWaitsIsRecommendedMoreSlotsUntilItKeepsUp() {
        // A batch of four asks for four calls; 'slow' takes 4 ms each, 'open' hardly anything, and no call
        // computes long.
        ProfileReport report = new ProfileReport(
                "profiled",
                2,
                62,
                List.of(
                        new StageProfile("open", "io", 2, 4, List.of(level(1, 20_000), level(4, 20_000))),
                        new StageProfile("slow", "io", 1, 4, List.of(level(1, 250), level(4, 1_000), level(8, 1_000)))),
                List.of());

        assertThat(report.slowest().name()).isEqualTo("slow");
        assertThat(report.predicted()).isEqualTo(250);
        assertThat(report.stages().get(1).recommended(report.predicted())).isEqualTo(4);
        assertThat(report.text())
                .contains(
                        "'open': 1 worker instead of 2.",
                        "'slow': 4 workers instead of 1.",
                        "Predicted throughput: 250 batches/s (now 62.0); 'slow' is the slowest stage.");
    }

    @Test
    void theProcessorsBoundThePrediction() {
        StageProfile.Level busy =
                new StageProfile.Level(4, 4_000, Duration.ofMillis(1), Duration.ofMillis(1), Duration.ofMillis(1));
        ProfileReport report = new ProfileReport(
                "profiled", 2, 900, List.of(new StageProfile("work", "cpu", 2, 1, List.of(busy))), List.of());

        assertThat(report.predicted()).isEqualTo(2_000);
    }

    /// Waits for the inputs of a stage however busy the machine is.
    private static Profiler patient() {
        return Profiler.create().patience(Duration.ofMinutes(10));
    }

    private static StageProfile.Level level(int concurrency, double rate) {
        return new StageProfile.Level(
                concurrency, rate, Duration.ofMillis(4), Duration.ofMillis(5), Duration.ofNanos(10_000));
    }

    @Test
    void everyStageRunsAloneAtEachConcurrencyOverInputsOfItsOwn() {
        AtomicInteger calls = new AtomicInteger();
        Pipeline<List<Resource>> pipeline = Pipeline.from(Sources.range(100_000))
                .pipe("open", item -> new Resource(), io(2))
                .pipe(
                        "slow",
                        resource -> {
                            calls.incrementAndGet();
                            return resource;
                        },
                        io(1))
                .map(resource -> resource)
                .pipe("last", resource -> resource, dedicated())
                .batch(4, Remainder.KEEP)
                .named("profiled");

        ProfileReport report = patient().items(100).concurrencies(1, 4).profile(pipeline);

        assertThat(report.stages()).extracting(StageProfile::name).containsExactly("open", "slow", "last");
        assertThat(report.stages().getFirst().levels())
                .extracting(StageProfile.Level::concurrency)
                .containsExactly(1, 4);
        assertThat(report.stages().getLast().levels()).hasSize(1);
        assertThat(report.stages())
                .allSatisfy(stage -> assertThat(stage.mostItems()).isPositive());
        assertThat(report.rate()).isPositive();
        assertThat(calls.get())
                .as("'slow' at two levels, and the inputs of 'last'")
                .isGreaterThanOrEqualTo(300);
        assertThat(open).as("what was captured was closed").hasValue(0);
    }

    @Test
    void eachMeasurementIsToldAsItIsMade() {
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(10_000))
                .pipe("read", item -> item, io(2))
                .pipe("decode", item -> item, io(1));
        List<String> told = new ArrayList<>();

        ProfileReport report = patient()
                .items(50)
                .concurrencies(1, 4)
                .onStep(stage -> told.add(stage.name() + " " + stage.levels().size() + " "
                        + stage.levels().getLast().concurrency()))
                .profile(pipeline);

        assertThat(told).containsExactly("read 1 1", "read 2 4", "decode 1 1", "decode 2 4");
        assertThat(report.stages()).extracting(StageProfile::name).containsExactly("read", "decode");
    }

    @Test
    void stagesInBranchesAndBeforeMergesRunAloneOverWhatReachesThem() {
        Map<String, Set<Long>> seen = new ConcurrentHashMap<>();
        Pipeline<Long> left = watched(Pipeline.from(Sources.range(10_000)), "read", seen);
        Pipeline<Long> right = watched(Pipeline.from(Sources.range(10_000)).map(item -> item + 10_000), "read", seen);
        // In turn: as items arrive, those of one alone may come while it is measured.
        Pipeline<Long> pipeline = Pipeline.roundRobin(StoppingStrategy.ALL_EXHAUSTED, left, right)
                .routeAsync("kind", item -> CompletableFuture.completedFuture(item % 3), StageOptions.async(2))
                .<Long>when(0L, way -> watched(way.map(item -> -item), "work", seen))
                .when(
                        1L,
                        way -> watched(way, "work", seen)
                                .route("half", item -> item < 10_000)
                                .<Long>when(true, half -> watched(half, "small", seen))
                                .otherwise(half -> half)
                                .merge())
                .when(5L, way -> watched(way, "never", seen))
                .otherwise(way -> Pipeline.<Long, Long>routeElements(
                                way.batch(4, Remainder.DROP), "elements", item -> item % 2)
                        .when(0L, even -> watched(even, "even", seen))
                        .otherwise(odd -> odd)
                        .merge()
                        .unbatch(batch -> batch))
                .merge()
                .pipe("last", item -> item, io(1))
                .named("branches");

        ProfileReport report = patient().items(20).concurrencies(2).profile(pipeline);

        assertThat(report.stages())
                .extracting(StageProfile::name)
                .containsExactly("read", "read-2", "kind", "work", "work-2", "small", "even", "last");
        assertThat(report.unreached()).containsExactly("never");
        assertThat(report.stages()).allSatisfy(stage -> {
            assertThat(stage.mostItems()).isPositive();
            assertThat(stage.calls()).isPositive();
        });
        assertThat(seen.get("small")).allMatch(item -> item % 3 == 1 && item < 10_000);
        assertThat(seen.get("even")).allMatch(item -> item % 3 == 2 && item % 2 == 0);
        assertThat(report.text()).contains("'never' got no items.");
    }

    private static Pipeline<Long> watched(Pipeline<Long> before, String stage, Map<String, Set<Long>> seen) {
        return before.pipe(
                stage,
                item -> {
                    seen.computeIfAbsent(stage, _ -> ConcurrentHashMap.newKeySet())
                            .add(item);
                    return item;
                },
                io(1));
    }

    @Test
    void aStageReallyRunsAtTheConcurrencyThatItIsMeasuredAt() {
        Together four = new Together();
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(100_000))
                .pipe(
                        "meets",
                        item -> {
                            four.meet();
                            return item;
                        },
                        io(4));

        ProfileReport report = patient().items(100).concurrencies(4).profile(pipeline);

        assertThat(report.stages().getFirst().levels())
                .singleElement()
                .satisfies(level -> assertThat(level.rate()).isPositive());
    }

    /// Lets calls go on in fours, so that fewer at once would wait indefinitely.
    private static final class Together {
        private int waiting;
        private long meetings;

        synchronized void meet() throws InterruptedException {
            long before = meetings;
            if (++waiting == 4) {
                waiting = 0;
                meetings++;
                notifyAll();
            }
            try {
                while (meetings == before) {
                    wait();
                }
            } catch (InterruptedException closing) {
                waiting -= meetings == before ? 1 : 0;
                throw closing;
            }
        }
    }

    @Test
    void headroomIsWhatTheConsumerWaits() {
        Headroom half = new Headroom(50, 100);

        assertThat(half.share()).isEqualTo(0.5);
        assertThat(half)
                .hasToString(
                        "50.0 batches/s, 100.0 batches/s from memory: headroom 50 % of the time; faster loading is worth it");
        assertThat(new Headroom(100, 98).share()).isZero();
    }

    @Test
    void headroomFeedsTheConsumerTwiceAndClosesWhatWasKept() {
        Pipeline<Resource> pipeline = Pipeline.from(Sources.range(1_000)).pipe("open", item -> new Resource(), io(1));
        AtomicInteger steps = new AtomicInteger();
        Set<Resource> seen = ConcurrentHashMap.newKeySet();

        Headroom measured = Profiler.create()
                .headroom(
                        pipeline,
                        resource -> {
                            steps.incrementAndGet();
                            seen.add(resource);
                        },
                        60);

        assertThat(steps).hasValue(120);
        assertThat(seen).as("the second time kept ones come again").hasSize(60);
        assertThat(measured.loaded()).isPositive();
        assertThat(measured.kept()).isPositive();
        assertThat(open).hasValue(0);
    }
}
