package org.jspdl.pipeline.internal.stage;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspdl.stats.Latency;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HistogramTest {
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void percentilesAreWithinAStepOfTheExactOnes(long seed) {
        Random random = new Random(seed);
        long[] nanos = random.doubles(10_000)
                .mapToLong(uniform -> (long) Math.exp(uniform * 20))
                .toArray();
        Histogram one = new Histogram();
        Histogram two = new Histogram();
        for (int i = 0; i < nanos.length; i++) {
            (i % 2 == 0 ? one : two).record(nanos[i]);
        }
        Arrays.sort(nanos);

        Latency latency = Histogram.latency(List.of(one, two));

        assertStep(latency.p50(), nanos[nanos.length / 2]);
        assertStep(latency.p90(), nanos[nanos.length * 9 / 10]);
        assertStep(latency.p99(), nanos[nanos.length * 99 / 100]);
        assertThat(latency.max()).isEqualTo(Duration.ofNanos(nanos[nanos.length - 1]));
    }

    @Test
    void anEmptyOneHasNoLatency() {
        assertThat(Histogram.latency(List.of(new Histogram())).p99()).isEqualTo(Duration.ZERO);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, Long.MAX_VALUE})
    void theShortestAndTheLongestCallsAreCounted(long nanos) {
        Histogram histogram = new Histogram();
        histogram.record(nanos);

        assertThat(Histogram.latency(List.of(histogram)).max()).isEqualTo(Duration.ofNanos(nanos));
    }

    /// As much as `Latency` promises.
    private static void assertStep(Duration measured, long exact) {
        assertThat((double) measured.toNanos() / Math.max(1, exact)).isBetween(0.93, 1.07);
    }
}
