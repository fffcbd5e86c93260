package org.jspdl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConcurrencyBoundTest {

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#all")
    void asManyFunctionsRunAtOnceAsWereAskedFor(Setting setting) {
        Gate gate = new Gate();
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(40)).pipe("hold", gate::pass, setting.options());

        try (Run<Long> run = pipeline.start(Setting.roomy())) {
            gate.awaitArrivals(setting.concurrency());
            gate.open();
            assertThat(Runs.take(run, 40)).hasSize(40);
        }
        assertThat(gate.mostInside()).isEqualTo(setting.concurrency());
    }

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#all")
    void neverDoMoreFunctionsRunAtOnceThanWereAskedFor(Setting setting) {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(400))
                .pipe(
                        "work",
                        item -> {
                            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                            Runs.dawdle(1);
                            inside.decrementAndGet();
                            return item;
                        },
                        setting.options());

        assertThat(Runs.deliveries(pipeline, Setting.roomy())).hasSize(400);

        assertThat(most.get()).isBetween(1, setting.concurrency());
    }

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#all")
    void aStageIsNeverFurtherAheadOfItsConsumerThanConcurrencyAndBuffer(Setting setting) {
        AtomicInteger called = new AtomicInteger();
        AtomicInteger taken = new AtomicInteger();
        AtomicInteger furthest = new AtomicInteger();
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(500))
                .pipe(
                        "work",
                        item -> {
                            furthest.accumulateAndGet(called.incrementAndGet() - taken.get(), Math::max);
                            return item;
                        },
                        setting.options())
                .prefetch(setting.buffer());

        try (Run<Long> run = pipeline.start()) {
            for (Long item : run) {
                assertThat(item).isNotNegative();
                taken.incrementAndGet();
            }
        }

        int justTaken = 1;
        assertThat(furthest.get()).isBetween(1, setting.concurrency() + setting.buffer() + justTaken);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1})
    void aStageNeedsAConcurrencyOfAtLeastOne(int concurrency) {
        assertThatThrownBy(() -> StageOptions.io(concurrency))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("concurrency")
                .hasMessageContaining(String.valueOf(concurrency));
    }

    @Test
    void aStageNeedsABufferOfAtLeastOne() {
        assertThatThrownBy(() -> StageOptions.io(1).buffer(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("buffer")
                .hasMessageContaining("0");
    }

    @Test
    void aPrefetchOfNothingIsRefusedWithItsValue() {
        assertThatThrownBy(() -> Pipeline.from(Sources.range(1)).prefetch(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("prefetch")
                .hasMessageContaining("0");
    }

    @Test
    void aDedicatedStageRefusesAnotherConcurrency() {
        assertThatThrownBy(() -> StageOptions.dedicated().concurrency(2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("dedicated")
                .hasMessageContaining("2");
    }
}
