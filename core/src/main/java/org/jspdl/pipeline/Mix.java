package org.jspdl.pipeline;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspdl.pipeline.internal.recipe.Recipe;

/// The seed and the weights of a mix, before its pipelines are given. Immutable.
public final class Mix {
    private final long seed;
    private final List<Double> weights;

    Mix(long seed, double[] weights) {
        this.seed = seed;
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
        this.weights = List.copyOf(list);
    }

    /// Mixes as many pipelines as there are weights. One with a weight of 0 is left out, and never read.
    @SafeVarargs
    @SuppressWarnings("varargs")
    public final <T> Pipeline<T> of(StoppingStrategy strategy, Pipeline<? extends T>... pipelines) {
        requireNonNull(strategy, "strategy");
        if (requireNonNull(pipelines, "pipelines").length != weights.size()) {
            throw new IllegalArgumentException(
                    "there are " + weights.size() + " weights for " + pipelines.length + " pipelines");
        }
        List<Pipeline<? extends T>> mixed = new ArrayList<>();
        List<Double> positive = new ArrayList<>();
        for (int i = 0; i < pipelines.length; i++) {
            Pipeline<? extends T> pipeline = requireNonNull(pipelines[i], "pipelines[" + i + "]");
            if (weights.get(i) > 0) {
                mixed.add(pipeline);
                positive.add(weights.get(i));
            }
        }
        return Pipeline.merge(
                "mix",
                mixed,
                new Recipe.MergePolicy.Weighted(
                        seed, List.copyOf(positive), strategy == StoppingStrategy.FIRST_EXHAUSTED));
    }
}
