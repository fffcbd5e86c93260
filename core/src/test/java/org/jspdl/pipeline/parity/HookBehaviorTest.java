package org.jspdl.pipeline.parity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jspdl.pipeline.StageOptions.cpu;
import static org.jspdl.pipeline.StageOptions.io;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspdl.pipeline.FailurePolicy;
import org.jspdl.pipeline.Order;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Remainder;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.pipeline.StageOptions;
import org.jspdl.source.Sources;
import org.jspdl.stats.StageObserver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What hooks of stages and tasks are in SPDL, an observer is here.
class HookBehaviorTest {
    private final Map<String, AtomicInteger> told = new ConcurrentHashMap<>();

    private void count(String what) {
        told.computeIfAbsent(what, _ -> new AtomicInteger()).incrementAndGet();
    }

    private int times(String what) {
        return told.getOrDefault(what, new AtomicInteger()).get();
    }

    @ParameterizedTest
    @EnumSource(Order.class)
    void theInputOfEveryCallIsToldWhetherItSucceedsOrFails(Order order) {
        ConcurrentLinkedQueue<Object> inputs = new ConcurrentLinkedQueue<>();
        StageObserver observer = new StageObserver() {
            @Override
            public void itemStarted(String stage, Object item) {
                inputs.add(item);
            }

            @Override
            public void itemEnded(String stage, long nanos, Outcome outcome) {
                count(outcome.name());
            }
        };
        StageOptions options = cpu(2).failures(FailurePolicy.skip(5));
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(10))
                .pipe("odd", HookBehaviorTest::odd, order == Order.INPUT ? options.inputOrder() : options);

        try (Run<Long> run = pipeline.start(RunOptions.defaults().observer(observer))) {
            assertThat(run).containsExactlyInAnyOrder(1L, 3L, 5L, 7L, 9L);
        }

        assertThat(inputs).containsExactlyInAnyOrder(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
        assertThat(times("COMPLETED")).isEqualTo(5);
        assertThat(times("FAILED")).isEqualTo(5);
    }

    private static Long odd(Long item) {
        if (item % 2 == 0) {
            throw new IllegalArgumentException(item + " is even");
        }
        return item;
    }

    @Test
    void everyStageBeginsAndEndsOnceAndADroppedRemainderReachesNone() {
        StageObserver observer = new StageObserver() {
            @Override
            public void stageStarted(String stage) {
                count("started " + stage);
            }

            @Override
            public void stageEnded(String stage) {
                count("ended " + stage);
            }

            @Override
            public void itemStarted(String stage, Object item) {
                count("item of " + stage);
            }
        };
        Pipeline<Integer> pipeline = Pipeline.from(Sources.range(7))
                .pipe("double", item -> 2 * item, io(2))
                .batch(3, Remainder.DROP)
                .pipe("size", List::size, cpu(1));

        try (Run<Integer> run = pipeline.start(RunOptions.defaults().observer(observer))) {
            assertThat(run).containsExactly(3, 3);
        }

        assertThat(times("item of double")).isEqualTo(7);
        assertThat(times("item of size")).isEqualTo(2);
        for (String stage : List.of("source", "double", "batch(3)", "size")) {
            assertThat(times("started " + stage)).as(stage).isEqualTo(1);
            assertThat(times("ended " + stage)).as(stage).isEqualTo(1);
        }
    }

    @Test
    void anObserverThatThrowsAtTheStartOfAnItemDropsItUnderAPolicyThatSkips() {
        StageObserver observer = new StageObserver() {
            @Override
            public void itemStarted(String stage, Object item) {
                throw new IllegalStateException("no item is fine");
            }
        };
        Pipeline<Long> pipeline =
                Pipeline.from(Sources.range(4)).pipe("work", item -> item, cpu(2).failures(FailurePolicy.skip(4)));

        try (Run<Long> run = pipeline.start(RunOptions.defaults().observer(observer))) {
            assertThat(run).isEmpty();
            assertThat(run.stats().skipped()).isEqualTo(4);
        }
    }
}
