package org.jspdl.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class WaysTest {
    @ParameterizedTest
    @EnumSource(Ways.class)
    void everyWayPassesEveryItemThroughEveryStep(Ways way) throws InterruptedException {
        for (int concurrency : new int[] {1, 3}) {
            assertThat(way.sum(Work.items(1_000), new Work(1), concurrency)).isEqualTo(Work.expected(1_000));
        }
    }
}
