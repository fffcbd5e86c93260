package org.jspdl.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class StallTest {
    @Test
    void smallCausesAreLeftOut() {
        Stall stall = new Stall(
                3,
                Duration.ofSeconds(1),
                Duration.ofMillis(100),
                List.of(
                        new Stall.Cause(Stall.Kind.WORKING, "read", Duration.ofMillis(97)),
                        new Stall.Cause(Stall.Kind.QUEUED, "decode", Duration.ofMillis(2)),
                        new Stall.Cause(Stall.Kind.WORKING, "decode", Duration.ofMillis(1))));

        assertThat(stall).hasToString("batch 3 stalled 100.0 ms: 97.0 ms in 'read', 2.0 ms queued for 'decode'");
    }

    @Test
    void aStallWithoutCausesIsStillReported() {
        assertThat(new Stall(0, Duration.ZERO, Duration.ofMillis(5), List.of())).hasToString("batch 0 stalled 5.0 ms");
    }

    @Test
    void whatWasWaitedForMostIsToldWithItsPartAndWithWhereTheDataIs() {
        assertThat(new StallShare(false, "read", "s3://photos/", 0.8))
                .hasToString("80 % of it in 'read' of s3://photos/");
        assertThat(new StallShare(true, "decode", "", 0.5)).hasToString("50 % of it queued for 'decode'");
    }

    @Test
    void aStageThatHoldsTheSourceBackIsToldWithTheItemThatTookMostOfTheTime() {
        Duration time = Duration.ofMillis(20);

        assertThat(new Stall.Cause(Stall.Kind.HELD_BACK, "decode", time))
                .hasToString("20.0 ms in 'decode' of items before it");
        assertThat(new Stall.Cause(Stall.Kind.HELD_BACK, "decode", time, "a.jpg"))
                .hasToString("20.0 ms in 'decode' of items before it, mostly of a.jpg");
    }
}
