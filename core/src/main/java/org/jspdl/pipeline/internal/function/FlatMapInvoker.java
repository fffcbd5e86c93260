package org.jspdl.pipeline.internal.function;

import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.jspdl.pipeline.internal.link.Envelope;
import org.jspdl.pipeline.internal.recipe.Recipe;
import org.jspdl.pipeline.internal.stage.FlatMapIterator;
import org.jspdl.pipeline.internal.stage.FlatMapIterator.Pulled;
import org.jspdl.pipeline.internal.stage.Fusion;
import org.jspdl.pipeline.internal.stage.RunContext;
import org.jspdl.pipeline.internal.stage.Stage;
import org.jspdl.pipeline.internal.stage.WorkerSlot;
import org.jspecify.annotations.Nullable;

/// What a `flatMap` stage does to an item: calls the function, then pulls the parts one by one.
public final class FlatMapInvoker {
    private final Stage stage;
    private final StageInvoker opening;
    private final Fusion fused;

    public FlatMapInvoker(Stage stage, RunContext run, StageInvoker opening, List<Recipe.FusedStep> fused) {
        this.stage = stage;
        this.opening = opening;
        this.fused = new Fusion(fused, run);
    }

    /// Calls the function; null if it failed and nothing comes of the item.
    @Nullable
    FlatMapIterator open(Envelope item, WorkerSlot slot) {
        Object input = item.value;
        if (!opening.run(item, slot)) {
            return null;
        }
        Iterator<?> elements;
        try {
            elements = Objects.requireNonNull(((Iterable<?>) item.value).iterator(), "the iterator is null");
        } catch (Throwable failure) {
            opening.failed(item, input, failure, slot, 0);
            return null;
        }
        return new FlatMapIterator(
                item, input, elements, item.value instanceof Collection<?>, stage, stage.outputs.getFirst());
    }

    /// Pulls the next part and runs the fused steps on it; after [Pulled#PART] it is in `parts`'
    /// [FlatMapIterator#ready].
    Pulled pull(FlatMapIterator parts, WorkerSlot slot) {
        return parts.pull(stage, fused, slot);
    }
}
