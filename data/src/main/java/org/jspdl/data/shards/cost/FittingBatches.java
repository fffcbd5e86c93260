package org.jspdl.data.shards.cost;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.Gatherer;
import org.jspdl.data.shards.ShardSample;

/// Puts the samples of a window into batches where they fit best: the costliest first, each into the fullest batch that
/// has room for it. Owns the samples that wait.
final class FittingBatches {
    private final ToLongFunction<ShardSample> cost;
    private final String name;
    private final int budget;
    private final int window;
    private final List<Costed> waiting = new ArrayList<>();

    private record Costed(ShardSample sample, long cost) {}

    /// A batch in the making.
    private static final class Filled {
        final List<ShardSample> samples = new ArrayList<>();
        long room;

        Filled(long room) {
            this.room = room;
        }
    }

    private FittingBatches(ToLongFunction<ShardSample> cost, String name, int budget, int window) {
        this.cost = cost;
        this.name = name;
        this.budget = budget;
        this.window = window;
    }

    static Gatherer<ShardSample, ?, List<ShardSample>> gatherer(
            ToLongFunction<ShardSample> cost, String name, int budget, int window) {
        return Gatherer.<ShardSample, FittingBatches, List<ShardSample>>ofSequential(
                () -> new FittingBatches(cost, name, budget, window),
                Gatherer.Integrator.<FittingBatches, ShardSample, List<ShardSample>>ofGreedy(
                        (fitting, sample, downstream) -> {
                            fitting.add(sample);
                            return fitting.waiting.size() < fitting.window || fitting.emit(downstream);
                        }),
                FittingBatches::emit);
    }

    private void add(ShardSample sample) {
        long counted = cost.applyAsLong(sample);
        if (counted < 0 || counted > budget) {
            throw new IllegalArgumentException(
                    "sample '" + sample.key() + "' costs " + counted + " '" + name + "', outside the budget of "
                            + budget + " of a batch; leave out such samples, or raise the budget");
        }
        waiting.add(new Costed(sample, counted));
    }

    private boolean emit(Gatherer.Downstream<? super List<ShardSample>> downstream) {
        waiting.sort(Comparator.comparingLong(Costed::cost).reversed());
        List<Filled> batches = new ArrayList<>();
        TreeMap<Long, List<Filled>> byRoom = new TreeMap<>();
        for (Costed each : waiting) {
            Map.Entry<Long, List<Filled>> tightest = byRoom.ceilingEntry(each.cost);
            Filled batch;
            if (tightest == null) {
                batch = new Filled(budget);
                batches.add(batch);
            } else {
                batch = tightest.getValue().removeLast();
                if (tightest.getValue().isEmpty()) {
                    byRoom.remove(tightest.getKey());
                }
            }
            batch.samples.add(each.sample);
            batch.room -= each.cost;
            byRoom.computeIfAbsent(batch.room, _ -> new ArrayList<>()).add(batch);
        }
        waiting.clear();
        boolean wanted = true;
        for (Filled batch : batches) {
            wanted = downstream.push(batch.samples) && wanted;
        }
        return wanted;
    }
}
