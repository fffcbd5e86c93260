package org.jspdl.pipeline.internal.flight;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CallSamplingTest {
    private static final long SECOND = 1_000_000_000;
    private static final long MICROSECOND = 1_000;

    private final CallSampling sampling = new CallSampling();
    private final long start = System.nanoTime();

    @Test
    void ofShortCallsAtMostAHundredASecondAreChosen() {
        int chosen = 0;
        for (long now = start; now < start + 2 * SECOND; now += 10 * MICROSECOND) {
            chosen += sampling.chooses(now, 10 * MICROSECOND) ? 1 : 0;
        }

        assertThat(chosen).isBetween(198, 2 * CallSampling.PER_SECOND + 1);
    }

    @Test
    void allCallsThatMayBeLongAreChosen() {
        for (long now = start; now < start + SECOND; now += 1_000 * MICROSECOND) {
            assertThat(sampling.chooses(now, 1_000 * MICROSECOND)).isTrue();
        }
    }

    @Test
    void theFirstCallIsChosen() {
        assertThat(sampling.chooses(start, 0)).isTrue();
    }
}
