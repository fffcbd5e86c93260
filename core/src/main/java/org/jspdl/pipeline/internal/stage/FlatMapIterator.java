package org.jspdl.pipeline.internal.stage;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspdl.pipeline.internal.failure.FailureBudget;
import org.jspdl.pipeline.internal.lineage.Lineage;
import org.jspdl.pipeline.internal.link.Envelope;
import org.jspdl.pipeline.internal.link.Link;
import org.jspecify.annotations.Nullable;

/// The parts of one divided item, pulled from its iterator one at a time. Used by one thread at a time.
///
/// Parts that an earlier run has settled are closed instead of coming again.
public final class FlatMapIterator {
    /// What pulling has brought.
    public enum Pulled {
        PART,
        FILTERED,
        FAILED,
        END
    }

    /// Stands for an item of which nothing comes but which still has its turn.
    public static final FlatMapIterator NONE = new FlatMapIterator();

    public final Envelope whole;
    /// What the function was called with, for who describes a failure; it may be closed.
    public final Object input;
    private final Iterator<?> iterator;
    /// Whether the elements exist already, and have no other owner: those that were not pulled are closed too.
    private final boolean made;
    private final RunContext run;
    private final Link output;
    private final Lineage.Split split;
    private @Nullable Envelope next;
    /// A part that is complete and waits for room.
    @Nullable
    public Envelope ready;

    /// @param made   whether the elements exist before they are pulled
    /// @param output the link that parts are put into
    public FlatMapIterator(Envelope whole, Object input, Iterator<?> iterator, boolean made, Stage stage, Link output) {
        this.whole = whole;
        this.input = input;
        this.iterator = iterator;
        this.made = made;
        this.run = stage.run;
        this.output = output;
        this.split = run.ledger().split(whole.lineage, stage.name);
    }

    @SuppressWarnings("NullAway") // nothing of it is used: it stands for no parts
    private FlatMapIterator() {
        whole = Envelope.end();
        input = "";
        iterator = java.util.Collections.emptyIterator();
        made = false;
        run = null;
        output = null;
        split = null;
    }

    /// Takes out the part that waits.
    public Envelope takeReady() {
        Envelope part = Objects.requireNonNull(ready);
        ready = null;
        return part;
    }

    public Lineage.Split split() {
        return split;
    }

    /// Pulls the next part for `stage` and runs the fused steps on it; after [Pulled#PART] it is [#ready].
    ///
    /// An iterator that fails loses the rest of its item, which counts as one failure of the item. A fused step
    /// that fails loses the part alone.
    public Pulled pull(Stage stage, Fusion fused, WorkerSlot slot) {
        slot.enter(WorkerSlot.State.BUSY, System.nanoTime());
        try {
            return pullOne(stage, fused, slot);
        } finally {
            stage.guard().forgetInterrupt();
            slot.enter(WorkerSlot.State.ENGINE, System.nanoTime());
        }
    }

    private Pulled pullOne(Stage stage, Fusion fused, WorkerSlot slot) {
        try {
            if (!next()) {
                if (stage.stopped()) {
                    // An iterator may answer an interrupt by an end.
                    dispose();
                } else {
                    end();
                }
                return Pulled.END;
            }
        } catch (Throwable failure) {
            slot.failed++;
            if (stage.stopped() || stage.guard().fatal(whole, input, failure) || stage.isInVain()) {
                dispose();
            } else {
                endAfterFailure(stage.guard().budget());
            }
            return Pulled.END;
        }
        Envelope part = take();
        part.sequence = whole.sequence;
        Object value = part.value;
        try {
            if (fused.apply(part)) {
                ready = part;
                return Pulled.PART;
            }
        } catch (Throwable failure) {
            slot.failed++;
            if (stage.guard().failed(part, value, failure)) {
                dispose();
                return Pulled.END;
            }
            return Pulled.FAILED;
        }
        stage.settled(part);
        return Pulled.FILTERED;
    }

    /// Finds the next part; false if there is none, or if no more is wanted.
    private boolean next() {
        while (next == null && !output.isLeft(whole.epoch) && iterator.hasNext()) {
            Object value = iterator.next();
            if (value == null) {
                throw new NullPointerException("an element is null");
            }
            Lineage.Part part = run.ledger().part(split);
            if (part == null) {
                run.disposal().dispose(value);
            } else {
                next = Envelope.item(value, whole.epoch, part);
            }
        }
        return next != null;
    }

    /// The part that was found.
    private Envelope take() {
        Envelope found = next;
        if (found == null) {
            throw new NoSuchElementException();
        }
        next = null;
        return found;
    }

    /// Records that there are no more parts, and closes the iterator.
    private void end() {
        closeIterator();
        run.budget().release(whole);
        run.ledger().end(split, null);
    }

    /// Records that there are no more parts because of a failure that was skipped, and closes the iterator.
    private void endAfterFailure(FailureBudget budget) {
        closeIterator();
        run.budget().release(whole);
        run.ledger().end(split, budget);
    }

    /// Closes the part that was found, the elements that exist already, and the iterator.
    public void dispose() {
        run.budget().release(whole);
        if (ready != null) {
            run.disposal().dispose(ready);
            ready = null;
        }
        if (next != null) {
            run.disposal().dispose(next);
            next = null;
        }
        closeIterator();
    }

    private void closeIterator() {
        if (made) {
            run.disposal().disposeRest(iterator);
        }
        if (iterator instanceof AutoCloseable) {
            run.disposal().dispose((Object) iterator);
        }
    }
}
