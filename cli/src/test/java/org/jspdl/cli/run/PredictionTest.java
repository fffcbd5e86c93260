package org.jspdl.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.jspdl.cli.run.SimulatedProbe.Work;
import org.jspdl.cli.run.ThroughputEstimate.Result;
import org.junit.jupiter.api.Test;

/// Predictions of simulated pipelines whose cost is known.
class PredictionTest {
    private static final int PIPELINES = Boolean.getBoolean("campaign") ? 20_000 : 400;

    /// A quarter of the pipelines is measured on a quiet machine, the others beside others that use up to 0.9 of
    /// it; and the run has other company than the measurement had.
    @Test
    void theErrorIsSmallAndCoversTheTruthForMostPipelinesAndAnyCompany() {
        int covered = 0;
        int near = 0;
        for (int seed = 0; seed < PIPELINES; seed++) {
            Random random = new Random(seed);
            Work work = Work.of(random);
            double mostOthers = Math.max(0, 1.2 * random.nextDouble() - 0.3);
            double othersThen = random.nextBoolean() ? 0 : 0.8 * work.processors() * random.nextDouble();

            ThroughputEstimate estimate = new SimulatedProbe(work, random).measure(mostOthers);

            Result expected = SimulatedProbe.expected(estimate, othersThen);
            double truth = work.rate(othersThen);
            covered += expected.covers(truth) ? 1 : 0;
            near += Math.abs(expected.perSecond() / truth - 1) <= 0.15 ? 1 : 0;
        }

        assertThat((double) covered / PIPELINES).as("within the error").isGreaterThan(0.95);
        assertThat((double) near / PIPELINES).as("within 15 %").isGreaterThan(0.9);
    }

    @Test
    void whatOthersAndTheCompilerTakeIsNotTakenForTheWorksOwnCost() {
        Work work = new Work(2, 0.01, 1e9, 8, 0.05, 1, 1);

        ThroughputEstimate estimate = new SimulatedProbe(work, new Random(1)).measure(0.9);

        double others = estimate.conditions().others();
        assertThat(others).isGreaterThan(0.3);
        assertThat(estimate.result().perSecond()).isCloseTo((2 - others) / 0.01, within(0.1 * 200));
        assertThat(SimulatedProbe.expected(estimate, 0).perSecond()).isCloseTo(200, within(20.0));
    }

    @Test
    void whatOthersTakeDoesNotMatterToWorkThatLeavesProcessorsIdle() {
        Work work = new Work(4, 0.01, 50, 8, 0.05, 0, 1);

        ThroughputEstimate estimate = new SimulatedProbe(work, new Random(1)).measure(0.5);

        assertThat(estimate.result().perSecond()).isCloseTo(50, within(3.0));
        assertThat(SimulatedProbe.expected(estimate, 0).perSecond()).isCloseTo(50, within(3.0));
        // Half a processor is all it needs; of a quarter it makes half as much.
        assertThat(SimulatedProbe.expected(estimate, 3.75).perSecond()).isCloseTo(25, within(3.0));
    }

    @Test
    void codeThatIsStillBeingCompiledKeepsTheMeasurementGoing() {
        Work cold = new Work(2, 0.01, 1e9, 1, 0.05, 2, 4);
        Work warm = new Work(2, 0.01, 1e9, 1, 0.05, 0, 0.1);

        ThroughputEstimate slow = new SimulatedProbe(cold, new Random(1)).measure(0);
        ThroughputEstimate quick = new SimulatedProbe(warm, new Random(1)).measure(0);

        assertThat(quick.result().elapsed().toMillis()).isBetween(1_900L, 4_000L);
        assertThat(slow.result().elapsed().toMillis()).isGreaterThan(8_000);
        assertThat(slow.isSettled()).isFalse();
        assertThat(slow.result().covers(200)).isTrue();
        assertThat(quick.result().perSecond()).isCloseTo(200, within(10.0));
    }
}
