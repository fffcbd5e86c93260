package org.jspdl.pipeline.resume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jspdl.pipeline.StageOptions.cpu;
import static org.jspdl.pipeline.StageOptions.io;
import static org.jspdl.pipeline.resume.World.TO_THE_END;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Gatherer;
import org.jspdl.pipeline.Checkpoint;
import org.jspdl.pipeline.Gate;
import org.jspdl.pipeline.GathererState;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Remainder;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.pipeline.StoppingStrategy;
import org.jspdl.source.Even;
import org.jspdl.source.Samplers;
import org.jspdl.source.ShardStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What a checkpoint leads to does not depend on how far the run happened to have read ahead.
class ReadAheadTest {
    private static final int ITEMS = 12;
    private static final RunOptions EPOCHS = RunOptions.defaults().epochs(5).computeThreads(2);

    enum Kind {
        SAMPLES {
            @Override
            Pipeline<?> of(Pipeline<Long> samples) {
                return samples;
            }
        },
        MIXED {
            @Override
            Pipeline<?> of(Pipeline<Long> samples) {
                return Pipeline.mix(3, 4, 1)
                        .<Long>of(StoppingStrategy.ALL_EXHAUSTED, samples, Pipeline.from(Samplers.shuffled(9, 4)));
            }
        },
        BATCHES_TAKEN_APART {
            @Override
            Pipeline<?> of(Pipeline<Long> samples) {
                return samples.batch(5, Remainder.KEEP).<Long>unbatch(Tuning.elements());
            }
        },
        WITH_A_STATE {
            @Override
            Pipeline<?> of(Pipeline<Long> samples) {
                Gatherer<Long, long[], Long> sum =
                        Gatherer.ofSequential(() -> new long[1], (state, number, downstream) -> {
                            state[0] += number;
                            return downstream.push(state[0]);
                        });
                return samples.aggregate("sum", sum, GathererState.saved(state -> Long.toString(state[0]), text ->
                        new long[] {Long.parseLong(text)}));
            }
        };

        abstract Pipeline<?> of(Pipeline<Long> samples);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aCheckpointSaysNothingOfEpochsThatWereOnlyReadAhead(Kind kind) {
        Gate read = new Gate();
        read.open();
        Pipeline<?> pipeline = kind.of(
                        Pipeline.from(Samplers.shuffled(ITEMS, 1)).map(read::pass))
                .pipe("work", item -> item, io(1).inputOrder().buffer(200));
        List<List<Object>> whole = Interrupted.never(pipeline, EPOCHS).stream()
                .map(epoch -> List.<Object>copyOf(epoch))
                .toList();
        int before = read.arrivals();

        List<Object> delivered = new ArrayList<>();
        Checkpoint checkpoint;
        try (Run<?> run = pipeline.start(EPOCHS)) {
            for (int i = 0; i < 3; i++) {
                delivered.add(run.iterator().next());
            }
            read.awaitArrivals(before + ITEMS + 1);
            checkpoint = Checkpoint.parse(run.checkpoint().toJson());
        }
        assertThat(checkpoint.toJson())
                .contains("\"epoch\":0")
                .doesNotContainPattern("\"epoch\":[1-9],(?!\"pending\":\"\",\"next\":0[,}])");
        try (Run<?> run = pipeline.start(EPOCHS.resumeFrom(checkpoint))) {
            for (List<Object> epoch : whole) {
                run.forEach(delivered::add);
                assertThat(delivered).isEqualTo(epoch);
                delivered.clear();
                run.nextEpoch();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void otherRanksTakeOverTheSameHoweverFarTheRanksBeforeHadRead(boolean known) {
        List<List<Long>> afterLittle = takenOver(known, 1);
        List<List<Long>> afterMuch = takenOver(known, 200);

        assertThat(afterMuch).isEqualTo(afterLittle);
    }

    /// What each of three ranks delivers after two have had some, by rank and epoch.
    private static List<List<Long>> takenOver(boolean known, int buffer) {
        Held.Count held = new Held.Count();
        List<HeldShard> shards = new ArrayList<>();
        for (int shard = 0; shard < 4; shard++) {
            shards.add(new HeldShard(shard * 15L, 15, known, held));
        }
        ShardStream<Held> stream =
                ShardStream.of(shards).shuffled(1).interleaved(2).window(10).even(Even.REPEAT);
        World.Share<Long> share = (rank, of) -> Pipeline.from(stream.shard(rank, of))
                .map(Held::take)
                .pipe("work", item -> item, cpu(2).inputOrder().buffer(buffer));
        World<Long> two = World.run(share, 2, EPOCHS, Optional.empty(), rank -> 7 + rank);
        World<Long> three = World.run(share, 3, EPOCHS, Optional.of(two.combined()), rank -> TO_THE_END);
        assertThat(held.open()).isZero();
        return three.delivered().stream().flatMap(List::stream).toList();
    }
}
