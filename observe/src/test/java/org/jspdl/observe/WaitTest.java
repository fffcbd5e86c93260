package org.jspdl.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class WaitTest {
    @Test
    void partsThatHardlyCountGoWithoutSaying() {
        Wait wait = new Wait(
                3,
                Duration.ofSeconds(1),
                Duration.ofMillis(100),
                List.of(
                        new Wait.Cause(Wait.Kind.WORKED_ON, "read", Duration.ofMillis(97)),
                        new Wait.Cause(Wait.Kind.WAITED, "decode", Duration.ofMillis(2)),
                        new Wait.Cause(Wait.Kind.WORKED_ON, "decode", Duration.ofMillis(1))));

        assertThat(wait)
                .hasToString("delivery 3 was waited for 100.0 ms: 97.0 ms in 'read', 2.0 ms waiting for 'decode'");
    }

    @Test
    void aWaitWithoutCausesIsStillTold() {
        assertThat(new Wait(0, Duration.ZERO, Duration.ofMillis(5), List.of()))
                .hasToString("delivery 0 was waited for 5.0 ms");
    }
}
