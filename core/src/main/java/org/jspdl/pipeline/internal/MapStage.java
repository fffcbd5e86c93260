package org.jspdl.pipeline.internal;

import org.jspecify.annotations.Nullable;

/// A scheduled stage that makes one result of each item.
final class MapStage extends ScheduledStage {
    private Step step;

    MapStage(RunContext run, String name, String placement, int concurrency, Link input, Link output) {
        super(run, name, placement, concurrency, input, output);
    }

    void assemble(Step newStep) {
        step = newStep;
    }

    @Override
    Slot.State work(Activation activation, @Nullable ComputeThread thread) {
        Slot slot = activation.slot;
        long started = System.nanoTime();
        slot.enter(Slot.State.ENGINE, started);
        try {
            for (int items = 0; items < ITEMS_PER_ACTIVATION; items++) {
                if (stopped()) {
                    return Slot.State.STARVED;
                }
                if (!output.tryReserve()) {
                    return Slot.State.BLOCKED;
                }
                Envelope envelope = input.pollQuietly();
                if (envelope == null) {
                    output.unreserve();
                    return Slot.State.STARVED;
                }
                if (envelope.isMark()) {
                    output.unreserve();
                    forward(envelope);
                } else {
                    if (slot.expectedNanos() > QUICK_NANOS) {
                        announce(thread);
                    }
                    process(envelope, slot);
                }
                if (slot.since() - started > ACTIVATION_NANOS) {
                    return Slot.State.QUEUED;
                }
            }
            return Slot.State.QUEUED;
        } finally {
            output.announceItems();
            input.announceRoom();
        }
    }

    private void process(Envelope envelope, Slot slot) {
        if (step.run(envelope, slot)) {
            output.putQuietly(envelope);
        } else {
            output.drop(envelope.sequence);
        }
        input.finished();
    }
}
