package org.jspdl.pipeline.resume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.LongStream;
import org.jspdl.pipeline.Checkpoint;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.pipeline.StageOptions;
import org.jspdl.source.ShardStream;
import org.jspdl.source.Source;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.Test;

/// Streams of shards, of which a place belongs to its rank, while the number of ranks changes.
class RanksOfShardsTest {
    private static final int SHARDS = 12;
    private static final int ITEMS = 10;

    private static Pipeline<Long> loading(int rank, int worldSize) {
        List<Source<Long>> shards = new ArrayList<>();
        for (int shard = 0; shard < SHARDS; shard++) {
            long first = shard * (long) ITEMS;
            shards.add(Sources.indexed(ITEMS, index -> first + index));
        }
        return Pipeline.from(ShardStream.of(shards)
                        .shuffled(3)
                        .interleaved(3)
                        .window(20)
                        .shard(rank, worldSize))
                .pipe("work", item -> item, StageOptions.cpu(2).inputOrder());
    }

    /// What a rank left when it had delivered `items` of its first epoch.
    private static Checkpoint after(int items, int rank, int worldSize) {
        try (Run<Long> run =
                loading(rank, worldSize).start(RunOptions.defaults().epochs(3))) {
            Iterator<Long> delivered = run.iterator();
            for (int i = 0; i < items; i++) {
                delivered.next();
            }
            return run.checkpoint();
        }
    }

    @Test
    void anotherNumberOfRanksTakesOverAtTheBeginningOfAnEpoch() {
        Checkpoint left = after(25, 1, 2);
        List<Long> together = new ArrayList<>();
        for (int rank = 0; rank < 3; rank++) {
            RunOptions options = RunOptions.defaults().epochs(2).resumeFrom(left.startOfEpoch(1));
            try (Run<Long> run = loading(rank, 3).start(options)) {
                run.forEach(together::add);
                assertThat(run.epoch()).isEqualTo(1);
            }
        }
        assertThat(together)
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.range(0, SHARDS * ITEMS).boxed().toList());
    }

    @Test
    void withinAnEpochAnotherNumberOfRanksNeedsTheCheckpointsOfAll() {
        Checkpoint left = after(25, 0, 2);

        assertThatThrownBy(() -> {
                    try (Run<Long> run =
                            loading(0, 3).start(RunOptions.defaults().epochs(3).resumeFrom(left))) {
                        run.forEach(item -> {});
                    }
                })
                .hasStackTraceContaining("the checkpoint is of rank 0 of 2 but the source is rank 0 of 3")
                .hasStackTraceContaining("combine the checkpoints of all ranks");
        assertThatThrownBy(() -> Checkpoint.combine(List.of(left, after(25, 0, 2))))
                .hasMessageContaining("the checkpoint of every rank is needed once");
    }
}
