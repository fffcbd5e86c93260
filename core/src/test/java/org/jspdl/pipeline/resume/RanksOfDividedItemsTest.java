package org.jspdl.pipeline.resume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.pipeline.StageOptions.cpu;
import static org.jspdl.pipeline.resume.World.TO_THE_END;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspdl.pipeline.Checkpoint;
import org.jspdl.pipeline.FailurePolicy;
import org.jspdl.pipeline.Order;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.PipelineException;
import org.jspdl.pipeline.Remainder;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.pipeline.StoppingStrategy;
import org.jspdl.source.Samplers;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Another number of ranks takes over items of which a part is delivered, groups of such items, and seeded merges.
@Tag("slow")
class RanksOfDividedItemsTest {
    /// A multiple of every number of ranks used here, so that there is no remainder.
    private static final int SIZE = 120;
    private static final RunOptions TWO_EPOCHS = RunOptions.defaults().epochs(2).computeThreads(2);
    private static final int[] NUMBERS_OF_RANKS = {1, 2, 3, 5, 8};

    /// A recipe whose items are texts that tell every part of every sample.
    enum Kind {
        PARTS {
            @Override
            Pipeline<String> pipeline(Pipeline<Long> samples, Tuning tuning) {
                return samples.<String>flatMap("parts", Kind::parts, tuning.options(Order.COMPLETION));
            }
        },
        BATCHES_TAKEN_APART {
            @Override
            Pipeline<String> pipeline(Pipeline<Long> samples, Tuning tuning) {
                return samples.pipe("work", Tuning.uneven(item -> item + "#0"), tuning.options(Order.COMPLETION))
                        .batch(4, Remainder.KEEP)
                        .unbatch(Tuning.elements());
            }
        },
        PARTS_BATCHED_AND_TAKEN_APART {
            @Override
            Pipeline<String> pipeline(Pipeline<Long> samples, Tuning tuning) {
                return samples.<String>flatMap("parts", Kind::parts, tuning.options(Order.COMPLETION))
                        .batch(5, Remainder.KEEP)
                        .unbatch(Tuning.elements());
            }
        },
        MIX {
            @Override
            Pipeline<String> pipeline(Pipeline<Long> samples, Tuning tuning) {
                return Pipeline.mix(3, 1, 3)
                        .of(
                                StoppingStrategy.ALL_EXHAUSTED,
                                samples.map(item -> item + "#0"),
                                samples.map(item -> item + "#1"));
            }
        },
        ROUND_ROBIN_OF_PARTS {
            @Override
            Pipeline<String> pipeline(Pipeline<Long> samples, Tuning tuning) {
                Pipeline<String> single = samples.map(item -> item + "#one");
                return Pipeline.roundRobin(StoppingStrategy.ALL_EXHAUSTED, PARTS.pipeline(samples, tuning), single);
            }
        };

        abstract Pipeline<String> pipeline(Pipeline<Long> samples, Tuning tuning);

        private static List<String> parts(Long item) {
            return LongStream.range(0, 1 + item % 4)
                    .mapToObj(part -> item + "#" + part)
                    .toList();
        }
    }

    static Stream<Arguments> recipesAndSeeds() {
        return Stream.of(Kind.values())
                .flatMap(
                        kind -> LongStream.range(0, Campaign.scale(8, 300)).mapToObj(seed -> Arguments.of(kind, seed)));
    }

    @ParameterizedTest
    @MethodSource("recipesAndSeeds")
    void whateverNumbersOfRanksFollowEachOtherEveryPartIsDeliveredOnce(Kind kind, long seed) {
        Random random = new Random(seed);
        Tuning tuning = new Tuning(seed);
        World.Share<String> share = (rank, of) -> kind.pipeline(
                        Pipeline.from(Samplers.shuffled(SIZE, 11).shard(rank, of)), tuning)
                .prefetch(tuning.sink());
        World<String> whole = World.run(share, 1, TWO_EPOCHS, Optional.empty(), rank -> TO_THE_END);
        List<List<String>> delivered = List.of(new ArrayList<>(), new ArrayList<>());
        Optional<Checkpoint> from = Optional.empty();
        for (int change = 0; change < 6; change++) {
            int worldSize = NUMBERS_OF_RANKS[random.nextInt(NUMBERS_OF_RANKS.length)];
            boolean last = change == 5;
            World<String> world = World.run(
                    share,
                    worldSize,
                    TWO_EPOCHS,
                    from,
                    rank -> last ? TO_THE_END : random.nextInt(1 + SIZE / worldSize));
            delivered.get(0).addAll(world.epoch(0));
            delivered.get(1).addAll(world.epoch(1));
            from = Optional.of(world.combined());
        }
        for (int epoch = 0; epoch < 2; epoch++) {
            assertThat(delivered.get(epoch))
                    .as("%s, seed %d, epoch %d", kind, seed, epoch)
                    .containsExactlyInAnyOrderElementsOf(whole.epoch(epoch));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a,1:2:3", "[0:0:7]", ",0:0:0,", "%2c0:0:1", "a>b#0@1", "[-:0:]"})
    void aStageMayHaveAnyNameEvenOneThatLooksLikeAPlaceOfASource(String name) {
        World.Share<String> share =
                (rank, of) -> Pipeline.from(Samplers.sequential(SIZE).shard(rank, of))
                        .<String>flatMap(name, Kind::parts, cpu(2))
                        .batch(4, Remainder.KEEP)
                        .unbatch(Tuning.elements())
                        .<String>flatMap(name + "2", part -> List.of(part + "!", part + "?"), cpu(2));
        World<String> whole = World.run(share, 1, TWO_EPOCHS, Optional.empty(), rank -> TO_THE_END);
        List<String> delivered = new ArrayList<>();
        Optional<Checkpoint> from = Optional.empty();
        int[] worldSizes = {2, 3, 5, 1, 2};
        for (int change = 0; change < worldSizes.length; change++) {
            boolean last = change == worldSizes.length - 1;
            World<String> world =
                    World.run(share, worldSizes[change], TWO_EPOCHS, from, rank -> last ? TO_THE_END : 13 + 2 * rank);
            delivered.addAll(world.epoch(0));
            from = Optional.of(world.combined());
        }

        assertThat(delivered).containsExactlyInAnyOrderElementsOf(whole.epoch(0));
    }

    @Test
    void ranksGoOnWithTheFailuresThatTheyHadOnAverage() {
        Set<Long> bad = Set.of(1L, 3L, 100L, 101L);
        World.Share<Long> share =
                (rank, of) -> Pipeline.from(Samplers.sequential(SIZE).shard(rank, of))
                        .pipe("work", item -> failing(item, bad), cpu(1).failures(FailurePolicy.skip(2)));
        // Rank 1 of 2 skips 1 and 3 before it delivers 5, rank 0 skips nothing: 1 on average, and 2 more are
        // one too many.
        World<Long> before = World.run(share, 2, RunOptions.defaults().epochs(1), Optional.empty(), rank -> 1);
        assertThat(before.epoch(0)).containsExactly(0L, 5L);

        assertThatThrownBy(() -> World.run(
                        share, 1, RunOptions.defaults().epochs(1), Optional.of(before.combined()), rank -> TO_THE_END))
                .isInstanceOf(PipelineException.class)
                .hasMessageContaining("3 items failed, more than the 2 allowed");
    }

    private static Long failing(Long item, Set<Long> bad) {
        if (bad.contains(item)) {
            throw new IllegalStateException("bad item " + item);
        }
        return item;
    }
}
