package org.jspdl.pipeline.internal.stage;

import java.util.List;
import org.jspdl.pipeline.internal.link.Disposer;
import org.jspdl.pipeline.internal.link.Envelope;
import org.jspdl.pipeline.internal.recipe.Recipe;

/// Cheap functions that a stage runs right after its own.
public final class Fusion {
    private final Recipe.FusedStep[] steps;
    private final Disposer disposal;
    private final Budget budget;

    public Fusion(List<Recipe.FusedStep> steps, RunContext run) {
        this.steps = steps.toArray(Recipe.FusedStep[]::new);
        this.disposal = run.disposal();
        this.budget = run.budget();
    }

    /// Whether there is nothing to run.
    public boolean isEmpty() {
        return steps.length == 0;
    }

    /// Replaces the envelope's value; false if a filter dropped it, which is then closed. After an exception the
    /// envelope holds what the failing function was given.
    public boolean apply(Envelope envelope) throws Exception {
        for (Recipe.FusedStep step : steps) {
            switch (step) {
                case Recipe.FusedStep.Map(var function) -> {
                    Object result = function.apply(envelope.value);
                    if (result == null) {
                        throw new NullPointerException("a mapped function returned null; to drop items, use a filter");
                    }
                    envelope.value = result;
                }
                case Recipe.FusedStep.Weigh(var weight) -> {
                    budget.weigh(envelope, weight.applyAsLong(envelope.value));
                }
                case Recipe.FusedStep.Note _ -> {}
                case Recipe.FusedStep.Filter(var predicate) -> {
                    if (!predicate.test(envelope.value)) {
                        disposal.dispose(envelope);
                        return false;
                    }
                }
            }
        }
        return true;
    }
}
