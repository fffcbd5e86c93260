package org.jspdl.pipeline.internal.function;

import java.util.List;
import org.jspdl.pipeline.Placement;
import org.jspdl.pipeline.internal.link.Envelope;
import org.jspdl.pipeline.internal.link.Link;
import org.jspdl.pipeline.internal.stage.Deadlines;
import org.jspdl.pipeline.internal.stage.RunContext;
import org.jspdl.pipeline.internal.stage.ThreadStage;
import org.jspdl.pipeline.internal.stage.WorkerSlot;

/// A stage whose threads each take an item, run the function and put the result: `io` on virtual threads, `dedicated`
/// on one platform thread.
public final class WorkerStage extends ThreadStage {
    private final Link input;
    private final Link output;
    private final Handover handover;
    private final Placement placement;

    @SuppressWarnings("NullAway.Init") // assemble gives it, before the run starts
    private StageInvoker invoker;

    public WorkerStage(RunContext run, String name, Placement placement, int concurrency, Link input, Link output) {
        super(run, name, concurrency, threads(placement), List.of(input), List.of(output));
        this.placement = placement;
        this.input = input;
        this.output = output;
        this.handover = new Handover(input, output);
    }

    public void assemble(StageInvoker newInvoker) {
        invoker = newInvoker;
    }

    @Override
    public void work(WorkerSlot slot) throws InterruptedException {
        withHooks(placement, () -> workLoop(slot));
    }

    private void workLoop(WorkerSlot slot) throws InterruptedException {
        while (!stopped() && !retires()) {
            Envelope envelope = reserveAndTake(input, output, slot);
            if (envelope == null) {
                return;
            }
            if (envelope.isMark()) {
                forwardMark(envelope, input, output);
            } else {
                handover.finish(envelope, invoker.run(envelope, slot));
            }
        }
    }

    @Override
    protected void takeOver(Deadlines.Call call, WorkerSlot slot) {
        handover.finish(call.envelope, invoker.takeOver(call, slot));
    }

    @Override
    public void tune(int calls) {
        if (placement instanceof Placement.Io) {
            tuneThreads(calls);
        } else {
            super.tune(calls);
        }
    }

    @Override
    public String placement() {
        return placement.label();
    }
}
