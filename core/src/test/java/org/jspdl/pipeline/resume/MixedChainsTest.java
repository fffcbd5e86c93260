package org.jspdl.pipeline.resume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jspdl.pipeline.resume.World.TO_THE_END;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntUnaryOperator;
import java.util.stream.Gatherer;
import java.util.stream.Gatherers;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspdl.pipeline.Checkpoint;
import org.jspdl.pipeline.GathererState;
import org.jspdl.pipeline.Order;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Remainder;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.pipeline.StoppingStrategy;
import org.jspdl.source.BalancedBatchSampler;
import org.jspdl.source.Even;
import org.jspdl.source.SampleCost;
import org.jspdl.source.Sampler;
import org.jspdl.source.Samplers;
import org.jspdl.source.ShardStream;
import org.jspdl.source.Subset;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Chains of numbers of ranks over recipes of random steps: samplers that repeat, limit, leave out and draw, beside
/// streams of shards, merged in any way, filtered, divided, packed and batched. Epochs may have fewer samples than
/// there are ranks. What comes is compared with what one rank alone delivers, and ranks that begin an epoch must match.
class MixedChainsTest {
    private static final int EPOCHS = 3;
    private static final RunOptions OPTIONS =
            RunOptions.defaults().epochs(EPOCHS).computeThreads(2);
    private static final long RANGE = 100_000;

    /// A part of a campaign: `-Dseeds.from=100 -Dseeds.to=200`.
    static LongStream seeds() {
        return LongStream.range(Long.getLong("seeds.from", 0), Long.getLong("seeds.to", Campaign.scale(24, 3_000)));
    }

    /// A source of samples of its own range.
    private sealed interface Input {
        Pipeline<Long> of(int rank, int worldSize);

        Even even();

        /// Samples that are dealt together, at most.
        default int together() {
            return 1;
        }

        record Places(Sampler sampler, long first) implements Input {
            @Override
            public Pipeline<Long> of(int rank, int worldSize) {
                return Pipeline.from(sampler.shard(rank, worldSize)).map(index -> first + index);
            }

            @Override
            public Even even() {
                return sampler.even();
            }
        }

        /// @param most samples of a batch
        record Batches(BalancedBatchSampler sampler, Even even, long first, int most) implements Input {
            @Override
            public Pipeline<Long> of(int rank, int worldSize) {
                return Pipeline.from(sampler.even(even).shard(rank, worldSize))
                        .map(batch -> LongStream.of(batch.indices())
                                .map(index -> first + index)
                                .boxed()
                                .toList())
                        .unbatch(Tuning.elements());
            }

            @Override
            public int together() {
                return most;
            }
        }

        /// @param size samples of an epoch
        record Shards(ShardStream<Held> stream, Even even, int size) implements Input {
            @Override
            public Pipeline<Long> of(int rank, int worldSize) {
                return Pipeline.from(stream.shard(rank, worldSize)).map(Held::take);
            }
        }
    }

    private static Input input(Random random, Held.Count held, long first) {
        int size = 1 + random.nextInt(random.nextBoolean() ? 8 : 120);
        Even asked = Even.values()[random.nextInt(Even.values().length)];
        if (random.nextInt(3) == 0) {
            ShardStream<Held> stream = ElasticShardsTest.shards(random, held, first, size, asked);
            boolean told = asked != Even.COUNT || stream.size().isPresent();
            return new Input.Shards(stream, told ? asked : Even.UNEVEN, size);
        }
        long seed = random.nextLong();
        if (random.nextInt(5) == 0) {
            int[] lengths = random.ints(size, 1, 20).toArray();
            SampleCost cost = SampleCost.of(lengths);
            BalancedBatchSampler batches = BalancedBatchSampler.of(size, cost, 40, cost.squared())
                    .window(1 + random.nextInt(6))
                    .shuffled(seed);
            return new Input.Batches(batches, asked, first, 40);
        }
        Sampler sampler = switch (random.nextInt(7)) {
            case 3 -> Samplers.curriculum(weights(random, size), (_, place) -> 1 + place / 10.0, "rising", seed);
            case 4 -> Samplers.shuffled(size - size / 3, seed).within(Subset.range(size / 3, size));
            case 0 -> Samplers.sequential(size);
            case 1 -> Samplers.weighted(weights(random, size), 1 + random.nextInt(2 * size), seed);
            case 2 -> Samplers.weightedWithoutReplacement(weights(random, size), 1 + random.nextInt(size), seed);
            default -> Samplers.shuffled(size, seed);
        };
        if (random.nextInt(3) == 0) {
            sampler = sampler.repeated(1 + random.nextInt(4));
        }
        if (random.nextInt(4) == 0) {
            sampler = sampler.limited(1 + random.nextLong(sampler.places()));
        }
        // not all that an epoch has, which is refused
        if (random.nextInt(4) == 0
                && size > 3
                && sampler.places() > 4
                && sampler.identity().startsWith("s")) {
            sampler = sampler.without(random.nextInt(size), random.nextInt(size));
        }
        return new Input.Places(sampler.even(asked), first);
    }

    private static double[] weights(Random random, int size) {
        return random.doubles(size, 0.1, 5).toArray();
    }

    /// Steps over words, of which a sample is one at first.
    private record Steps(int[] kinds, int[] sizes) {
        static Steps of(Random random) {
            int[] kinds = random.ints(random.nextInt(6), 0, 7).toArray();
            return new Steps(kinds, random.ints(kinds.length, 1, 12).toArray());
        }

        boolean oneToOne() {
            return IntStream.of(kinds).noneMatch(kind -> kind == 1 || kind == 2);
        }

        Pipeline<String> behind(Pipeline<Long> samples, Tuning tuning) {
            Pipeline<String> words = samples.map(Object::toString);
            for (int i = 0; i < kinds.length; i++) {
                int size = sizes[i];
                Order order = size % 2 == 0 ? Order.INPUT : Order.COMPLETION;
                words = switch (kinds[i]) {
                    case 0 -> words.pipe("work", Tuning.uneven(word -> word), tuning.single(order));
                    case 1 -> words.filter(word -> stays(word, size));
                    case 2 -> words.<String>flatMap("parts", word -> parts(word, size), tuning.options(order));
                    case 3 -> words.batch(size, Remainder.KEEP).unbatch(Tuning.elements());
                    case 4 ->
                        words.aggregate("window", Gatherers.windowFixed(size), GathererState.emptyAfterEmission())
                                .unbatch(Tuning.elements());
                    case 5 ->
                        words.aggregate(
                                        "pack",
                                        packing(size),
                                        GathererState.savedRest(
                                                rest -> String.join("\n", rest),
                                                text -> new ArrayList<>(
                                                        text.lines().toList())))
                                .unbatch(Tuning.elements());
                    default ->
                        words.batch(size, Remainder.KEEP)
                                .pipe("batches", Tuning.uneven(batch -> batch), tuning.single(order))
                                .unbatch(Tuning.elements());
                };
            }
            return words;
        }

        /// The words that come of a sample.
        List<String> words(long sample) {
            List<String> words = List.of(Long.toString(sample));
            for (int i = 0; i < kinds.length; i++) {
                int size = sizes[i];
                words = switch (kinds[i]) {
                    case 1 -> words.stream().filter(word -> stays(word, size)).toList();
                    case 2 ->
                        words.stream()
                                .flatMap(word -> parts(word, size).stream())
                                .toList();
                    default -> words;
                };
            }
            return words;
        }

        private static boolean stays(String word, int size) {
            return Math.floorMod(word.hashCode(), 2 + size) != 0;
        }

        private static List<String> parts(String word, int size) {
            return IntStream.rangeClosed(0, Math.floorMod(word.hashCode(), 1 + size % 3))
                    .mapToObj(part -> word + "." + part)
                    .toList();
        }

        private static Gatherer<String, List<String>, List<String>> packing(int size) {
            return Gatherer.ofSequential(
                    ArrayList::new,
                    (rest, word, downstream) -> {
                        rest.add(word);
                        if (rest.size() >= size) {
                            downstream.push(List.copyOf(rest));
                            rest.clear();
                        }
                        return true;
                    },
                    (rest, downstream) -> {
                        if (!rest.isEmpty()) {
                            downstream.push(List.copyOf(rest));
                        }
                    });
        }
    }

    private static Pipeline<Long> merged(List<Pipeline<Long>> inputs, int way) {
        if (inputs.size() == 1) {
            return inputs.getFirst();
        }
        Pipeline<Long> first = inputs.get(0);
        Pipeline<Long> second = inputs.get(1);
        if (inputs.size() == 3) {
            return Pipeline.mix(7, 1, 3, 1).of(StoppingStrategy.ALL_EXHAUSTED, first, second, inputs.get(2));
        }
        return switch (way) {
            case 0 -> Pipeline.mix(5, 4, 1).of(StoppingStrategy.ALL_EXHAUSTED, first, second);
            case 1 -> Pipeline.roundRobin(StoppingStrategy.ALL_EXHAUSTED, first, second);
            default -> Pipeline.merge(first, second);
        };
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void whateverIsReadAndMadeOfItEachSampleComesAsOftenAsTheWayToMatchSays(long seed) {
        Random random = new Random(seed);
        Tuning tuning = new Tuning(seed);
        Held.Count held = new Held.Count();
        List<Input> inputs = new ArrayList<>();
        int count = 1 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            inputs.add(input(random, held, RANGE * (i + 1)));
        }
        Steps steps = Steps.of(random);
        int way = random.nextInt(3);
        World.Share<String> share = (rank, of) -> steps.behind(
                        merged(inputs.stream().map(input -> input.of(rank, of)).toList(), way), tuning)
                .prefetch(tuning.sink());
        int longest = 0;
        for (List<String> epoch : alone(share)) {
            longest = Math.max(longest, epoch.size());
        }
        List<World<String>> worlds = chain(random, share, longest);

        String name = "seed %d, %s ranks, %s, %s"
                .formatted(
                        seed,
                        worlds.stream().map(each -> each.checkpoints().size()).toList(),
                        inputs,
                        List.of(IntStream.of(steps.kinds).boxed().toList()));
        for (int epoch = 0; epoch < EPOCHS; epoch++) {
            for (int i = 0; i < inputs.size(); i++) {
                requireAsPromised(name, worlds, epoch, inputs.get(i), RANGE * (i + 1), steps);
            }
            if (steps.oneToOne() && inputs.stream().allMatch(input -> matches(input, worlds))) {
                requireEqualRanks(name, worlds, epoch);
            }
        }
        assertThat(held.open()).as("%s: samples that nobody closed", name).isZero();
    }

    private static List<List<String>> alone(World.Share<String> share) {
        World<String> one = World.run(share, 1, OPTIONS, Optional.empty(), rank -> TO_THE_END);
        return IntStream.range(0, EPOCHS).mapToObj(one::epoch).toList();
    }

    /// Worlds that follow each other; some go on with as many ranks, each from its own checkpoint.
    private static List<World<String>> chain(Random random, World.Share<String> share, int longest) {
        List<World<String>> worlds = new ArrayList<>();
        int changes = 1 + random.nextInt(6);
        for (int change = 0; change <= changes; change++) {
            boolean own = change > 0 && random.nextInt(4) == 0;
            int worldSize = own ? worlds.getLast().checkpoints().size() : 1 + random.nextInt(16);
            int each = 1 + longest / worldSize;
            int way = change == changes ? 0 : 1 + random.nextInt(5);
            IntUnaryOperator most = rank -> switch (way) {
                case 0 -> TO_THE_END;
                case 1 -> random.nextInt(2);
                case 2 -> Math.max(0, each - random.nextInt(3));
                case 3 -> random.nextInt(3) == 0 ? random.nextInt(1 + each) : each;
                case 4 -> random.nextInt(4) == 0 ? TO_THE_END / 2 : random.nextInt(1 + each);
                default -> random.nextInt(1 + 2 * each);
            };
            worlds.add(
                    own
                            ? resumed(share, worlds.getLast(), most)
                            : World.run(
                                    share,
                                    worldSize,
                                    OPTIONS,
                                    worlds.isEmpty()
                                            ? Optional.empty()
                                            : Optional.of(worlds.getLast().combined()),
                                    most));
        }
        return worlds;
    }

    private static World<String> resumed(World.Share<String> share, World<String> before, IntUnaryOperator most) {
        int worldSize = before.checkpoints().size();
        List<List<List<String>>> delivered = new ArrayList<>();
        List<Checkpoint> checkpoints = new ArrayList<>();
        for (int rank = 0; rank < worldSize; rank++) {
            List<List<String>> epochs = IntStream.range(0, EPOCHS)
                    .<List<String>>mapToObj(_ -> new ArrayList<>())
                    .toList();
            try (Run<String> run = share.of(rank, worldSize)
                    .start(OPTIONS.resumeFrom(before.checkpoints().get(rank)))) {
                World.deliver(run, most.applyAsInt(rank), epochs);
                checkpoints.add(run.checkpoint());
            }
            delivered.add(epochs);
        }
        return new World<>(delivered, checkpoints);
    }

    private static long sample(String word) {
        int end = word.indexOf('.');
        return Long.parseLong(end < 0 ? word : word.substring(0, end));
    }

    /// How often each sample of a range came, of which all words must have come equally often.
    private static Map<Long, Integer> samples(String name, List<String> words, long first, Steps steps) {
        Map<Long, Map<String, Integer>> counts = new TreeMap<>();
        for (String word : words) {
            long sample = sample(word);
            if (sample >= first && sample < first + RANGE) {
                counts.computeIfAbsent(sample, _ -> new TreeMap<>()).merge(word, 1, Integer::sum);
            }
        }
        Map<Long, Integer> samples = new TreeMap<>();
        counts.forEach((sample, ofWords) -> {
            assertThat(ofWords.keySet())
                    .as("%s: words of sample %d", name, sample)
                    .containsExactlyInAnyOrderElementsOf(steps.words(sample));
            assertThat(new TreeSet<>(ofWords.values()))
                    .as("%s: words of sample %d: %s", name, sample, ofWords)
                    .hasSize(1);
            samples.put(sample, ofWords.values().iterator().next());
        });
        return samples;
    }

    private static List<String> wordsOfEpoch(List<World<String>> worlds, int epoch) {
        return worlds.stream().flatMap(world -> world.epoch(epoch).stream()).toList();
    }

    /// How often each sample comes in an epoch of one rank alone.
    private static Map<Long, Integer> whole(Input input, int epoch) {
        Map<Long, Integer> whole = new TreeMap<>();
        try (Run<Long> run = input.of(0, 1).start(OPTIONS)) {
            for (int before = 0; before < epoch; before++) {
                run.forEach(_ -> {});
                run.nextEpoch();
            }
            run.forEach(sample -> whole.merge(sample, 1, Integer::sum));
        }
        return whole;
    }

    private static void requireAsPromised(
            String chain, List<World<String>> worlds, int epoch, Input input, long first, Steps steps) {
        String name = "%s, epoch %d, %s".formatted(chain, epoch, input);
        Map<Long, Integer> came = samples(name, wordsOfEpoch(worlds, epoch), first, steps);
        Map<Long, Integer> whole = whole(input, epoch);
        long places = whole.values().stream().mapToLong(Integer::longValue).sum();
        whole.keySet().removeIf(sample -> steps.words(sample).isEmpty());
        long leftOut = 0;
        long more = 0;
        TreeSet<Long> all = new TreeSet<>(whole.keySet());
        all.addAll(came.keySet());
        for (long sample : all) {
            int difference = came.getOrDefault(sample, 0) - whole.getOrDefault(sample, 0);
            more += Math.max(0, difference);
            leftOut += Math.max(0, -difference);
        }
        // each number of ranks may leave out, or fill up, its own remainder; of those before the last only what
        // it had begun
        long mostLeftOut = 0;
        long mostMore = 0;
        int together = input.together();
        for (World<String> world : worlds) {
            int ranks = world.checkpoints().size();
            mostLeftOut = Math.max(mostLeftOut, together == 1 ? places % ranks : (ranks - 1L) * together);
            mostMore += (ranks - 1L) * together;
        }
        switch (input.even()) {
            case UNEVEN -> assertThat(List.of(leftOut, more)).as(name).isEqualTo(List.of(0L, 0L));
            case REPEAT -> {
                assertThat(leftOut).as("%s: left out", name).isZero();
                assertThat(more).as("%s: more", name).isBetween(0L, mostMore);
                assertThat(whole.keySet()).as(name).containsAll(came.keySet());
            }
            case COUNT, STOP_TOGETHER -> {
                assertThat(more).as("%s: more", name).isZero();
                assertThat(leftOut).as("%s: left out", name).isBetween(0L, mostLeftOut);
            }
        }
    }

    /// Whether ranks of which none was there before get equally many. Of shards that are not counted nobody knows
    /// whether a rank that has come to the end of an epoch had anything of it, unless there is a sample for each.
    private static boolean matches(Input input, List<World<String>> worlds) {
        return input.even() != Even.UNEVEN
                && input.together() == 1
                && (!(input instanceof Input.Shards(ShardStream<Held> stream, Even _, int size))
                        || stream.size().isPresent()
                        || worlds.stream()
                                .allMatch(world -> size >= world.checkpoints().size()));
    }

    /// Ranks that read all of an epoch get equally many samples of it.
    private static void requireEqualRanks(String name, List<World<String>> worlds, int epoch) {
        boolean untouched = worlds.subList(0, worlds.size() - 1).stream()
                .allMatch(world -> world.epoch(epoch).isEmpty());
        if (untouched) {
            assertThat(worlds.getLast().delivered().stream()
                            .map(rank -> rank.get(epoch).size())
                            .distinct())
                    .as("%s: samples of each rank in epoch %d", name, epoch)
                    .hasSize(1);
        }
    }
}
