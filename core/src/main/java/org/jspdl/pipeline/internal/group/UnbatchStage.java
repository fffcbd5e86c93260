package org.jspdl.pipeline.internal.group;

import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import org.jspdl.pipeline.StageFunction;
import org.jspdl.pipeline.internal.link.Envelope;
import org.jspdl.pipeline.internal.link.Link;
import org.jspdl.pipeline.internal.recipe.Recipe;
import org.jspdl.pipeline.internal.stage.FlatMapIterator;
import org.jspdl.pipeline.internal.stage.Fusion;
import org.jspdl.pipeline.internal.stage.RunContext;
import org.jspdl.pipeline.internal.stage.ThreadStage;
import org.jspdl.pipeline.internal.stage.WorkerSlot;

/// Passes on the elements of each item, pulled one by one, on a virtual thread.
public final class UnbatchStage extends ThreadStage {
    private final Link input;
    private final Link output;
    private final StageFunction<Object, Iterable<?>> elements;
    private final Fusion fused;

    public UnbatchStage(
            RunContext run, String name, Recipe.Unbatch recipe, List<Recipe.FusedStep> fused, Link input, Link output) {
        super(run, name, 1, true, List.of(input), List.of(output));
        this.input = input;
        this.output = output;
        this.elements = recipe.elements();
        this.fused = new Fusion(fused, run);
    }

    @Override
    public void work(WorkerSlot slot) throws InterruptedException {
        while (!stopped()) {
            Envelope envelope = take(input, slot);
            if (envelope == null) {
                return;
            }
            if (envelope.isMark()) {
                output.mark(envelope);
            } else if (!split(envelope, slot)) {
                return;
            }
            input.finished();
            if (envelope.kind == Envelope.Kind.END) {
                return;
            }
        }
    }

    private boolean split(Envelope whole, WorkerSlot slot) throws InterruptedException {
        Iterable<?> made;
        Iterator<?> each;
        try {
            made = elements.apply(whole.value);
            each = made.iterator();
        } catch (InterruptedException stop) {
            throw stop;
        } catch (Exception failure) {
            slot.failed++;
            run.disposal().dispose(whole);
            throw failed(whole, failure);
        }
        FlatMapIterator parts = new FlatMapIterator(whole, made, each, made instanceof Collection<?>, name, run);
        boolean ended = false;
        try {
            while (parts.next()) {
                if (!reserve(output, slot)) {
                    return false;
                }
                passOn(parts.take(), fused, output, slot);
            }
            parts.end();
            ended = true;
            return true;
        } finally {
            if (!ended) {
                parts.dispose();
            }
        }
    }

    @Override
    public String placement() {
        return "inline";
    }
}
