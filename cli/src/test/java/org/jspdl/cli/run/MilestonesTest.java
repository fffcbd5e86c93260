package org.jspdl.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class MilestonesTest {
    private double seconds;
    private final Milestones milestones =
            new Milestones(() -> seconds, () -> Duration.ofMillis((long) (seconds * 500)));

    @Test
    void aMilestoneIsReachedWithTheBatchThatCompletesIt() {
        deliver(1, 64);
        assertThat(milestones.reached()).isEmpty();
        deliver(2, 128);
        deliver(3, 192);

        assertThat(milestones.reached()).containsExactly(reached(100, 2));
    }

    @Test
    void aLargeBatchReachesSeveralAtOnce() {
        deliver(4, 10_000);

        assertThat(milestones.reached()).isEqualTo(List.of(reached(100, 4), reached(1_000, 4), reached(10_000, 4)));
    }

    private void deliver(double at, long total) {
        seconds = at;
        milestones.delivered(total);
    }

    private static Milestones.Milestone reached(long items, double at) {
        return new Milestones.Milestone(items, at, Duration.ofMillis((long) (at * 500)));
    }
}
