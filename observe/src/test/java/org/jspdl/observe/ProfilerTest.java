package org.jspdl.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jspdl.pipeline.StageOptions.dedicated;
import static org.jspdl.pipeline.StageOptions.io;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Remainder;
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
                        new StageProfile(
                                "slow", "io", 1, 4, List.of(level(1, 250), level(4, 1_000), level(8, 1_000)))));

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
        ProfileReport report =
                new ProfileReport("profiled", 2, 900, List.of(new StageProfile("work", "cpu", 2, 1, List.of(busy))));

        assertThat(report.predicted()).isEqualTo(2_000);
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

        ProfileReport report = Profiler.create().items(100).concurrencies(1, 4).profile(pipeline);

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

        ProfileReport report = Profiler.create().items(100).concurrencies(4).profile(pipeline);

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
