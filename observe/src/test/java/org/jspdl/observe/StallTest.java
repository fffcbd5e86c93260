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
    void theStageThatMostOfTheStallsTimeWentToIsToldWithItsPart() {
        Stall first = new Stall(
                3,
                Duration.ofSeconds(1),
                Duration.ofMillis(50),
                List.of(
                        new Stall.Cause(Stall.Kind.WORKING, "read", Duration.ofMillis(40)),
                        new Stall.Cause(Stall.Kind.QUEUED, "decode", Duration.ofMillis(10))));
        Stall second = new Stall(
                4,
                Duration.ofSeconds(2),
                Duration.ofMillis(50),
                List.of(new Stall.Cause(Stall.Kind.WORKING, "read", Duration.ofMillis(50))));

        assertThat(StallCauses.words(List.of(first, second))).isEqualTo("90 % of the longest stalls in 'read'");
        assertThat(StallCauses.words(List.of())).isEmpty();
    }
}
