package org.jspdl.pipeline.internal.function;

import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import org.jspdl.pipeline.internal.link.Envelope;
import org.jspdl.pipeline.internal.recipe.Recipe;
import org.jspdl.pipeline.internal.stage.FlatMapIterator;
import org.jspdl.pipeline.internal.stage.Fusion;
import org.jspdl.pipeline.internal.stage.RunContext;
import org.jspdl.pipeline.internal.stage.Stage;
import org.jspdl.pipeline.internal.stage.WorkerSlot;
import org.jspecify.annotations.Nullable;

/// What a `flatMap` stage does to an item: calls the function, then pulls the parts one by one.
///
/// A function that fails after some parts loses the rest of its item, which counts as one failure.
public final class FlatMapInvoker {
    /// What pulling has brought.
    enum Pulled {
        PART,
        NOTHING,
        END
    }

    private final Stage stage;
    private final RunContext run;
    private final StageInvoker opening;
    private final Fusion fused;

    public FlatMapInvoker(Stage stage, RunContext run, StageInvoker opening, List<Recipe.FusedStep> fused) {
        this.stage = stage;
        this.run = run;
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
            elements = ((Iterable<?>) item.value).iterator();
        } catch (Throwable failure) {
            opening.failed(item, input, failure, slot, 0);
            return null;
        }
        return new FlatMapIterator(item, input, elements, item.value instanceof Collection<?>, stage.name, run);
    }

    /// Pulls the next part and runs the fused steps on it; after [Pulled#PART] it is in `parts`'
    /// [FlatMapIterator#ready].
    Pulled pull(FlatMapIterator parts, WorkerSlot slot) {
        slot.enter(WorkerSlot.State.BUSY, System.nanoTime());
        try {
            if (!parts.next()) {
                parts.end();
                return Pulled.END;
            }
            Envelope part = parts.take();
            if (fused.apply(part)) {
                parts.ready = part;
                return Pulled.PART;
            }
            run.settled(part);
            return Pulled.NOTHING;
        } catch (Throwable failure) {
            slot.failed++;
            if (stage.stopped() || opening.fatal(parts.whole, parts.input, failure)) {
                parts.dispose();
            } else {
                parts.endAfterFailure(opening.budget());
            }
            return Pulled.END;
        } finally {
            slot.enter(WorkerSlot.State.ENGINE, System.nanoTime());
        }
    }
}
