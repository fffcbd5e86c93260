package org.jspdl.pipeline.internal;

import java.util.List;
import org.jspdl.pipeline.PipelineException;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.jspdl.source.Source;

/// Reads a source, epoch after epoch, on a virtual thread.
final class SourceStage extends ThreadStage {
    private final Source<?> source;
    private final int index;
    private final long epochs;
    private final Link output;
    private final Fusion fused;
    private final Ledger ledger;

    SourceStage(RunContext run, String name, Source<?> source, int index, List<Recipe.FusedStep> fused, Link output) {
        super(run, name, 1, true, List.of(), List.of(output));
        this.source = source;
        this.index = index;
        this.epochs = run.options().epochs();
        this.output = output;
        this.fused = new Fusion(fused, run.disposal());
        this.ledger = run.ledger();
    }

    @Override
    void work(Slot slot) throws InterruptedException {
        for (long epoch = 0; epoch < epochs; epoch++) {
            if (!readEpoch(epoch, slot)) {
                return;
            }
            output.mark(Envelope.epochEnd(epoch));
        }
        output.mark(Envelope.end());
    }

    private boolean readEpoch(long epoch, Slot slot) throws InterruptedException {
        Position position = Position.START;
        try (Cursor<?> cursor = source.open(epoch, position)) {
            while (reserve(output, slot)) {
                long start = System.nanoTime();
                slot.enter(Slot.State.BUSY, start);
                boolean advanced = cursor.advance();
                Envelope envelope = advanced ? admit(cursor, epoch, position) : null;
                boolean passed = advanced && fused.apply(envelope);
                long end = System.nanoTime();
                slot.enter(Slot.State.ENGINE, end);
                if (!advanced) {
                    output.unreserve();
                    return true;
                }
                slot.called(end - start);
                position = cursor.position();
                if (passed) {
                    slot.completed++;
                    output.put(envelope);
                } else {
                    slot.filtered++;
                    output.unreserve();
                    ledger.settle(envelope.lineage);
                }
            }
            return false;
        } catch (InterruptedException stop) {
            throw stop;
        } catch (Exception | Error failure) {
            slot.failed++;
            throw new PipelineException(
                    name,
                    "pipeline '" + run.pipeline() + "', source '" + name + "' failed at epoch " + epoch + ", "
                            + position + ": " + (failure.getMessage() == null ? failure : failure.getMessage()),
                    failure);
        }
    }

    private Envelope admit(Cursor<?> cursor, long epoch, Position position) {
        Object item = cursor.item();
        if (item == null) {
            throw new NullPointerException("the source yielded null");
        }
        return Envelope.item(item, epoch, ledger.admit(index, epoch, position));
    }

    @Override
    String placement() {
        return "source";
    }
}
