package org.jspdl.pipeline.resume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.pipeline.StageOptions.cpu;
import static org.jspdl.pipeline.resume.World.TO_THE_END;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Gatherer;
import java.util.stream.Gatherers;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspdl.pipeline.Checkpoint;
import org.jspdl.pipeline.GathererState;
import org.jspdl.pipeline.Order;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Remainder;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.pipeline.StoppingStrategy;
import org.jspdl.source.Even;
import org.jspdl.source.ShardStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Any number of ranks takes over what others have left of streams of shards in the middle of an epoch.
class ElasticShardsTest {
    private static final RunOptions TWO_EPOCHS = RunOptions.defaults().epochs(2).computeThreads(2);
    /// Their least common multiple is [#UNIT], so that no remainder is left out.
    private static final int[] NUMBERS_OF_RANKS = {1, 2, 3, 4, 5, 6, 8};

    private static final int UNIT = 120;

    /// What is made of the numbers of samples: texts of words, each of which comes once.
    enum Kind {
        SAMPLES {
            @Override
            Pipeline<String> pipeline(Pipeline<Long> samples, Tuning tuning) {
                return samples.pipe("work", Tuning.uneven(item -> item + "#0"), tuning.options(Order.COMPLETION));
            }
        },
        PARTS {
            @Override
            Pipeline<String> pipeline(Pipeline<Long> samples, Tuning tuning) {
                return samples.<String>flatMap("parts", Kind::parts, tuning.options(Order.COMPLETION));
            }
        },
        PARTS_BATCHED_AND_TAKEN_APART {
            @Override
            Pipeline<String> pipeline(Pipeline<Long> samples, Tuning tuning) {
                return PARTS.pipeline(samples, tuning).batch(5, Remainder.KEEP).unbatch(Tuning.elements());
            }
        },
        PACKED_IN_WINDOWS {
            @Override
            Pipeline<String> pipeline(Pipeline<Long> samples, Tuning tuning) {
                return PARTS.pipeline(samples, tuning)
                        .aggregate("pack", Gatherers.windowFixed(7), GathererState.emptyAfterEmission())
                        .map(words -> String.join(" ", words));
            }
        },
        PACKED_WITH_A_REST {
            @Override
            Pipeline<String> pipeline(Pipeline<Long> samples, Tuning tuning) {
                return packed(samples).map(words -> String.join(" ", words));
            }
        },
        PACKED_WITH_A_REST_AND_TAKEN_APART {
            @Override
            Pipeline<String> pipeline(Pipeline<Long> samples, Tuning tuning) {
                return packed(samples)
                        .pipe("work", Tuning.uneven(words -> words), tuning.options(Order.COMPLETION))
                        .<String>unbatch(Tuning.elements())
                        .batch(3, Remainder.KEEP)
                        .unbatch(Tuning.elements());
            }
        };

        abstract Pipeline<String> pipeline(Pipeline<Long> samples, Tuning tuning);

        private static Pipeline<List<String>> packed(Pipeline<Long> samples) {
            return samples.aggregate(
                    "pack",
                    packing(),
                    GathererState.savedRest(
                            rest -> String.join("\n", rest),
                            text -> new ArrayList<>(text.lines().toList())));
        }

        private static Gatherer<Long, List<String>, List<String>> packing() {
            return Gatherer.ofSequential(
                    ArrayList::new,
                    (rest, item, downstream) -> {
                        rest.addAll(parts(item));
                        while (rest.size() >= 6) {
                            List<String> pack = rest.subList(0, 6);
                            downstream.push(List.copyOf(pack));
                            pack.clear();
                        }
                        return true;
                    },
                    (rest, downstream) -> {
                        if (!rest.isEmpty()) {
                            downstream.push(List.copyOf(rest));
                        }
                    });
        }

        private static List<String> parts(Long item) {
            return LongStream.range(0, 1 + item % 4)
                    .mapToObj(part -> item + "#" + part)
                    .toList();
        }
    }

    /// Shards of random sizes, mixed in a random way.
    static ShardStream<Held> shards(Random random, Held.Count held, long first, int total, Even even) {
        boolean blocks = random.nextInt(3) == 0;
        boolean known = blocks || random.nextBoolean();
        List<HeldShard> shards = new ArrayList<>();
        int next = 0;
        while (next < total) {
            int size = Math.min(total - next, random.nextInt(2 + total / 3));
            shards.add(new HeldShard(first + next, size, known, held));
            next += size;
        }
        ShardStream<Held> stream = ShardStream.of(shards)
                .shuffled(random.nextLong())
                .interleaved(1 + random.nextInt(5))
                .window(1 + random.nextInt(40))
                .even(even == Even.COUNT && !known ? Even.UNEVEN : even);
        return blocks ? stream.blocks(1 + random.nextInt(9)) : stream;
    }

    static List<String> words(List<String> delivered) {
        return delivered.stream().flatMap(text -> Stream.of(text.split(" "))).toList();
    }

    static Stream<Arguments> kindsAndSeeds() {
        return Stream.of(Kind.values())
                .flatMap(
                        kind -> LongStream.range(0, Campaign.scale(2, 350)).mapToObj(seed -> Arguments.of(kind, seed)));
    }

    @ParameterizedTest
    @MethodSource("kindsAndSeeds")
    void whateverNumbersOfRanksFollowEachOtherEverySampleOfAnyShardsIsDeliveredOnce(Kind kind, long seed) {
        Random random = new Random(seed);
        Tuning tuning = new Tuning(seed);
        Even even = Even.values()[random.nextInt(Even.values().length)];
        int total = UNIT * (1 + random.nextInt(2));
        Held.Count held = new Held.Count();
        ShardStream<Held> stream = shards(random, held, 0, total, even);
        ShardStream<Held> second = shards(random, held, total, UNIT, even);
        boolean mixed = random.nextInt(3) == 0;
        World.Share<String> share = (rank, of) -> {
            Pipeline<Long> samples = Pipeline.from(stream.shard(rank, of)).map(Held::take);
            if (mixed) {
                Pipeline<Long> others = Pipeline.from(second.shard(rank, of)).map(Held::take);
                samples = Pipeline.mix(5, 2, 1).of(StoppingStrategy.ALL_EXHAUSTED, samples, others);
            }
            return kind.pipeline(samples, tuning).prefetch(tuning.sink());
        };
        List<List<String>> delivered = chain(random, share, total, worldSize -> NUMBERS_OF_RANKS[worldSize]);
        List<String> whole = words(World.run(share, 1, TWO_EPOCHS, Optional.empty(), rank -> TO_THE_END)
                .epoch(0));

        for (List<String> epoch : delivered) {
            assertThat(words(epoch))
                    .as("seed %d, %s, %s", seed, kind, stream)
                    .containsExactlyInAnyOrderElementsOf(whole);
        }
        assertThat(held.open()).as("samples that nobody closed").isZero();
    }

    static LongStream seeds() {
        return LongStream.range(0, Campaign.scale(4, 1_000));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void unevenRanksUpToSixteenDeliverEverySampleOfAnyNumberOnce(long seed) {
        Random random = new Random(seed);
        Tuning tuning = new Tuning(seed);
        int total = 1 + random.nextInt(200);
        Held.Count held = new Held.Count();
        ShardStream<Held> stream = shards(random, held, 0, total, Even.UNEVEN);
        World.Share<String> share = (rank, of) ->
                Kind.SAMPLES.pipeline(Pipeline.from(stream.shard(rank, of)).map(Held::take), tuning);
        List<List<String>> delivered = chain(random, share, total, _ -> 1 + random.nextInt(16));

        for (List<String> epoch : delivered) {
            assertThat(epoch).as("seed %d, %s", seed, stream).hasSize(total).doesNotHaveDuplicates();
        }
    }

    /// Numbers of ranks that follow each other, each killed somewhere, the last not: what was delivered by epoch,
    /// up to the checkpoints.
    private static List<List<String>> chain(
            Random random, World.Share<String> share, int total, java.util.function.IntUnaryOperator worldSizes) {
        List<List<String>> delivered = List.of(new ArrayList<>(), new ArrayList<>());
        Optional<Checkpoint> from = Optional.empty();
        int changes = 2 + random.nextInt(5);
        for (int change = 0; change <= changes; change++) {
            int worldSize = worldSizes.applyAsInt(random.nextInt(NUMBERS_OF_RANKS.length));
            boolean last = change == changes;
            int most = 2 + total * (1 + random.nextInt(3)) / 3 / worldSize;
            World<String> world =
                    World.run(share, worldSize, TWO_EPOCHS, from, rank -> last ? TO_THE_END : random.nextInt(most));
            delivered.get(0).addAll(world.epoch(0));
            delivered.get(1).addAll(world.epoch(1));
            from = Optional.of(world.combined());
        }
        return delivered;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 7})
    void whatIsLeftIsSharedOutEvenlyAndFromFewShards(int resumedOn) {
        Held.Count held = new Held.Count();
        List<HeldShard> shards = new ArrayList<>();
        for (int shard = 0; shard < 64; shard++) {
            shards.add(new HeldShard(shard * 100L, 100, true, held));
        }
        ShardStream<Held> stream =
                ShardStream.of(shards).shuffled(3).interleaved(4).window(50);
        World.Share<Long> share = (rank, of) ->
                Pipeline.from(stream.shard(rank, of)).map(Held::take).pipe(item -> item, cpu(2));
        RunOptions once = RunOptions.defaults().epochs(1);
        World<Long> before = World.run(share, 4, once, Optional.empty(), rank -> 200 + 100 * rank);
        long opened = held.opened();
        World<Long> after = World.run(share, resumedOn, once, Optional.of(before.combined()), rank -> TO_THE_END);

        List<Integer> counts = after.delivered().stream()
                .map(epochs -> epochs.getFirst().size())
                .toList();
        int left = 6_400 - before.epoch(0).size();
        assertThat(counts).allMatch(count -> count == left / resumedOn || count == left / resumedOn + 1);
        List<Long> all = new ArrayList<>(before.epoch(0));
        all.addAll(after.epoch(0));
        assertThat(all).hasSize(6_400).doesNotHaveDuplicates();
        // every shard once, and those that two ranks share, or that were open before, once more
        assertThat(held.opened() - opened).isLessThanOrEqualTo(64 + 4 * 4 + 2 * resumedOn);
    }

    @Test
    void aChangeOfRanksIsPartOfEveryLaterCheckpointOfTheEpoch() {
        Held.Count held = new Held.Count();
        ShardStream<Held> stream = ShardStream.of(
                        List.of(new HeldShard(0, 50, true, held), new HeldShard(50, 50, true, held)))
                .shuffled(1)
                .interleaved(2)
                .window(10);
        World.Share<Long> share = (rank, of) ->
                Pipeline.from(stream.shard(rank, of)).map(Held::take).pipe(item -> item, cpu(2).inputOrder());
        World<Long> two = World.run(share, 2, TWO_EPOCHS, Optional.empty(), rank -> 10);
        World<Long> four = World.run(share, 4, TWO_EPOCHS, Optional.of(two.combined()), rank -> 5);
        List<Long> delivered = new ArrayList<>(two.epoch(0));
        delivered.addAll(four.epoch(0));
        for (int rank = 0; rank < 4; rank++) {
            RunOptions own = TWO_EPOCHS.resumeFrom(four.checkpoints().get(rank));
            try (Run<Long> run = share.of(rank, 4).start(own)) {
                run.forEach(delivered::add);
                assertThat(run.checkpoint().toJson()).doesNotContain("\"shares\"");
            }
        }

        assertThat(delivered).hasSize(100).doesNotHaveDuplicates();
    }

    @Test
    void aRankThatFinishedItsEpochAndOneThatDidNotAreTakenOverTogether() {
        Held.Count held = new Held.Count();
        for (Even even : List.of(Even.STOP_TOGETHER, Even.REPEAT)) {
            ShardStream<Held> unknown = ShardStream.of(
                            List.of(new HeldShard(0, 31, false, held), new HeldShard(31, 29, false, held)))
                    .shuffled(1)
                    .window(10)
                    .even(even);
            World.Share<Long> share = (rank, of) ->
                    Pipeline.from(unknown.shard(rank, of)).map(Held::take).pipe(item -> item, cpu(1));
            World<Long> three = World.run(share, 3, TWO_EPOCHS, Optional.empty(), rank -> new int[] {25, 7, 20}[rank]);
            World<Long> two = World.run(share, 2, TWO_EPOCHS, Optional.of(three.combined()), rank -> TO_THE_END);

            for (int epoch = 0; epoch < 2; epoch++) {
                List<Long> delivered = new ArrayList<>(three.epoch(epoch));
                delivered.addAll(two.epoch(epoch));
                assertThat(delivered)
                        .as("%s, epoch %d", even, epoch)
                        .hasSize(60)
                        .doesNotHaveDuplicates();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0,", "0,0,", "9,0,2,0,0,", "1,0,0,0,0,", "0,0,2,0,0,99,0,0,0,0,", "x"})
    void aPlaceThatNoStreamHasIsRefused(String state) {
        ShardStream<Held> stream = ShardStream.of(List.of(new HeldShard(0, 5, true, new Held.Count())))
                .shard(0, 2);

        assertThatThrownBy(() -> stream.open(0, new org.jspdl.source.Position(1_000, state)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theCheckpointOfManyShardsIsSmall() {
        Held.Count held = new Held.Count();
        List<HeldShard> shards = new ArrayList<>();
        for (int shard = 0; shard < 10_000; shard++) {
            shards.add(new HeldShard(shard * 1_000L, 1_000, true, held));
        }
        ShardStream<Held> stream =
                ShardStream.of(shards).shuffled(3).interleaved(16).window(1_024);
        World.Share<Long> share =
                (rank, of) -> Pipeline.from(stream.shard(rank, of)).map(Held::take);
        RunOptions once = RunOptions.defaults().epochs(1);
        World<Long> eight = World.run(share, 8, once, Optional.empty(), rank -> 500);
        World<Long> six = World.run(share, 6, once, Optional.of(eight.combined()), rank -> 500);
        List<Integer> sizes = six.checkpoints().stream()
                .map(checkpoint -> checkpoint.toJson().length())
                .toList();

        System.out.println("bytes of checkpoints of 10,000 shards after 8 ranks became 6: " + sizes);
        assertThat(sizes).allMatch(size -> size < 30_000);
    }
}
