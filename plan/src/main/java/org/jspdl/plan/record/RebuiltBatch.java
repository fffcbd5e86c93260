package org.jspdl.plan.record;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspdl.memory.Closeables;
import org.jspdl.pipeline.Run;
import org.jspdl.plan.CompiledPlan;

/// A batch that was built again, with what it lies in. Used by one thread.
public final class RebuiltBatch implements AutoCloseable {
    private final CompiledPlan plan;
    private final Run<?> run;
    private final Object batch;
    private final List<SampleOrigin> origins;
    private final RunNotes notes;
    private final long epoch;
    private final long replayed;
    private final boolean compared;

    RebuiltBatch(
            CompiledPlan plan,
            Run<?> run,
            Object batch,
            List<SampleOrigin> origins,
            RunNotes notes,
            long epoch,
            long replayed,
            boolean compared) {
        this.plan = plan;
        this.run = run;
        this.batch = batch;
        this.origins = origins;
        this.notes = notes;
        this.epoch = epoch;
        this.replayed = replayed;
        this.compared = compared;
    }

    /// What the plan yields; closed with this.
    public Object batch() {
        return batch;
    }

    /// What each of its samples was made from, in its order, as far as its operations say; else empty.
    public List<SampleOrigin> origins() {
        return origins;
    }

    /// Whether its content was compared with the record. It is not if the run left it out, or if it has values of a
    /// type that the record can't read; see [org.jspdl.memory.NamedValues] for those that it can.
    public boolean wasCompared() {
        return compared;
    }

    /// Draws its images as one PNG file, eight in a row.
    ///
    /// @throws IllegalArgumentException if the plan has no images
    public void draw(Path png) throws IOException {
        if (!notes.draw(batch, png)) {
            throw new IllegalArgumentException("the batch has no images that a step of the plan could draw");
        }
    }

    /// The epoch that it is of, counted from 0.
    public long epoch() {
        return epoch;
    }

    /// How many batches before it were built to come to it.
    public long replayed() {
        return replayed;
    }

    @Override
    public void close() {
        try (plan;
                run) {
            Closeables.closeItem(batch);
        }
    }
}
