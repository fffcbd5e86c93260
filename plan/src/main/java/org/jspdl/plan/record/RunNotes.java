package org.jspdl.plan.record;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.plan.PlanContext;
import org.jspecify.annotations.Nullable;

/// What operations say of the data, to a run that is recorded or built again: offered to them by
/// [PlanContext#offer]. Safe for use by any number of threads.
public final class RunNotes {
    private final boolean keepsOrigins;
    private final List<Supplier<String>> data = new ArrayList<>();
    private final IdentityHashMap<Object, List<SampleOrigin>> origins = new IdentityHashMap<>();
    private final List<Drawing> drawings = new ArrayList<>();
    private final List<List<String>> leftOut = new ArrayList<>();
    private final @Nullable List<List<String>> recorded;

    private @Nullable RunMembers members;
    private @Nullable SkipQueue skips;

    private RunNotes(boolean keepsOrigins, @Nullable List<List<String>> recorded) {
        this.keepsOrigins = keepsOrigins;
        this.recorded = recorded;
    }

    /// For a run that is recorded: what it reads, as a whole.
    public static RunNotes ofData() {
        return new RunNotes(false, null);
    }

    /// For a batch that is built again: also what each of its samples was made from.
    public static RunNotes withOrigins() {
        return new RunNotes(true, null);
    }

    /// For what a run had once more, whose sources leave out what they left out then.
    static RunNotes again(RunDescription ran, boolean keepsOrigins) {
        return new RunNotes(keepsOrigins, ran.leftOutSamples());
    }

    /// Options of the run of `pipeline` that is recorded: with observers by which a [RunRecorder] knows what
    /// failure policies skip, and, where time decides which items come together, what each was made from.
    public synchronized RunOptions follow(Pipeline<?> pipeline, RunOptions options) {
        SkipQueue queue = new SkipQueue();
        skips = queue;
        RunOptions followed = options.observer(queue);
        try {
            pipeline.requireSameOrder();
            return followed;
        } catch (IllegalArgumentException timed) {
            members = new RunMembers();
            return followed.observer(members);
        }
    }

    /// What is skipped; null if the run is not followed.
    synchronized @Nullable SkipQueue skips() {
        return skips;
    }

    /// What the run is followed by; null if it need not be.
    synchronized @Nullable RunMembers members() {
        return members;
    }

    /// Notes what a source reads: a text that is the same as long as the list of its files is.
    public synchronized void reads(Supplier<String> what) {
        data.add(what);
    }

    /// Notes the names of the samples that a source leaves out. Each source that can says it once, in the order of
    /// the plan, also if there are none.
    public synchronized void leavesOut(Collection<String> samples) {
        leftOut.add(List.copyOf(samples));
    }

    /// What the next source leaves out in a run that is built again, which that source notes then; empty for a run
    /// that is not recorded yet, which leaves out what it is told.
    public synchronized Optional<List<String>> leftOutThen() {
        if (recorded == null) {
            return Optional.empty();
        }
        return Optional.of(leftOut.size() < recorded.size() ? recorded.get(leftOut.size()) : List.of());
    }

    /// By source, in the order of the plan.
    synchronized List<List<String>> leftOut() {
        return List.copyOf(leftOut);
    }

    /// Whether [#made] keeps anything.
    public boolean keepsOrigins() {
        return keepsOrigins;
    }

    /// Notes what the samples of `batch` were made from, in its order.
    public synchronized void made(Object batch, List<SampleOrigin> from) {
        if (keepsOrigins) {
            origins.put(batch, List.copyOf(from));
        }
    }

    /// Notes that the samples of `batch` lie in another order than they came in.
    ///
    /// @param order by place in the batch, which of those that came lies there
    public synchronized void moved(Object batch, int[] order) {
        if (members != null) {
            members.moved(batch, order);
        }
    }

    /// Draws what can be seen of a batch.
    @FunctionalInterface
    public interface Drawing {
        /// Draws `batch` as a PNG file, if it is one of those that it knows.
        ///
        /// @return whether it is
        boolean draw(Object batch, Path png) throws IOException;
    }

    /// Notes how batches can be drawn.
    public synchronized void drawnBy(Drawing drawing) {
        drawings.add(drawing);
    }

    /// Draws `batch` as a PNG file by the first that knows how.
    ///
    /// @return whether one did
    synchronized boolean draw(Object batch, Path png) throws IOException {
        for (Drawing drawing : drawings) {
            if (drawing.draw(batch, png)) {
                return true;
            }
        }
        return false;
    }

    /// What all sources read, in the order of the plan.
    synchronized List<String> data() {
        return data.stream().map(Supplier::get).toList();
    }

    /// What was noted of `batch`, which is forgotten; empty if nothing was.
    synchronized List<SampleOrigin> take(Object batch) {
        return Optional.ofNullable(origins.remove(batch)).orElse(List.of());
    }
}
