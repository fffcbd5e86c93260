package org.jspdl.pipeline.mixture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class LossFeedbackTest {
    @Test
    void whatIsLearnedWorstGetsMoreOfASumOfOne() {
        double[] next = new LossFeedback(1, 0.05).next(new double[] {2, 1, 1}, new double[] {1, 3, 2});
        assertThat(Arrays.stream(next).sum()).isCloseTo(1, within(1e-12));
        assertThat(next[1]).isGreaterThan(next[2]);
        assertThat(next[1]).isGreaterThan(0.25);
        assertThat(Arrays.stream(next).min().orElseThrow()).isGreaterThanOrEqualTo(0.05);
    }

    @Test
    void anInputWithoutALossCountsAsTheMeanAndEqualLossesChangeNothing() {
        double[] next = new LossFeedback(2, 0).next(new double[] {0.5, 0.3, 0.2}, new double[] {4, 4, Double.NaN});
        assertThat(next).containsExactly(new double[] {0.5, 0.3, 0.2}, within(1e-12));
    }

    @Test
    void hugeLossesLeaveFiniteWeights() {
        double[] next = new LossFeedback(10, 0.1).next(new double[] {1, 1}, new double[] {1e5, -1e5});
        assertThat(next).containsExactly(new double[] {0.9, 0.1}, within(1e-12));
    }

    @Test
    void lossesThatDoNotFitAreRefused() {
        LossFeedback feedback = new LossFeedback(1, 0.4);
        assertThatThrownBy(() -> feedback.next(new double[] {1, 1}, new double[] {1}))
                .hasMessageContaining("1 losses for 2 weights");
        assertThatThrownBy(() -> feedback.next(new double[3], new double[3])).hasMessageContaining("at most 0.33");
        assertThatThrownBy(() -> new LossFeedback(-1, 0)).hasMessageContaining("rate");
    }
}
