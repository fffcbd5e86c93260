package org.jspdl.pipeline.internal;

import java.util.Iterator;
import java.util.List;
import org.jspdl.pipeline.PipelineException;
import org.jspdl.pipeline.StageFunction;

/// Passes on the elements of each item, pulled one by one, on a virtual thread.
final class UnbatchStage extends ThreadStage {
    private final Link input;
    private final Link output;
    private final StageFunction<Object, Iterable<?>> elements;
    private final Fusion fused;

    UnbatchStage(
            RunContext run, String name, Recipe.Unbatch recipe, List<Recipe.FusedStep> fused, Link input, Link output) {
        super(run, name, 1, true, List.of(input), List.of(output));
        this.input = input;
        this.output = output;
        this.elements = recipe.elements();
        this.fused = new Fusion(fused, run.disposal());
    }

    @Override
    void work(Slot slot) throws InterruptedException {
        while (!stopped()) {
            Envelope envelope = take(input, slot, Long.MAX_VALUE);
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

    private boolean split(Envelope whole, Slot slot) throws InterruptedException {
        Lineage.Split split = new Lineage.Split(whole.lineage);
        Iterator<?> iterator = null;
        try {
            iterator = elements.apply(whole.value).iterator();
            while (iterator.hasNext()) {
                if (!reserve(output, slot)) {
                    iterator.forEachRemaining(run.disposal()::dispose);
                    return false;
                }
                slot.enter(Slot.State.BUSY, System.nanoTime());
                Envelope part =
                        Envelope.item(iterator.next(), whole.epoch, run.ledger().part(split));
                boolean passed = fused.apply(part);
                slot.enter(Slot.State.ENGINE, System.nanoTime());
                if (passed) {
                    slot.completed++;
                    output.put(part);
                } else {
                    slot.filtered++;
                    output.unreserve();
                    run.ledger().settle(part.lineage);
                }
            }
        } catch (InterruptedException stop) {
            iterator.forEachRemaining(run.disposal()::dispose);
            throw stop;
        } catch (Throwable failure) {
            slot.failed++;
            throw new PipelineException(
                    name,
                    "pipeline '" + run.pipeline() + "', stage '" + name + "' failed at epoch " + whole.epoch + ", "
                            + whole.lineage.first().position + ": " + failure,
                    failure);
        }
        run.ledger().end(split);
        return true;
    }

    @Override
    String placement() {
        return "inline";
    }
}
