package org.jspdl.pipeline.resume;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntUnaryOperator;
import org.jspdl.pipeline.Checkpoint;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;

/// What several ranks have delivered, one after the other here, and the checkpoint of each when it stopped.
///
/// @param delivered by rank and epoch
record World<T>(List<List<List<T>>> delivered, List<Checkpoint> checkpoints) {
    static final int TO_THE_END = Integer.MAX_VALUE;

    /// One rank's share of a pipeline.
    interface Share<T> {
        Pipeline<T> of(int rank, int worldSize);
    }

    /// Runs every rank until it has delivered `most` of its items.
    static <T> World<T> run(
            Share<T> share, int worldSize, RunOptions options, Optional<Checkpoint> from, IntUnaryOperator most) {
        List<List<List<T>>> delivered = new ArrayList<>();
        List<Checkpoint> checkpoints = new ArrayList<>();
        for (int rank = 0; rank < worldSize; rank++) {
            List<List<T>> epochs = new ArrayList<>();
            for (int epoch = 0; epoch < options.epochs(); epoch++) {
                epochs.add(new ArrayList<>());
            }
            delivered.add(epochs);
            try (Run<T> run = share.of(rank, worldSize)
                    .start(from.map(options::resumeFrom).orElse(options))) {
                deliver(run, most.applyAsInt(rank), epochs);
                checkpoints.add(Checkpoint.parse(run.checkpoint().toJson()));
            }
        }
        return new World<>(delivered, checkpoints);
    }

    /// Adds to `epochs` what a run delivers, until it has delivered `most`.
    static <T> void deliver(Run<T> run, int most, List<List<T>> epochs) {
        int left = most;
        while (left > 0 && run.epoch() < epochs.size()) {
            if (run.iterator().hasNext()) {
                epochs.get((int) run.epoch()).add(run.iterator().next());
                left--;
            } else if (!run.nextEpoch()) {
                return;
            }
        }
    }

    /// The state of all ranks.
    Checkpoint combined() {
        return Checkpoint.combine(checkpoints);
    }

    /// What all ranks have delivered in an epoch, rank by rank.
    List<T> epoch(int epoch) {
        return delivered.stream().flatMap(rank -> rank.get(epoch).stream()).toList();
    }

    /// What all ranks have delivered in an epoch, dealt back: the first of each rank, the second of each, ...
    List<T> interleaved(int epoch) {
        List<T> items = new ArrayList<>();
        for (int i = 0; items.size() < epoch(epoch).size(); i++) {
            for (List<List<T>> rank : delivered) {
                if (i < rank.get(epoch).size()) {
                    items.add(rank.get(epoch).get(i));
                }
            }
        }
        return items;
    }
}
