package org.jspdl.pipeline.internal.function;

import org.jspdl.pipeline.internal.compute.ComputeThread;
import org.jspdl.pipeline.internal.link.Envelope;
import org.jspdl.pipeline.internal.link.Link;
import org.jspdl.pipeline.internal.stage.Deadlines;
import org.jspdl.pipeline.internal.stage.RunContext;
import org.jspdl.pipeline.internal.stage.ScheduledStage;
import org.jspdl.pipeline.internal.stage.WorkerSlot;
import org.jspecify.annotations.Nullable;

/// A scheduled stage that makes one result of each item.
public final class MapStage extends ScheduledStage {
    @SuppressWarnings("NullAway.Init") // assemble gives it, before the run starts
    private StageInvoker invoker;

    private final Handover handover;
    private final NewsWatch news;

    public MapStage(RunContext run, String name, String placement, int concurrency, Link input, Link output) {
        super(run, name, placement, concurrency, input, output);
        this.handover = new Handover(input, output);
        this.news = new NewsWatch(this);
    }

    public void assemble(StageInvoker newInvoker) {
        invoker = newInvoker;
    }

    @Override
    protected void takeOver(Deadlines.Call call, WorkerSlot slot) {
        handover.finish(call.envelope, invoker.takeOver(call, slot));
    }

    @Override
    public WorkerSlot.State work(Activation activation, @Nullable ComputeThread thread) {
        WorkerSlot slot = activation.slot;
        long started = System.nanoTime();
        slot.enter(WorkerSlot.State.ENGINE, started);
        boolean reserved = false;
        try {
            for (int items = 1; items <= ITEMS_PER_ACTIVATION; items++) {
                if (stopped()) {
                    return WorkerSlot.State.STARVED;
                }
                if (!reserved && !output.tryReserve()) {
                    return WorkerSlot.State.BLOCKED;
                }
                reserved = true;
                Envelope envelope = input.pollQuietly();
                if (envelope == null) {
                    return WorkerSlot.State.STARVED;
                }
                if (envelope.isMark()) {
                    forward(envelope);
                } else {
                    if (slot.expectedNanos() > QUICK_NANOS) {
                        announce(slot, thread);
                    } else {
                        news.begins(thread);
                    }
                    reserved = false;
                    boolean passed = invoker.run(envelope, slot);
                    boolean last = items == ITEMS_PER_ACTIVATION || slot.since() - started > ACTIVATION_NANOS;
                    reserved = handover.finishQuietly(envelope, passed, !last);
                    if (last) {
                        return WorkerSlot.State.QUEUED;
                    }
                }
            }
            return WorkerSlot.State.QUEUED;
        } finally {
            if (reserved) {
                output.unreserve();
            }
            output.announceItems();
            input.announceRoom();
        }
    }
}
