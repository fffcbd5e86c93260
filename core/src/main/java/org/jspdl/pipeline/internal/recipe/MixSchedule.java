package org.jspdl.pipeline.internal.recipe;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// The weights of a mix, which follow from the number of an item in its epoch. Immutable.
///
/// @param changes in the order of their items; the first is at item 0
/// @param live    whether a run may change them while it goes on, see [LiveWeights]
/// @param file    where such changes are read from, if anywhere
public record MixSchedule(List<Change> changes, boolean live, Optional<Path> file) {
    /// A schedule that no run changes.
    public MixSchedule(List<Change> changes) {
        this(changes, false, Optional.empty());
    }

    /// Weights as a list.
    ///
    /// @throws IllegalArgumentException if there are none above 0, or one is negative or not finite
    public static List<Double> checked(double[] weights) {
        double sum = 0;
        List<Double> list = new ArrayList<>();
        for (double weight : weights) {
            if (!(weight >= 0) || Double.isInfinite(weight)) {
                throw new IllegalArgumentException(
                        "weights must be finite and not negative but were " + Arrays.toString(weights));
            }
            sum += weight;
            list.add(weight);
        }
        if (!(sum > 0)) {
            throw new IllegalArgumentException(
                    "at least one weight must be positive but they were " + Arrays.toString(weights));
        }
        if (Double.isInfinite(sum)) {
            throw new IllegalArgumentException(
                    "the sum of the weights must be finite but they were " + Arrays.toString(weights));
        }
        return list;
    }

    /// Weights that hold from an item on.
    ///
    /// @param from    the item's number in its epoch
    /// @param weights one for each input
    /// @param ramp    whether the weights before lead up to these in a line, instead of changing at once
    public record Change(long from, List<Double> weights, boolean ramp) {
        /// Copies the weights.
        public Change {
            weights = List.copyOf(weights);
        }

        @Override
        public String toString() {
            return (from == 0 ? "" : (ramp ? " to " : " from ") + from + " ") + weights;
        }
    }

    /// Copies the changes.
    public MixSchedule {
        changes = List.copyOf(changes);
    }

    /// The same with one change more.
    public MixSchedule with(Change change) {
        List<Change> more = new ArrayList<>(changes);
        more.add(change);
        return new MixSchedule(more, live, file);
    }

    /// The same for runs that may change it.
    public MixSchedule live(Optional<Path> changesFrom) {
        return new MixSchedule(changes, true, changesFrom);
    }

    /// The same for some of the inputs.
    public MixSchedule of(List<Integer> inputs) {
        return new MixSchedule(
                changes.stream()
                        .map(change -> new Change(
                                change.from,
                                inputs.stream().map(change.weights::get).toList(),
                                change.ramp))
                        .toList(),
                live,
                file);
    }

    /// Whether an input has a weight at any time, or may be given one.
    public boolean uses(int input) {
        return live || changes.stream().anyMatch(change -> change.weights.get(input) > 0);
    }

    /// Puts the weights for an item into `weights`.
    ///
    /// @return the first item for which they may be others
    public long at(long item, double[] weights) {
        int last = 0;
        while (last + 1 < changes.size() && changes.get(last + 1).from <= item) {
            last++;
        }
        Change now = changes.get(last);
        boolean ends = last + 1 == changes.size();
        Change next = ends ? now : changes.get(last + 1);
        double passed = next.ramp && !ends ? (double) (item - now.from) / (next.from - now.from) : 0;
        for (int i = 0; i < weights.length; i++) {
            weights[i] = now.weights.get(i) * (1 - passed) + next.weights.get(i) * passed;
        }
        return ends ? Long.MAX_VALUE : next.ramp ? item + 1 : next.from;
    }

    /// The weights alone if they never change, as in checkpoints of versions that knew no changes.
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(live ? "live " : "");
        changes.forEach(text::append);
        return text.toString();
    }
}
