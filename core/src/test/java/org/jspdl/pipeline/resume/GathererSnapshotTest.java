package org.jspdl.pipeline.resume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.pipeline.resume.World.TO_THE_END;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Gatherer;
import org.jspdl.pipeline.Checkpoint;
import org.jspdl.pipeline.GathererState;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.PipelineException;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.source.Samplers;
import org.jspdl.source.Source;
import org.junit.jupiter.api.Test;

class GathererSnapshotTest {
    @Test
    void aRunningSumGoesOnFromWhereItWas() {
        Pipeline<Long> sums = sums(Samplers.sequential(10), sum -> Long.toString(sum[0]));
        List<Long> delivered = new ArrayList<>();
        Checkpoint checkpoint;
        try (Run<Long> run = sums.start()) {
            run.stream().limit(4).forEach(delivered::add);
            checkpoint = run.checkpoint();
        }
        try (Run<Long> run = sums.start(RunOptions.defaults().resumeFrom(checkpoint))) {
            run.forEach(delivered::add);
        }
        assertThat(delivered).containsExactly(0L, 1L, 3L, 6L, 10L, 15L, 21L, 28L, 36L, 45L);
    }

    @Test
    void anEpochBeginsWithTheInitialStateAlsoAfterAResume() {
        Pipeline<Long> sums = sums(Samplers.sequential(3), sum -> Long.toString(sum[0]));
        Checkpoint checkpoint;
        try (Run<Long> run = sums.start(RunOptions.defaults().epochs(2))) {
            run.iterator().next();
            checkpoint = run.checkpoint();
        }
        List<List<Long>> epochs =
                Interrupted.never(sums, RunOptions.defaults().epochs(2).resumeFrom(checkpoint));

        assertThat(epochs).containsExactly(List.of(1L, 3L), List.of(0L, 1L, 3L));
    }

    @Test
    void aStateThatCannotBeReadIsRefusedAtTheStart() {
        Pipeline<Long> sums = sums(Samplers.sequential(10), sum -> "sum " + sum[0]);
        Checkpoint checkpoint;
        try (Run<Long> run = sums.start()) {
            run.iterator().next();
            checkpoint = run.checkpoint();
        }
        assertThatThrownBy(() -> sums.start(RunOptions.defaults().resumeFrom(checkpoint)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("stage 'sum' can't read its state")
                .hasMessageContaining("sum 0");
    }

    @Test
    void aFunctionThatCannotWriteTheStateStopsTheRunByName() {
        Pipeline<Long> sums = sums(Samplers.sequential(10), sum -> {
            throw new IllegalStateException("no ink");
        });
        try (Run<Long> run = sums.start()) {
            assertThatThrownBy(() -> run.forEach(sum -> {}))
                    .isInstanceOf(PipelineException.class)
                    .hasMessageContaining("stage 'sum' can't write its state: no ink");
        }
    }

    @Test
    void aStateBelongsToItsRank() {
        World<Long> before = World.run(
                (rank, of) -> sums(Samplers.sequential(20).shard(rank, of), sum -> Long.toString(sum[0])),
                2,
                RunOptions.defaults().epochs(1),
                Optional.empty(),
                rank -> 3);
        assertThatThrownBy(before::combined)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("stage 'sum' of rank 0")
                .hasMessageContaining("between epochs");
    }

    @Test
    void ranksThatHaveEndedAnEpochCanBeCombined() {
        World<Long> before = World.run(
                (rank, of) -> sums(Samplers.sequential(20).shard(rank, of), sum -> Long.toString(sum[0])),
                2,
                RunOptions.defaults().epochs(1),
                Optional.empty(),
                rank -> TO_THE_END);
        assertThat(before.combined().toJson()).doesNotContain("states");
    }

    private static Pipeline<Long> sums(Source<Long> numbers, Function<long[], String> write) {
        Gatherer<Long, long[], Long> sum = Gatherer.ofSequential(() -> new long[1], (state, number, downstream) -> {
            state[0] += number;
            return downstream.push(state[0]);
        });
        return Pipeline.from(numbers).aggregate("sum", sum, GathererState.saved(write, text ->
                new long[] {Long.parseLong(text)}));
    }
}
