package org.jspdl.pipeline.internal.group;

import java.util.List;
import org.jspdl.pipeline.EpochListener;
import org.jspdl.pipeline.PipelineException;
import org.jspdl.pipeline.internal.failure.Descriptions;
import org.jspdl.pipeline.internal.link.Envelope;
import org.jspdl.pipeline.internal.link.Link;
import org.jspdl.pipeline.internal.recipe.Recipe;
import org.jspdl.pipeline.internal.stage.Fusion;
import org.jspdl.pipeline.internal.stage.RunContext;
import org.jspdl.pipeline.internal.stage.ThreadStage;
import org.jspdl.pipeline.internal.stage.WorkerSlot;

/// Passes items on in their order, and tells where epochs begin and end between them.
public final class EpochStage extends ThreadStage {
    private static final long NONE = -1;

    private final Link input;
    private final Link output;
    private final EpochListener listener;
    private final Fusion fused;
    private long epoch = NONE;
    private long items;

    public EpochStage(
            RunContext run, String name, Recipe.Epochs recipe, List<Recipe.FusedStep> fused, Link input, Link output) {
        super(run, name, 1, Threads.ENGINE, List.of(input), List.of(output));
        this.input = input;
        this.output = output;
        this.listener = recipe.listener();
        this.fused = new Fusion(fused, run);
    }

    /// Something to tell the listener.
    private interface Telling {
        void tell() throws Exception;
    }

    @Override
    public void work(WorkerSlot slot) throws InterruptedException {
        while (!stopped()) {
            Envelope envelope = take(input, slot);
            if (envelope == null) {
                return;
            }
            switch (envelope.kind) {
                case ITEM -> {
                    if (!pass(envelope, slot)) {
                        return;
                    }
                }
                case EPOCH_END -> {
                    begin(envelope.epoch, slot);
                    tell("end", () -> listener.ended(envelope.epoch, items), slot);
                    epoch = NONE;
                    if (!mark(envelope, output, slot)) {
                        return;
                    }
                }
                case END -> output.mark(envelope);
            }
            input.finished();
            if (envelope.kind == Envelope.Kind.END) {
                return;
            }
        }
    }

    /// Passes an item on; false if the output was cancelled.
    private boolean pass(Envelope item, WorkerSlot slot) throws InterruptedException {
        boolean reserved = false;
        try {
            begin(item.epoch, slot);
            reserved = reserve(output, slot);
        } finally {
            if (!reserved) {
                run.disposal().dispose(item);
            }
        }
        if (reserved) {
            items++;
            passOn(item, fused, output, slot);
        }
        return reserved;
    }

    private void begin(long next, WorkerSlot slot) {
        if (epoch != next) {
            epoch = next;
            items = 0;
            tell("beginning", () -> listener.began(next), slot);
        }
    }

    private void tell(String what, Telling telling, WorkerSlot slot) {
        slot.enter(WorkerSlot.State.BUSY, System.nanoTime());
        try {
            telling.tell();
        } catch (Throwable failure) {
            throw new PipelineException(
                    name,
                    "pipeline '" + run.pipeline() + "', stage '" + name + "': its listener failed at the " + what
                            + " of epoch " + epoch + ": " + Descriptions.withClass(failure),
                    failure);
        } finally {
            slot.enter(WorkerSlot.State.ENGINE, System.nanoTime());
        }
        guard().forgetInterrupt();
    }

    @Override
    public String placement() {
        return "inline";
    }
}
