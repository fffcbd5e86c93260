package org.jspdl.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What is said about ten seconds of a run on two compute threads.
class BottleneckTest {
    private static final Duration TEN_SECONDS = Duration.ofSeconds(10);

    @Test
    void aStageThatOnlyWaitsForAProcessorIsNotTheLimit() {
        StageStats read = stage("read", 2, 1, 0, 0, 19);
        StageStats decode = stage("decode", 2, 15, 2, 1, 2);

        Bottleneck bottleneck = stats(read, decode).bottleneck();

        assertThat(bottleneck.kind()).isEqualTo(Bottleneck.Kind.CPU);
        assertThat(bottleneck.stage()).isEqualTo("decode");
        assertThat(bottleneck)
                .hasToString("Bottleneck: CPU: the 2 compute threads were busy 80 % of the time, 94 % of it in"
                        + " stage 'decode'; stage 'read' waited for one of them 95 % of the time. Try: make 'decode' cheaper (15.00 ms per item), cache its"
                        + " results, or add processors.");
    }

    @Test
    void aStageWithTooFewSlotsIsTheLimit() {
        Bottleneck bottleneck = stats(stage("read", 2, 1, 0, 19, 0), stage("decode", 1, 10, 0, 0, 0))
                .bottleneck();

        assertThat(bottleneck.kind()).isEqualTo(Bottleneck.Kind.STAGE);
        assertThat(bottleneck.stage()).isEqualTo("decode");
    }

    private static PipelineStats stats(StageStats... stages) {
        return new PipelineStats(
                "test",
                TEN_SECONDS,
                1_000,
                0,
                0,
                TEN_SECONDS,
                Duration.ZERO,
                Latency.NONE,
                2,
                BudgetStats.NONE,
                List.of(),
                TuningStats.OFF,
                List.of(stages),
                List.of());
    }

    private static StageStats stage(String name, int slots, int busy, int starved, int blocked, int queued) {
        return new StageStats(
                name,
                "cpu",
                slots,
                1_000,
                0,
                0,
                Duration.ofSeconds(busy),
                Duration.ofSeconds(starved),
                Duration.ofSeconds(blocked),
                Duration.ofSeconds(queued),
                Latency.NONE,
                0);
    }
}
