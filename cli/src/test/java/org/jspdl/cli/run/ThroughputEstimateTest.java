package org.jspdl.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ThroughputEstimateTest {
    private static final long MILLISECOND = 1_000_000;

    private final ThroughputEstimate estimate = new ThroughputEstimate(0);

    @Test
    void evenBatchesGiveTheirThroughputWithTheLeastError() {
        for (int i = 1; i <= 60; i++) {
            estimate.arrived(i * (100 * MILLISECOND), 64);
        }

        ThroughputEstimate.Result result = estimate.result();

        assertThat(estimate.isSettled()).isTrue();
        assertThat(result.perSecond()).isEqualTo(640);
        assertThat(result.error()).isEqualTo(32);
        assertThat(result.items()).isEqualTo(60 * 64);
        assertThat(result.elapsed()).isEqualTo(Duration.ofSeconds(6));
        assertThat(result.covers(610)).isTrue();
        assertThat(result.covers(600)).isFalse();
    }

    @Test
    void theSlowBeginningDoesNotCount() {
        long now = 0;
        for (int i = 0; i < 100; i++) {
            now += (i < 20 ? 200 : 100) * MILLISECOND;
            estimate.arrived(now, 10);
        }

        assertThat(estimate.result().perSecond()).isEqualTo(100);
    }

    @Test
    void whatStillRisesIsNotSettledAndHasALargeError() {
        long now = 0;
        for (int i = 0; i < 60; i++) {
            now += (1_000 - 15L * i) * MILLISECOND;
            estimate.arrived(now, 10);
        }

        assertThat(estimate.isSettled()).isFalse();
        ThroughputEstimate.Result result = estimate.result();
        assertThat(result.error()).isGreaterThan(0.2 * result.perSecond());
    }

    @Test
    void theErrorCoversTheTruthInMostOfManyNoisyMeasurements() {
        int covered = 0;
        int rounds = 500;
        for (int seed = 0; seed < rounds; seed++) {
            Random random = new Random(seed);
            ThroughputEstimate noisy = new ThroughputEstimate(0);
            double now = 0;
            for (int i = 0; i < 40; i++) {
                now += -Math.log(1 - random.nextDouble()) * 100 * MILLISECOND; // a mean of 10 batches a second
                noisy.arrived((long) now, 8);
            }
            covered += noisy.result().covers(80) ? 1 : 0;
        }

        assertThat((double) covered / rounds).isGreaterThan(0.9);
    }

    @Test
    void itemsThatComeOneByOneAreCountedInGroups() {
        for (int i = 1; i <= 1_000_000; i++) {
            estimate.arrived(i * 1_000L, 1);
        }

        assertThat(estimate.result().perSecond()).isBetween(0.999e6, 1.001e6);
        assertThat(estimate.result().items()).isEqualTo(1_000_000);
    }

    @Test
    void twoBatchesAreTooFew() {
        estimate.arrived(MILLISECOND, 1);
        estimate.arrived(10 * MILLISECOND, 1);

        assertThat(estimate.isPossible()).isFalse();
        assertThatThrownBy(estimate::result).hasMessageContaining("3 batches at least are needed but there were 2");
    }
}
