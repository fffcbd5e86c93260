package org.jspdl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jspdl.pipeline.StageOptions.io;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspdl.source.Samplers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Randomness that belongs to the item, whoever works on it.
class SeededTest {
    private static final RunOptions TWO_EPOCHS =
            RunOptions.defaults().epochs(2).seed(5).computeThreads(8);

    private static Pipeline<List<String>> augmenting(StageOptions options) {
        return Pipeline.from(Samplers.shuffled(90, 3))
                .pipeSeeded("flip", SeededTest::drawn, options)
                .pipeSeeded("crop", SeededTest::drawn, options)
                .batch(8, Remainder.KEEP)
                .pipeSeeded("mix", SeededTest::drawn, options)
                .map(List::of);
    }

    private static String drawn(Object item, RandomGenerator random) {
        Runs.dawdle(System.identityHashCode(item) % 3);
        return item + " " + random.nextLong();
    }

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#ordered")
    void inInputOrderTheStreamOfBatchesIsTheSameToTheBitWhateverRunsIt(Setting setting) {
        assertThat(Runs.epochs(augmenting(setting.options()), TWO_EPOCHS))
                .isEqualTo(Runs.epochs(augmenting(io(1)), TWO_EPOCHS));
    }

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#ordered")
    void afterAResumeAnywhereTheStreamOfBatchesGoesOnTheSameToTheBit(Setting setting) {
        Pipeline<List<String>> pipeline = augmenting(setting.options());
        List<List<List<String>>> whole = Runs.epochs(augmenting(io(1)), TWO_EPOCHS);
        for (int taken = 1; taken < whole.getFirst().size(); taken += 4) {
            List<List<String>> first = new ArrayList<>();
            Checkpoint checkpoint;
            try (Run<List<String>> run = pipeline.start(TWO_EPOCHS)) {
                first.addAll(Runs.take(run, taken));
                checkpoint = Checkpoint.parse(run.checkpoint().toJson());
            }
            List<List<List<String>>> rest = Runs.epochs(pipeline, TWO_EPOCHS.resumeFrom(checkpoint));
            first.addAll(rest.getFirst());
            assertThat(first).as("after %d", taken).isEqualTo(whole.getFirst());
            assertThat(rest.getLast()).as("after %d", taken).isEqualTo(whole.getLast());
        }
    }

    @Test
    void samplesEpochsStagesAndSeedsDrawNumbersOfTheirOwn() {
        Pipeline<Long> draws =
                Pipeline.from(Samplers.sequential(500)).pipeSeeded("one", (item, random) -> random.nextLong(), io(1));
        Pipeline<Long> others =
                Pipeline.from(Samplers.sequential(500)).pipeSeeded("two", (item, random) -> random.nextLong(), io(1));
        List<Long> all = new ArrayList<>();
        Runs.epochs(draws, RunOptions.defaults().epochs(2).seed(1)).forEach(all::addAll);
        all.addAll(Runs.deliveries(draws, RunOptions.defaults().seed(2)));
        all.addAll(Runs.deliveries(others, RunOptions.defaults().seed(1)));

        assertThat(new HashSet<>(all)).hasSize(4 * 500);
    }
}
