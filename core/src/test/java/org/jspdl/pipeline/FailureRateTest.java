package org.jspdl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.pipeline.FailurePolicy.skipRate;
import static org.jspdl.pipeline.StageOptions.cpu;
import static org.jspdl.pipeline.StageOptions.io;

import org.jspdl.source.Sources;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class FailureRateTest {

    @ParameterizedTest(name = "1 failure in {0} of {1} items with {2} allowed survives: {3}")
    @CsvSource({
        "100, 1000, 0.001, false",
        "10, 1000, 0.15, true",
        "10, 1000, 0.11, true",
        "10, 1000, 0.10, true",
        "10, 1000, 0.09, false",
        "5, 50, 0.01, true",
        "5, 99, 0.01, true",
        "5, 100, 0.01, false",
        "2, 99, 0.3, true",
    })
    void failuresAreSurvivedUpToTheRateFromTheHundredthCallOn(int oneIn, int items, double rate, boolean survives) {
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(items))
                .pipe("decode", item -> failEvery(item, oneIn), io(1).failures(skipRate(rate)));

        if (survives) {
            assertThat(Runs.deliveries(pipeline)).hasSize(items - items / oneIn);
        } else {
            assertThatThrownBy(() -> Runs.deliveries(pipeline)).isInstanceOf(PipelineException.class);
        }
    }

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#all")
    void theRateHoldsWithAnyPlacementAndOrder(Setting setting) {
        Pipeline<Long> source = Pipeline.from(Sources.range(400));
        Pipeline<Long> within = source.pipe(
                "decode", item -> failEvery(item, 10), setting.options().failures(skipRate(0.3)));
        Pipeline<Long> beyond = source.pipe(
                "decode", item -> failEvery(item, 2), setting.options().failures(skipRate(0.3)));

        assertThat(Runs.deliveries(within)).hasSize(360);
        assertThatThrownBy(() -> Runs.deliveries(beyond)).isInstanceOf(PipelineException.class);
    }

    @Test
    void tooManyFailuresBeforeTheProbationIsOverStopTheRunWhenItEnds() {
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(200))
                .pipe(
                        "decode",
                        item -> {
                            if (item < 50) {
                                throw new IllegalArgumentException("a bad shard");
                            }
                            return item;
                        },
                        io(1).failures(skipRate(0.4)));

        try (Run<Long> run = pipeline.start()) {
            assertThatThrownBy(() -> Runs.take(run, 200))
                    .isInstanceOf(PipelineException.class)
                    .hasMessageContaining("50 of 100 items failed (50.0 %), more than the 40.0 % allowed by skipRate")
                    .hasMessageContaining("first failure: source position epoch 0, index 0")
                    .hasMessageContaining("a bad shard");
        }
    }

    @Test
    void aProbationOfOneAppliesTheRateAtOnce() {
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(5))
                .pipe(
                        "decode",
                        item -> {
                            throw new IllegalArgumentException("bad");
                        },
                        io(1).failures(skipRate(0.5, 1)));

        assertThatThrownBy(() -> Runs.deliveries(pipeline))
                .isInstanceOf(PipelineException.class)
                .hasMessageContaining("1 of 1 items failed");
    }

    @Test
    void aRateOfOneSurvivesEverything() {
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(300))
                .pipe(
                        "decode",
                        item -> {
                            throw new IllegalArgumentException("bad");
                        },
                        cpu(2).failures(skipRate(1)));

        assertThat(Runs.deliveries(pipeline)).isEmpty();
    }

    @Test
    void eachStageHasItsOwnRate() {
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(1_000))
                .pipe("lenient", item -> failEvery(item, 4), io(2).failures(skipRate(0.5)))
                .pipe("strict", item -> failEvery(item / 4, 10), io(2).failures(skipRate(0.01)));

        assertThatThrownBy(() -> Runs.deliveries(pipeline))
                .isInstanceOfSatisfying(
                        PipelineException.class,
                        failure -> assertThat(failure.stage()).isEqualTo("strict"));
    }

    @Test
    void withoutFailuresNothingIsDropped() {
        Pipeline<Long> pipeline =
                Pipeline.from(Sources.range(500)).pipe("decode", item -> item, cpu(2).failures(skipRate(0.001)));

        assertThat(Runs.deliveries(pipeline)).hasSize(500);
    }

    private static long failEvery(long item, int oneIn) {
        if (item % oneIn == oneIn - 1) {
            throw new IllegalArgumentException("one in " + oneIn);
        }
        return item;
    }
}
