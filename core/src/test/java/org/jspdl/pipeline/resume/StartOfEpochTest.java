package org.jspdl.pipeline.resume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.pipeline.StageOptions.cpu;

import java.util.ArrayList;
import java.util.List;
import org.jspdl.pipeline.Checkpoint;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Remainder;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.pipeline.StoppingStrategy;
import org.jspdl.source.Samplers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StartOfEpochTest {
    private static final int EPOCHS = 5;

    private static Pipeline<List<Long>> recipe() {
        return Pipeline.mix(9, 2, 1)
                .<Long>of(
                        StoppingStrategy.ALL_EXHAUSTED,
                        Pipeline.from(Samplers.shuffled(60, 3).shard(1, 2)),
                        Pipeline.from(Samplers.shuffled(40, 4).shard(1, 2)))
                .pipe("work", item -> item, cpu(2).inputOrder())
                .batch(7, Remainder.KEEP);
    }

    private static List<List<List<Long>>> epochs(Run<List<Long>> run) {
        List<List<List<Long>>> epochs = new ArrayList<>();
        do {
            List<List<Long>> epoch = new ArrayList<>();
            run.forEach(epoch::add);
            epochs.add(epoch);
        } while (run.nextEpoch());
        return epochs;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 4})
    void aRunFromTheStartOfAnEpochDeliversThatEpochAndTheRest(int epoch) {
        List<List<List<Long>>> whole;
        try (Run<List<Long>> run = recipe().start(RunOptions.defaults().epochs(EPOCHS))) {
            whole = epochs(run);
        }
        Checkpoint middle;
        try (Run<List<Long>> run = recipe().start(RunOptions.defaults().epochs(EPOCHS))) {
            run.nextEpoch();
            run.iterator().next();
            middle = run.checkpoint();
        }

        RunOptions options = RunOptions.defaults().epochs(EPOCHS).resumeFrom(middle.startOfEpoch(epoch));
        try (Run<List<Long>> run = recipe().start(options)) {
            assertThat(run.epoch()).isEqualTo(epoch);
            assertThat(epochs(run)).isEqualTo(whole.subList(epoch, EPOCHS));
        }
    }

    @Test
    void whatIsNoCheckpointOrNoEpochIsRefused() {
        assertThatThrownBy(() -> Checkpoint.parse("{}").startOfEpoch(1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Checkpoint.parse("{}").startOfEpoch(-1))
                .hasMessageContaining("epoch must not be negative but was -1");
    }
}
