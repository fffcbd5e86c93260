package org.jspdl.pipeline.resume;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Gatherer;
import java.util.stream.Gatherers;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspdl.pipeline.EpochListener;
import org.jspdl.pipeline.GathererState;
import org.jspdl.pipeline.MergePolicy;
import org.jspdl.pipeline.Order;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Remainder;
import org.jspdl.pipeline.StageOptions;
import org.jspdl.pipeline.StoppingStrategy;
import org.jspdl.source.Samplers;
import org.jspdl.source.ShardStream;
import org.jspdl.source.Source;
import org.jspdl.source.Sources;

/// A random tree of steps, drawn from a seed: the same structure each time it is [built][#build], with any tuning.
///
/// Items are texts that tell what was done to them, so that an item that was lost, repeated or treated otherwise shows.
final class Recipes {
    private final Random random;
    private final Order order;
    private final StringBuilder story = new StringBuilder();
    private boolean sequenceKept;
    private boolean grouped;
    private int names;
    private final Grown root;

    /// A step with what comes before it.
    private interface Grown {
        Pipeline<String> make(Tuning tuning);
    }

    private Recipes(long seed, Order order) {
        this.random = new Random(seed);
        this.order = order;
        this.sequenceKept = order == Order.INPUT;
        this.root = grow(source(), 1 + random.nextInt(5), 0);
    }

    /// The tree of this seed with stages in this order.
    static Recipes of(long seed, Order order) {
        return new Recipes(seed, order);
    }

    /// The recipe with this tuning.
    Pipeline<String> build(Tuning tuning) {
        return root.make(tuning).prefetch(tuning.sink());
    }

    /// Checks that `delivered` is what an uninterrupted run delivers.
    void assertSame(List<String> delivered, List<String> whole, String when) {
        var epoch = assertThat(delivered).as("%s of %s", when, this);
        if (sequenceKept) {
            epoch.containsExactlyElementsOf(whole);
        } else {
            epoch.containsExactlyInAnyOrderElementsOf(whole);
        }
    }

    private Grown source() {
        int size = 20 + random.nextInt(100);
        long seed = random.nextInt();
        String prefix = "s" + names++ + "-";
        Source<Long> source = switch (random.nextInt(6)) {
            case 0 -> Samplers.sequential(size);
            case 4 -> shards(size, seed);
            case 5 -> Samplers.classBalanced(new int[] {0, 1, 1, 2, 0, 0, 1}, size, seed);
            case 1 -> Sources.range(size);
            case 2 ->
                Sources.of(
                        (Iterable<Long>) () -> LongStream.range(0, size).boxed().iterator());
            default -> Samplers.shuffled(size, seed);
        };
        story.append(prefix).append(size).append(' ');
        return tuning -> Pipeline.from(source).map(number -> prefix + number).weigh(String::length);
    }

    /// Shards of all sizes, mixed in one way or another.
    private Source<Long> shards(int size, long seed) {
        List<Source<Long>> shards = new ArrayList<>();
        for (long from = 0; from < size; ) {
            long first = from;
            long items = Math.min(size - from, random.nextInt(12));
            shards.add(Sources.indexed(items, index -> first + index));
            from += items;
        }
        return ShardStream.of(shards)
                .shuffled(seed)
                .interleaved(1 + random.nextInt(4))
                .window(1 + random.nextInt(20));
    }

    private Grown grow(Grown before, int steps, int depth) {
        Grown grown = before;
        for (int i = 0; i < steps; i++) {
            grown = step(grown, depth);
        }
        return grown;
    }

    private Grown step(Grown before, int depth) {
        int kind = random.nextInt(depth < 2 ? 17 : 8);
        String name = "n" + names++;
        int n = 2 + random.nextInt(6);
        story.append(name).append(':').append(kind).append('(').append(n).append(") ");
        return switch (kind) {
            case 0 -> tuning -> before.make(tuning).map(item -> item + "m");
            case 1 -> tuning -> before.make(tuning).filter(item -> item.hashCode() % n != 0);
            case 2 ->
                tuning -> before.make(tuning).pipe(name, Tuning.uneven(item -> item + "p"), tuning.options(order));
            case 3 -> seeded(before, name);
            case 4 ->
                tuning ->
                        before.make(tuning).flatMap(name, Tuning.uneven(item -> parts(item, n)), tuning.options(order));
            case 5 -> batched(before, name, n);
            case 6 -> packed(before, name, n);
            case 7 -> {
                grouped = true;
                yield tuning -> before.make(tuning)
                        .aggregate(name, Gatherers.windowFixed(n), GathererState.emptyAfterEmission())
                        .unbatch(Tuning.elements());
            }
            case 8 -> elements(before, name, n);
            case 9 -> routed(before, name, n, depth);
            case 10 -> {
                sequenceKept = false;
                Grown other = branch(depth);
                yield tuning -> Pipeline.merge(before.make(tuning), other.make(tuning));
            }
            case 11 -> {
                Grown other = branch(depth);
                yield tuning ->
                        Pipeline.roundRobin(StoppingStrategy.ALL_EXHAUSTED, before.make(tuning), other.make(tuning));
            }
            case 12 -> {
                Grown other = branch(depth);
                yield tuning -> chosen(name, n, before.make(tuning), other.make(tuning));
            }
            case 13 -> {
                sequenceKept = false;
                yield tuning -> before.make(tuning)
                        .routeAsync(
                                name,
                                item -> CompletableFuture.supplyAsync(() -> Math.floorMod(item.hashCode(), 2)),
                                later(n))
                        .when(0, way -> way.pipe(name + "a", Tuning.uneven(item -> item + "a"), tuning.options(order)))
                        .otherwise(way -> way)
                        .merge();
            }
            case 14 ->
                tuning -> before.make(tuning)
                        .flatMapAsync(name, item -> CompletableFuture.supplyAsync(() -> parts(item, n)), later(n));
            case 15 -> tuning -> before.make(tuning).epochs(name, new EpochListener() {});
            default -> {
                Grown other = branch(depth);
                yield tuning -> Pipeline.mix(n, 1, n)
                        .of(StoppingStrategy.ALL_EXHAUSTED, before.make(tuning), other.make(tuning));
            }
        };
    }

    private StageOptions later(int n) {
        return order == Order.INPUT ? StageOptions.async(n).inputOrder() : StageOptions.async(n);
    }

    /// Up to `n` items of one, then of the other, as the last taken says.
    private static Pipeline<String> chosen(String name, int n, Pipeline<String> one, Pipeline<String> other) {
        MergePolicy<String> policy = MergePolicy.stateful(
                () -> new int[2],
                (state, inputs) -> {
                    if (state[1] == 0 || !inputs.hasNext(state[0])) {
                        state[0] = 1 - state[0];
                        state[1] = inputs.hasNext(state[0])
                                ? 1 + Math.floorMod(inputs.peek(state[0]).hashCode(), n)
                                : 1;
                    }
                    state[1]--;
                    return state[0];
                },
                state -> state[0] + " " + state[1],
                text -> Stream.of(text.split(" ", 2))
                        .mapToInt(Integer::parseInt)
                        .toArray());
        return Pipeline.merge(name, policy, one, other);
    }

    private Grown branch(int depth) {
        return grow(source(), random.nextInt(3), depth + 1);
    }

    /// Randomness belongs to an item; which items form a group depends on the order in which they arrive.
    private Grown seeded(Grown before, String name) {
        if (grouped && !sequenceKept) {
            return before;
        }
        return tuning -> before.make(tuning)
                .pipeSeeded(
                        name,
                        (item, numbers) -> item + "r" + Long.toHexString(numbers.nextLong()),
                        tuning.options(order));
    }

    private Grown batched(Grown before, String name, int n) {
        grouped = true;
        boolean worked = random.nextBoolean();
        return tuning -> {
            Pipeline<List<String>> batches = before.make(tuning).batch(n, Remainder.KEEP);
            if (worked) {
                batches = batches.pipe(name, Tuning.uneven(batch -> batch), tuning.options(order));
            }
            return batches.unbatch(Tuning.elements());
        };
    }

    /// Tokens of items packed to lists of `n`, with a rest that is kept for the next, as for a language model.
    private Grown packed(Grown before, String name, int n) {
        grouped = true;
        boolean worked = random.nextBoolean();
        return tuning -> {
            Pipeline<List<String>> packs = before.make(tuning)
                    .aggregate(
                            name,
                            packing(n),
                            GathererState.saved(
                                    rest -> String.join("\n", rest),
                                    text -> new ArrayList<>(text.lines().toList())));
            if (worked) {
                packs = packs.pipe(name + "w", Tuning.uneven(pack -> pack), tuning.options(order));
            }
            return packs.unbatch(Tuning.elements());
        };
    }

    private static Gatherer<String, List<String>, List<String>> packing(int n) {
        return Gatherer.ofSequential(
                ArrayList::new,
                (rest, item, downstream) -> {
                    rest.addAll(parts(item, 4));
                    while (rest.size() >= n) {
                        List<String> pack = rest.subList(0, n);
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

    private Grown elements(Grown before, String name, int n) {
        grouped = true;
        return tuning -> Pipeline.<String, String>routeElements(
                        before.make(tuning).batch(n, Remainder.KEEP), name, item -> Math.floorMod(item.hashCode(), 2))
                .when(0, way -> way.pipe(name + "even", Tuning.uneven(item -> item + "e"), tuning.options(order)))
                .otherwise(way -> way.filter(item -> item.hashCode() % 5 != 0)
                        .pipe(name + "odd", Tuning.uneven(item -> item + "o"), tuning.options(order)))
                .merge()
                .unbatch(Tuning.elements());
    }

    private Grown routed(Grown before, String name, int n, int depth) {
        sequenceKept = false;
        boolean more = depth < 1;
        grouped |= more;
        return tuning -> before.make(tuning)
                .route(name, item -> Math.floorMod(item.hashCode(), 3))
                .when(0, way -> way.pipe(name + "a", Tuning.uneven(item -> item + "a"), tuning.options(order)))
                .when(1, way -> more ? way.batch(n, Remainder.KEEP).unbatch(Tuning.elements()) : way)
                .otherwise(way -> way.flatMap(name + "c", item -> parts(item, 3), tuning.options(order)))
                .merge();
    }

    /// None, one or several parts, the same each time.
    private static List<String> parts(String item, int most) {
        List<String> parts = new ArrayList<>();
        for (int i = Math.floorMod(item.hashCode(), most); i > 0; i--) {
            parts.add(item + "." + i);
        }
        return parts;
    }

    @Override
    public String toString() {
        return order + " " + story;
    }
}
