package org.jspdl.pipeline.internal;

import java.util.List;
import org.jspdl.pipeline.PipelineException;
import org.jspdl.pipeline.Placement;

/// A stage whose threads each take an item, run the function and put the result: `io` on virtual threads, `dedicated`
/// on one platform thread.
final class WorkerStage extends ThreadStage {
    private final Link input;
    private final Link output;
    private final Placement placement;
    private Step step;
    /// Guarded by this.
    private boolean closing;

    WorkerStage(RunContext run, String name, Placement placement, int concurrency, Link input, Link output) {
        super(run, name, concurrency, placement instanceof Placement.Io, List.of(input), List.of(output));
        this.placement = placement;
        this.input = input;
        this.output = output;
    }

    void assemble(Step newStep) {
        step = newStep;
    }

    @Override
    void work(Slot slot) throws InterruptedException {
        if (!(placement instanceof Placement.Dedicated dedicated)) {
            workLoop(slot);
            return;
        }
        try {
            hook(dedicated.onStart(), "start");
            workLoop(slot);
        } catch (PipelineException failure) {
            run.report(failure);
            throw failure;
        } finally {
            ignoreInterrupts();
            try {
                hook(dedicated.onClose(), "close");
            } catch (PipelineException failure) {
                run.report(failure);
            }
        }
    }

    /// From here on the thread only closes what it has opened, which an interrupt must not cut short.
    private synchronized void ignoreInterrupts() {
        closing = true;
        Thread.interrupted();
    }

    @Override
    synchronized void interrupt() {
        if (!closing) {
            super.interrupt();
        }
    }

    private void hook(Placement.Hook hook, String which) {
        try {
            hook.run();
        } catch (Throwable failure) {
            throw new PipelineException(
                    name,
                    "pipeline '" + run.pipeline() + "', stage '" + name + "': its " + which + " hook failed: "
                            + failure,
                    failure);
        }
    }

    private void workLoop(Slot slot) throws InterruptedException {
        while (!stopped()) {
            if (!reserve(output, slot)) {
                return;
            }
            Envelope envelope = take(input, slot, Long.MAX_VALUE);
            if (envelope == null) {
                output.unreserve();
                return;
            }
            if (envelope.isMark()) {
                output.unreserve();
                output.mark(envelope);
                if (envelope.kind == Envelope.Kind.END) {
                    input.cancel();
                }
                input.finished();
            } else if (step.run(envelope, slot)) {
                output.put(envelope);
                input.finished();
            } else {
                output.drop(envelope.sequence);
                input.finished();
            }
        }
    }

    @Override
    String placement() {
        return placement.label();
    }
}
