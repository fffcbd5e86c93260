package org.jspdl.pipeline.internal.group;

import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.jspdl.pipeline.StageFunction;
import org.jspdl.pipeline.internal.link.Envelope;
import org.jspdl.pipeline.internal.link.Link;
import org.jspdl.pipeline.internal.recipe.Recipe;
import org.jspdl.pipeline.internal.stage.FlatMapIterator;
import org.jspdl.pipeline.internal.stage.Fusion;
import org.jspdl.pipeline.internal.stage.RunContext;
import org.jspdl.pipeline.internal.stage.ThreadStage;
import org.jspdl.pipeline.internal.stage.WorkerSlot;

/// Passes on the elements of each item, pulled one by one.
public final class UnbatchStage extends ThreadStage {
    private final Link input;
    private final Link output;
    private final StageFunction<Object, Iterable<?>> elements;
    private final Fusion fused;

    public UnbatchStage(
            RunContext run, String name, Recipe.Unbatch recipe, List<Recipe.FusedStep> fused, Link input, Link output) {
        super(run, name, 1, Threads.ENGINE, List.of(input), List.of(output));
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
            if (!(envelope.isMark() ? mark(envelope, output, slot) : split(envelope, slot))) {
                return;
            }
            input.finished();
            if (envelope.kind == Envelope.Kind.END) {
                return;
            }
        }
    }

    private boolean split(Envelope whole, WorkerSlot slot) throws InterruptedException {
        Object input = whole.value;
        Iterable<?> made;
        Iterator<?> each;
        slot.enter(WorkerSlot.State.BUSY, System.nanoTime());
        try {
            guard().refuse(whole);
            made = Objects.requireNonNull(elements.apply(input), "the function returned null");
            each = Objects.requireNonNull(made.iterator(), "the iterator is null");
        } catch (Throwable failure) {
            guard().forgetInterrupt();
            failed(whole, input, failure, slot);
            return true;
        } finally {
            slot.enter(WorkerSlot.State.ENGINE, System.nanoTime());
        }
        guard().succeeded();
        return passParts(
                new FlatMapIterator(whole, input, each, made instanceof Collection<?>, this, output),
                fused,
                output,
                slot);
    }

    @Override
    public String placement() {
        return "inline";
    }
}
