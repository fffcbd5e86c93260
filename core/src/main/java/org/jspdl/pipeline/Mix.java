package org.jspdl.pipeline;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspdl.pipeline.internal.recipe.LiveWeights;
import org.jspdl.pipeline.internal.recipe.MixSchedule;
import org.jspdl.pipeline.internal.recipe.Recipe;

/// The seed and the weights of a mix, before its pipelines are given. Immutable.
///
/// Weights may change at items of the epoch: the number of an item in what the mix delivers, from 0, on each rank. With
/// batches of 256, step s begins with item 256 s. A change is in effect exactly there, however much is prepared ahead,
/// and it belongs to the recipe, so that resumed runs and all ranks make the same changes.
///
/// ```java
/// Pipeline.mix(1, 0.9, 0.1).then(1_000_000, 0.5, 0.5).rampTo(2_000_000, 0.1, 0.9)
/// ```
public final class Mix {
    private final long seed;
    private final MixSchedule schedule;

    private Mix(long seed, MixSchedule schedule) {
        this.seed = seed;
        this.schedule = schedule;
    }

    static Mix of(long seed, double[] weights) {
        return new Mix(seed, new MixSchedule(List.of(new MixSchedule.Change(0, MixSchedule.checked(weights), false))));
    }

    /// The same for runs whose weights may be changed while they go on: see
    /// [org.jspdl.pipeline.mixture.LiveMixture]. Pipelines without a weight so far are kept, since they may get
    /// one.
    public Mix live() {
        return new Mix(seed, schedule.live(Optional.empty()));
    }

    /// As [#live()], with the file that runs read changes from once they
    /// [watch][org.jspdl.pipeline.mixture.LiveMixture#watch(Run)] it.
    public Mix live(Path file) {
        return new Mix(seed, schedule.live(Optional.of(file)));
    }

    /// The same with other weights from item `from` of each epoch on.
    ///
    /// @param from    behind the last change
    /// @param weights as many as at the beginning; a pipeline whose weight is 0 for the time waits, and comes only
    ///     if all others have ended
    public Mix then(long from, double... weights) {
        return changed(from, weights, false);
    }

    /// The same with weights that, from the last change on, go over to these in a line until item `item` of each
    /// epoch, and stay there.
    ///
    /// @param item    behind the last change
    /// @param weights as many as at the beginning
    public Mix rampTo(long item, double... weights) {
        return changed(item, weights, true);
    }

    private Mix changed(long item, double[] weights, boolean ramp) {
        MixSchedule.Change last = schedule.changes().getLast();
        if (item <= last.from()) {
            throw new IllegalArgumentException(
                    "a change of weights must be behind item " + last.from() + ", the last one, but was at " + item);
        }
        if (requireNonNull(weights, "weights").length != last.weights().size()) {
            throw new IllegalArgumentException("there are " + weights.length + " weights from item " + item
                    + " on, and " + last.weights().size() + " before");
        }
        return new Mix(seed, schedule.with(new MixSchedule.Change(item, MixSchedule.checked(weights), ramp)));
    }

    /// Mixes as many pipelines as there are weights. One that never has a weight above 0 is left out, and never
    /// read.
    @SafeVarargs
    @SuppressWarnings("varargs")
    public final <T> Pipeline<T> of(StoppingStrategy strategy, Pipeline<? extends T>... pipelines) {
        requireNonNull(strategy, "strategy");
        int count = schedule.changes().getFirst().weights().size();
        if (requireNonNull(pipelines, "pipelines").length != count) {
            throw new IllegalArgumentException(
                    "there are " + count + " weights for " + pipelines.length + " pipelines");
        }
        List<Integer> used =
                IntStream.range(0, count).filter(schedule::uses).boxed().toList();
        List<Pipeline<? extends T>> mixed = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Pipeline<? extends T> pipeline = requireNonNull(pipelines[i], "pipelines[" + i + "]");
            if (schedule.uses(i)) {
                mixed.add(pipeline);
            }
        }
        return Pipeline.merge(
                schedule.live() ? LiveWeights.STAGE : "mix",
                mixed,
                new Recipe.MergePolicy.Weighted(seed, schedule.of(used), strategy == StoppingStrategy.FIRST_EXHAUSTED));
    }
}
