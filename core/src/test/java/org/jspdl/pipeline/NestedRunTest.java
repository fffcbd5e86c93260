package org.jspdl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.pipeline.Runs.numbers;
import static org.jspdl.pipeline.StageOptions.cpu;

import java.util.List;
import java.util.concurrent.CyclicBarrier;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Runs inside the functions of other runs. They share the compute threads, of which there may be no more than one for
/// each processor.
class NestedRunTest {
    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

    private final Pipeline<Long> inner = Pipeline.from(Sources.range(20)).pipe("inner", item -> item, cpu(2));

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#all")
    void aStageMayRunAPipelineOfItsOwn(Setting setting) {
        Pipeline<Long> outer =
                Pipeline.from(Sources.range(30)).pipe("outer", item -> sum(Runs.deliveries(inner)), setting.options());

        assertThat(Runs.deliveries(outer)).hasSize(30).allMatch(sum -> sum == 190);
    }

    @Test
    void nestedRunsOnEveryComputeThreadAtOnceDoNotDeadlock() {
        CyclicBarrier allInside = new CyclicBarrier(PROCESSORS);
        Pipeline<Long> outer = Pipeline.from(Sources.range(PROCESSORS))
                .pipe(
                        "outer",
                        item -> {
                            allInside.await();
                            return sum(Runs.deliveries(inner));
                        },
                        cpu(PROCESSORS));

        assertThat(Runs.deliveries(outer)).hasSize(PROCESSORS).allMatch(sum -> sum == 190);
    }

    @Test
    void runsNestedThreeDeepDoNotDeadlock() {
        Pipeline<Long> middle =
                Pipeline.from(Sources.range(3)).pipe("middle", item -> sum(Runs.deliveries(inner)), cpu(2));
        Pipeline<Long> outer =
                Pipeline.from(Sources.range(4)).pipe("outer", item -> sum(Runs.deliveries(middle)), cpu(PROCESSORS));

        assertThat(Runs.deliveries(outer)).hasSize(4).allMatch(sum -> sum == 3 * 190);
    }

    @Test
    void closingNestedRunsEarlyOnEveryComputeThreadDoesNotDeadlock() {
        CyclicBarrier allInside = new CyclicBarrier(PROCESSORS);
        Pipeline<Long> endless = Pipeline.from(Sources.range(Long.MAX_VALUE)).pipe("inner", item -> item, cpu(2));
        Pipeline<Long> outer = Pipeline.from(Sources.range(10L * PROCESSORS))
                .pipe(
                        "outer",
                        item -> {
                            try (Run<Long> run = endless.start()) {
                                long first = run.iterator().next();
                                allInside.await();
                                return first;
                            }
                        },
                        cpu(PROCESSORS));

        assertThat(Runs.deliveries(outer)).hasSize(10 * PROCESSORS);
    }

    @Test
    void aFailureInANestedRunIsTheFailureOfItsItem() {
        Pipeline<Long> failing = Pipeline.from(Sources.range(3))
                .named("inside")
                .pipe(
                        "broken",
                        item -> {
                            throw new IllegalStateException("deep down");
                        },
                        cpu(1));
        Pipeline<Long> outer = Pipeline.from(Sources.range(3))
                .named("outside")
                .pipe("outer", item -> sum(Runs.deliveries(failing)), cpu(1));

        assertThatThrownBy(() -> Runs.deliveries(outer))
                .isInstanceOf(PipelineException.class)
                .hasMessageContaining("outside")
                .hasMessageContaining("inside")
                .hasMessageContaining("deep down")
                .cause()
                .isInstanceOf(PipelineException.class);
    }

    @Test
    void closingTheOuterRunEndsTheRunsInside() {
        Gate gate = new Gate();
        Pipeline<Long> held = Pipeline.from(Sources.range(5)).pipe("held", gate::pass, cpu(1));
        Run<Long> run = Pipeline.from(Sources.range(5))
                .pipe("outer", item -> sum(Runs.deliveries(held)), cpu(PROCESSORS))
                .start();
        gate.awaitArrivals(1);

        run.close();

        gate.awaitEmpty();
    }

    @Test
    void aRunMayBeTheSourceOfAnother() {
        try (Run<Long> run = inner.start()) {
            Pipeline<Long> outer = Pipeline.from(Sources.once(run::iterator)).pipe("outer", item -> item + 1, cpu(1));

            assertThat(Runs.deliveries(outer)).containsExactlyInAnyOrderElementsOf(numbers(1, 21));
        }
    }

    @Test
    void theConsumerOfARunMayRunAnother() {
        try (Run<Long> run = inner.start()) {
            for (Long item : run) {
                assertThat(item).isBetween(0L, 19L);
                assertThat(Runs.deliveries(inner)).hasSize(20);
            }
        }
    }

    private static long sum(List<Long> items) {
        return items.stream().mapToLong(Long::longValue).sum();
    }
}
