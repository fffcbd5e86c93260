package org.jspdl.pipeline.resume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jspdl.pipeline.resume.World.TO_THE_END;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntUnaryOperator;
import java.util.stream.LongStream;
import org.jspdl.pipeline.Checkpoint;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.pipeline.StoppingStrategy;
import org.jspdl.source.Even;
import org.jspdl.source.ShardStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Chains of numbers of ranks, from 1 to 16, over any number of samples, which the ranks need not divide: what is left
/// out and what comes twice is what the way to match promises, wherever ranks are killed.
class ElasticChainsTest {
    private static final RunOptions TWO_EPOCHS = RunOptions.defaults().epochs(2).computeThreads(2);

    static LongStream seeds() {
        // these lost the last round while all that was not delivered was a rest, or parts of samples
        LongStream found = LongStream.of(77, 281, 1_073, 1_799);
        return LongStream.concat(found, LongStream.range(0, Campaign.scale(12, 2_000)));
    }

    /// A stream of which a chain of numbers of ranks reads samples `first` to `first + size - 1`.
    private record Read(ShardStream<Held> stream, Even even, int first, int size) {
        boolean known() {
            return stream.size().isPresent();
        }

        boolean has(long sample) {
            return sample >= first && sample < first + size;
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void noMoreIsLeftOutAndNoMoreComesTwiceThanTheWayToMatchSays(long seed) {
        Random random = new Random(seed);
        Tuning tuning = new Tuning(seed);
        ElasticShardsTest.Kind kind = ElasticShardsTest.Kind.values()[(int) (seed % 6)];
        Held.Count held = new Held.Count();
        List<Read> reads = new ArrayList<>();
        int total = 0;
        for (int source = random.nextInt(3) / 2; source >= 0; source--) {
            int size = 1 + random.nextInt(random.nextBoolean() ? 30 : 200);
            Even asked = Even.values()[random.nextInt(Even.values().length)];
            ShardStream<Held> stream = ElasticShardsTest.shards(random, held, total, size, asked);
            Even even = asked == Even.COUNT && stream.size().isEmpty() ? Even.UNEVEN : asked;
            reads.add(new Read(stream, even, total, size));
            total += size;
        }
        World.Share<String> share = (rank, of) -> {
            List<Pipeline<Long>> inputs = reads.stream()
                    .map(read -> Pipeline.from(read.stream.shard(rank, of)).map(Held::take))
                    .toList();
            Pipeline<Long> samples = inputs.size() == 1
                    ? inputs.getFirst()
                    : Pipeline.mix(5, 2, 1).of(StoppingStrategy.ALL_EXHAUSTED, inputs.get(0), inputs.get(1));
            return kind.pipeline(samples, tuning).prefetch(tuning.sink());
        };
        List<World<String>> worlds = chain(random, share, total);

        String ranks = worlds.stream().map(each -> each.checkpoints().size()).toList() + " ranks";
        for (int epoch = 0; epoch < 2; epoch++) {
            for (Read read : reads) {
                requireAsPromised(
                        "seed %d, %s, epoch %d, %s, %s".formatted(seed, kind, epoch, read, ranks), worlds, epoch, read);
            }
        }
        assertThat(held.open()).as("seed %d: samples that nobody closed", seed).isZero();
    }

    /// Worlds that follow each other. A rank is killed anywhere, often when it has read to the end, or to within a
    /// few samples of it.
    private static List<World<String>> chain(Random random, World.Share<String> share, int total) {
        List<World<String>> worlds = new ArrayList<>();
        Optional<Checkpoint> from = Optional.empty();
        int changes = 1 + random.nextInt(5);
        for (int change = 0; change <= changes; change++) {
            int worldSize = 1 + random.nextInt(16);
            int each = 1 + total / worldSize;
            int way = change == changes ? 0 : 1 + random.nextInt(4);
            IntUnaryOperator most = rank -> switch (way) {
                case 0 -> TO_THE_END;
                case 1 -> random.nextInt(1 + each);
                case 2 -> Math.max(0, each - random.nextInt(3));
                case 3 -> random.nextInt(3) == 0 ? random.nextInt(1 + each) : each;
                default -> random.nextInt(1 + 2 * each);
            };
            World<String> world = World.run(share, worldSize, TWO_EPOCHS, from, most);
            worlds.add(world);
            from = Optional.of(world.combined());
        }
        return worlds;
    }

    private static void requireAsPromised(String name, List<World<String>> worlds, int epoch, Read read) {
        Map<Long, Map<String, Integer>> samples = new TreeMap<>();
        // the numbers of ranks that may have begun the epoch: one that has delivered nothing of it may have
        // read ahead
        Set<Integer> begun = new TreeSet<>();
        int ofFirst = 0;
        for (World<String> world : worlds) {
            Set<Long> numbers = new TreeSet<>();
            for (String word : ElasticShardsTest.words(world.epoch(epoch))) {
                long sample = Long.parseLong(word.substring(0, word.indexOf('#')));
                if (read.has(sample)) {
                    samples.computeIfAbsent(sample, _ -> new TreeMap<>()).merge(word, 1, Integer::sum);
                    numbers.add(sample);
                }
            }
            if (ofFirst == 0) {
                begun.add(world.checkpoints().size());
                ofFirst = numbers.size();
            }
        }
        int leftOut = read.size - samples.size();
        long twice = samples.values().stream()
                .mapToLong(words -> words.values().iterator().next() - 1)
                .sum();
        assertThat(samples.values())
                .as("%s: samples of which all words come equally often", name)
                .allMatch(words -> words.values().stream().distinct().count() == 1);
        List<Integer> remainders =
                begun.stream().map(ranks -> read.size % ranks).toList();
        switch (read.even) {
            case UNEVEN -> assertThat(List.of(leftOut, twice)).as(name).isEqualTo(List.of(0, 0L));
            case REPEAT -> {
                int most = begun.stream()
                        .mapToInt(ranks -> Math.floorMod(-read.size, ranks))
                        .max()
                        .orElseThrow();
                assertThat(leftOut).as(name).isZero();
                assertThat(twice).as(name).isBetween(0L, (long) most);
            }
            case COUNT, STOP_TOGETHER -> {
                assertThat(twice).as(name).isZero();
                if (read.known()) {
                    assertThat(leftOut).as(name).isIn(remainders);
                } else if (leftOut > 0) {
                    // only if the ranks that began it have read it to the end
                    assertThat(leftOut).as(name).isIn(remainders).isEqualTo(read.size - ofFirst);
                }
            }
        }
    }
}
