package org.jspdl.pipeline.internal.join;

import java.util.List;
import org.jspdl.pipeline.internal.link.Envelope;
import org.jspdl.pipeline.internal.link.Link;
import org.jspdl.pipeline.internal.recipe.Recipe;
import org.jspdl.pipeline.internal.stage.Fusion;
import org.jspdl.pipeline.internal.stage.RunContext;
import org.jspdl.pipeline.internal.stage.ThreadStage;
import org.jspdl.pipeline.internal.stage.WorkerSlot;

/// Passes on what comes from several links in the order in which it arrives, a thread for each. Epochs end
/// together.
public final class MergeStage extends ThreadStage {
    private final Link output;
    private final MarkBarrier barrier;
    private final Fusion fused;

    public MergeStage(RunContext run, String name, List<Recipe.FusedStep> fused, List<Link> inputs, Link output) {
        super(run, name, inputs.size(), Threads.ENGINE, inputs, List.of(output));
        this.output = output;
        this.barrier = new MarkBarrier(inputs.size());
        this.fused = new Fusion(fused, run);
    }

    @Override
    public void work(WorkerSlot slot) throws InterruptedException {
        Link input = inputs.get(List.of(slots).indexOf(slot));
        while (!stopped()) {
            Envelope envelope = take(input, slot);
            if (envelope == null) {
                return;
            }
            boolean ends = false;
            if (envelope.isMark()) {
                if (!awaitRoomForMark(output, slot)) {
                    return;
                }
                ends = barrier.arrive(envelope, slot, output::mark).kind == Envelope.Kind.END;
            } else if (!pass(envelope, slot)) {
                return;
            }
            input.finished();
            if (ends) {
                return;
            }
        }
    }

    private boolean pass(Envelope item, WorkerSlot slot) throws InterruptedException {
        boolean reserved = false;
        try {
            reserved = reserve(output, slot);
        } finally {
            if (!reserved) {
                run.disposal().dispose(item);
            }
        }
        if (reserved) {
            passOn(item, fused, output, slot);
        }
        return reserved;
    }

    @Override
    public String placement() {
        return "inline";
    }
}
