package org.jspdl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.pipeline.Runs.numbers;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Gatherer;
import java.util.stream.Gatherers;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.Test;

class AggregateTest {
    private final Pipeline<Long> items = Pipeline.from(Sources.range(10));

    @Test
    void theGatherersOfTheJdkWorkAndBeginAnewInEachEpoch() {
        assertThat(Runs.epochs(
                        items.aggregate("window", Gatherers.windowFixed(4), GathererState.unsaved()),
                        RunOptions.defaults().epochs(2)))
                .containsOnly(List.of(numbers(0, 4), numbers(4, 8), numbers(8, 10)));
        assertThat(Runs.epochs(
                        items.aggregate("sum", Gatherers.fold(() -> 0L, Long::sum), GathererState.unsaved()),
                        RunOptions.defaults().epochs(2)))
                .containsOnly(List.of(45L));
    }

    @Test
    void whatTheFinisherEmitsIsNeverLost() {
        Gatherer<Long, AtomicLong, Long> eachAndTheirNumber = Gatherer.ofSequential(
                AtomicLong::new,
                (count, item, downstream) -> {
                    count.incrementAndGet();
                    return downstream.push(item);
                },
                (count, downstream) -> downstream.push(100 + count.get()));

        assertThat(Runs.deliveries(items.aggregate("counted", eachAndTheirNumber, GathererState.unsaved())))
                .containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 110L);
        assertThat(Runs.deliveries(Pipeline.from(Sources.range(0))
                        .aggregate("counted", eachAndTheirNumber, GathererState.unsaved())))
                .containsExactly(100L);
    }

    @Test
    void aGathererThatThrowsFailsTheRunByName() {
        Gatherer<Long, ?, Long> broken = Gatherer.of((_, item, downstream) -> {
            throw new IllegalStateException("cannot gather " + item);
        });

        assertThatThrownBy(() -> Runs.deliveries(items.aggregate("pack", broken, GathererState.unsaved())))
                .isInstanceOf(PipelineException.class)
                .hasMessageContaining("pack")
                .hasMessageContaining("cannot gather 0");
    }

    @Test
    void aGathererThatHasEnoughStillLetsTheEpochEnd() {
        Gatherer<Long, AtomicLong, Long> two = Gatherer.ofSequential(
                AtomicLong::new, (count, item, downstream) -> downstream.push(item) && count.incrementAndGet() < 2);

        assertThat(Runs.epochs(
                        items.aggregate("two", two, GathererState.unsaved()),
                        RunOptions.defaults().epochs(3)))
                .containsOnly(List.of(0L, 1L));
    }
}
