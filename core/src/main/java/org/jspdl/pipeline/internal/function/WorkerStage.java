package org.jspdl.pipeline.internal.function;

import java.util.List;
import org.jspdl.pipeline.Placement;
import org.jspdl.pipeline.internal.link.Envelope;
import org.jspdl.pipeline.internal.link.Link;
import org.jspdl.pipeline.internal.stage.RunContext;
import org.jspdl.pipeline.internal.stage.ThreadStage;
import org.jspdl.pipeline.internal.stage.WorkerSlot;

/// A stage whose threads each take an item, run the function and put the result: `io` on virtual threads, `dedicated`
/// on one platform thread.
public final class WorkerStage extends ThreadStage {
    private final Link input;
    private final Link output;
    private final Placement placement;

    @SuppressWarnings("NullAway.Init") // assemble gives it, before the run starts
    private StageInvoker step;

    public WorkerStage(RunContext run, String name, Placement placement, int concurrency, Link input, Link output) {
        super(run, name, concurrency, placement instanceof Placement.Io, List.of(input), List.of(output));
        this.placement = placement;
        this.input = input;
        this.output = output;
    }

    public void assemble(StageInvoker newStep) {
        step = newStep;
    }

    @Override
    public void work(WorkerSlot slot) throws InterruptedException {
        withHooks(placement, () -> workLoop(slot));
    }

    private void workLoop(WorkerSlot slot) throws InterruptedException {
        while (!stopped() && !retires() && reserve(output, slot)) {
            Envelope envelope;
            try {
                envelope = take(input, slot);
            } catch (InterruptedException stop) {
                output.unreserve();
                throw stop;
            }
            if (envelope == null || envelope.isMark()) {
                output.unreserve();
            }
            if (envelope == null) {
                return;
            }
            if (envelope.isMark()) {
                forwardMark(envelope, input, output);
                continue;
            }
            if (step.run(envelope, slot)) {
                output.put(envelope);
            } else {
                output.drop(envelope.sequence);
            }
            input.finished();
        }
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
