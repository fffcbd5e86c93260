package org.jspdl.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ReportSharesTest {
    @Test
    void noShareIsAboveOneWhereAWaitWasCountedAfterTheClockWasRead() {
        Duration elapsed = Duration.ofMillis(3_990);

        assertThat(ReportSections.ratio(Duration.ofMillis(4_070), elapsed)).isEqualTo(1);
        assertThat(ReportSections.ratio(Duration.ofMillis(-1), elapsed)).isZero();
        assertThat(ReportSections.ratio(Duration.ofMillis(1), Duration.ZERO)).isZero();
        assertThat(ReportSections.ratio(elapsed.dividedBy(2), elapsed)).isEqualTo(0.5);
    }
}
