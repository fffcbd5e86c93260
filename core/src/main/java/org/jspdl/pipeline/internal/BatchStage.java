package org.jspdl.pipeline.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspdl.pipeline.PipelineException;
import org.jspdl.pipeline.Remainder;

/// Gathers items into lists, on a virtual thread.
final class BatchStage extends ThreadStage {
    private final Link input;
    private final Link output;
    private final int size;
    private final boolean keepsRemainder;
    private final long flushNanos;
    private final Fusion fused;
    private List<Object> values = new ArrayList<>();
    private List<Lineage> lineages = new ArrayList<>();
    private long flushAt = Long.MAX_VALUE;

    BatchStage(
            RunContext run, String name, Recipe.Batch recipe, List<Recipe.FusedStep> fused, Link input, Link output) {
        super(run, name, 1, true, List.of(input), List.of(output));
        this.input = input;
        this.output = output;
        this.size = recipe.size();
        this.keepsRemainder = recipe.remainder() == Remainder.KEEP_REMAINDER;
        this.flushNanos = recipe.flushAfter().map(Duration::toNanos).orElse(Long.MAX_VALUE);
        this.fused = new Fusion(fused, run.disposal());
    }

    @Override
    void work(Slot slot) throws InterruptedException {
        try {
            gather(slot);
        } finally {
            values.forEach(run.disposal()::dispose);
        }
    }

    private void gather(Slot slot) throws InterruptedException {
        long epoch = 0;
        while (!stopped()) {
            Envelope envelope = take(input, slot, flushAt);
            if (envelope == null) {
                if (flushAt == Long.MAX_VALUE || System.nanoTime() < flushAt) {
                    return;
                }
                if (!emit(epoch, slot)) {
                    return;
                }
                continue;
            }
            boolean open = switch (envelope.kind) {
                case ITEM -> {
                    epoch = envelope.epoch;
                    yield add(envelope, slot);
                }
                case EPOCH_END -> endEpoch(envelope, slot);
                case END -> {
                    output.mark(envelope);
                    yield false;
                }
            };
            input.finished();
            if (!open) {
                return;
            }
        }
    }

    private boolean add(Envelope envelope, Slot slot) throws InterruptedException {
        if (values.isEmpty() && flushNanos != Long.MAX_VALUE) {
            flushAt = System.nanoTime() + flushNanos;
        }
        values.add(envelope.value);
        lineages.add(envelope.lineage);
        return values.size() < size || emit(envelope.epoch, slot);
    }

    private boolean endEpoch(Envelope mark, Slot slot) throws InterruptedException {
        if (keepsRemainder) {
            if (!values.isEmpty() && !emit(mark.epoch, slot)) {
                return false;
            }
        } else {
            values.forEach(run.disposal()::dispose);
            lineages.forEach(run.ledger()::settle);
            reset();
        }
        output.mark(mark);
        return true;
    }

    private boolean emit(long epoch, Slot slot) throws InterruptedException {
        if (!reserve(output, slot)) {
            return false;
        }
        Envelope batch = Envelope.item(
                Collections.unmodifiableList(values), epoch, new Lineage.Group(lineages.toArray(Lineage[]::new)));
        reset();
        boolean passed;
        try {
            slot.enter(Slot.State.BUSY, System.nanoTime());
            passed = fused.apply(batch);
        } catch (Throwable failure) {
            run.disposal().dispose(batch);
            output.unreserve();
            throw new PipelineException(
                    name,
                    "pipeline '" + run.pipeline() + "', stage '" + name + "' failed at epoch " + epoch + ", "
                            + batch.lineage.first().position + ": " + failure.getMessage(),
                    failure);
        } finally {
            slot.enter(Slot.State.ENGINE, System.nanoTime());
        }
        if (passed) {
            slot.completed++;
            output.put(batch);
        } else {
            slot.filtered++;
            output.unreserve();
            run.ledger().settle(batch.lineage);
        }
        return true;
    }

    private void reset() {
        values = new ArrayList<>(Math.min(size, 1024));
        lineages = new ArrayList<>(Math.min(size, 1024));
        flushAt = Long.MAX_VALUE;
    }

    @Override
    String placement() {
        return "inline";
    }
}
