package org.jspdl.plan.record;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspdl.memory.Closeables;
import org.jspdl.pipeline.Checkpoint;
import org.jspdl.pipeline.Pipelines;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.pipeline.SourcePlace;
import org.jspdl.plan.CompiledPlan;
import org.jspdl.plan.Operations;
import org.jspdl.plan.Plan;
import org.jspdl.plan.PlanContext;
import org.jspdl.plan.record.RunMembers.Members;
import org.jspecify.annotations.Nullable;

/// A recorded run of one rank once more, from a step to the record's end: the same batches in the same order, each
/// compared with the record, at nearly the speed of a run.
///
/// Where time had decided what came together, because late samples let others pass, the record is the journal of that:
/// the batches are made of the places that it names, in that order. A sample that was late is begun where it was begun
/// then, and nobody waits for it again. What failure policies had skipped is skipped again. Steps that the run left out
/// are passed over. Behind the last step, [#checkpoint()] is where training goes on. Used by one thread.
public final class Rerun implements AutoCloseable {
    /// The most places that are run as one; the next ones begin as these end.
    private static final int MOST_PLACES = 1_000_000;

    private final RecordedRun recorded;
    private final CompiledPlan plan;
    private final RunOptions options;
    private final boolean isTimed;
    private final SkipReplay replay;
    private @Nullable Run<?> run;
    private @Nullable Iterator<?> batches;
    private long step;
    /// The first step that does not belong to what runs.
    private long until;

    private Rerun(RecordedRun recorded, CompiledPlan plan, RunOptions options, boolean isTimed) {
        this.recorded = recorded;
        this.plan = plan;
        this.options = options;
        this.isTimed = isTimed;
        this.replay = recorded.replay();
        this.step = recorded.step();
        this.until = recorded.step();
    }

    /// The run of `rank` in `folder` from `step` on.
    ///
    /// @param operations of which the versions must be those of the record
    /// @param context    completes what the plan is compiled in
    /// @throws IllegalArgumentException if it can't be the same: a version or the data is another, or the record
    ///     lacks the step; the message names it
    public static Rerun open(
            Path folder, int rank, long step, Operations operations, UnaryOperator<PlanContext> context)
            throws IOException {
        RecordedRun recorded = RecordedRun.find(folder, rank, step).untilTheEnd();
        recorded.requireSameVersions(operations.versions());
        RunDescription ran = recorded.description();
        RunNotes notes = RunNotes.again(ran, false);
        PlanContext at =
                PlanContext.in(ran.folder()).rank(ran.rank(), ran.worldSize()).offer(RunNotes.class, notes);
        CompiledPlan plan = Plan.of(ran.name(), ran.plan()).compile(operations, context.apply(at));
        try {
            recorded.requireSameData(notes.data());
            boolean isTimed = isTimed(plan);
            Rerun rerun = new Rerun(recorded, plan, recorded.options(plan), isTimed);
            if (!isTimed) {
                rerun.pass();
            }
            return rerun;
        } catch (Throwable failure) {
            plan.close();
            throw failure;
        }
    }

    private static boolean isTimed(CompiledPlan plan) {
        try {
            plan.pipeline().requireSameOrder();
            return false;
        } catch (IllegalArgumentException timed) {
            return true;
        }
    }

    /// Starts the run from the checkpoint before the step, and makes the batches between again.
    private void pass() {
        Run<?> started = plan.pipeline()
                .start(
                        recorded.near().isPresent()
                                ? options.observer(replay)
                                        .resumeFrom(recorded.near().get())
                                : options.observer(replay));
        run = started;
        batches = started.iterator();
        until = Long.MAX_VALUE;
        for (long left = step - recorded.nearStep(); left > 0; left--) {
            Closeables.closeItem(advance());
        }
    }

    /// The number of the step that [#next] makes.
    public long step() {
        return step;
    }

    /// The batch of the next step, which the caller closes; empty behind the last step of the record.
    ///
    /// @throws IllegalArgumentException if it is not what the run had, or the record does not say what it was made
    ///     of
    public Optional<Object> next() throws IOException {
        long steps = StepSums.steps(recorded.record(), recorded.description().rank());
        while (step < steps && recorded.description().leftOut().contains(step)) {
            if (!isTimed) {
                Closeables.closeItem(advance());
            }
            step++;
        }
        if (step >= steps) {
            return Optional.empty();
        }
        if (step >= until) {
            gather(steps);
        }
        Object batch = advance();
        ContentSum was = StepSums.read(recorded.record(), recorded.description().rank(), step);
        ContentSum is = ContentSum.of(batch);
        if (was.equals(ContentSum.NONE) ? !replay.others().isEmpty() : !was.equals(is)) {
            Closeables.closeItem(batch);
            throw new IllegalArgumentException("step " + step + " of rank "
                    + recorded.description().rank()
                    + " is not what the run had; 'jspdl batch --step " + step + "' names the samples that differ"
                    + String.join("; ", replay.others()).transform(more -> more.isEmpty() ? "" : ": " + more));
        }
        step++;
        return Optional.of(batch);
    }

    /// Where training goes on behind the last step of the record: a run that starts from it delivers what the
    /// recorded one had not. So a trainer that was killed, and goes on from an earlier step, gets the batches that
    /// it had, and then the rest. Called when [#next] has come to the end; does not close the rerun.
    ///
    /// Where time had decided what came together it follows from the last checkpoint in the record and the places
    /// of the batches since, for which shards are read once more without a step: what was filtered or had failed
    /// since then is read again.
    ///
    /// @throws IllegalStateException if there are steps left
    /// @throws IllegalArgumentException if it can't be told from the record, as where items were gathered in
    ///     completion order; the message says why. Then go on from [RecordedRun#near]
    public Checkpoint checkpoint() throws IOException {
        int rank = recorded.description().rank();
        long steps = StepSums.steps(recorded.record(), rank);
        if (step < steps) {
            throw new IllegalStateException("the rerun is at step " + step + ", and the record goes on until step "
                    + steps + ": take all steps first");
        }
        if (!isTimed) {
            Run<?> ended = run;
            if (ended == null) {
                throw new IllegalStateException("the rerun is closed");
            }
            return ended.checkpoint();
        }
        RecordedRun last = RecordedRun.find(recorded.record(), rank, steps - 1);
        if (!last.description().leftOut().isEmpty()) {
            throw new IllegalArgumentException("the record does not have what the steps were made of that the run left"
                    + " out; go on from its last checkpoint");
        }
        Checkpoint before = last.near().isPresent() ? last.near().get() : start();
        List<Long> places = new ArrayList<>();
        long epoch = 0;
        for (long each = last.nearStep(); each < steps; each++) {
            long at = each;
            Members members = StepMembers.read(last.record(), last.description(), each)
                    .orElseThrow(() ->
                            new IllegalArgumentException("the record does not have what step " + at + " was made of"));
            if (members.epoch() != epoch) {
                places.clear();
            }
            epoch = members.epoch();
            members.places().forEach(place -> places.add(place.place()));
            if (places.size() > MOST_PLACES) {
                throw new IllegalArgumentException("the record has no checkpoint in the last " + MOST_PLACES
                        + " samples; go on from the last one");
            }
        }
        return Pipelines.delivering(
                plan.pipeline(), before, epoch, places, before.delivered() + steps - last.nearStep());
    }

    private Checkpoint start() {
        try (Run<?> fresh = plan.pipeline().start(options)) {
            return fresh.checkpoint();
        }
    }

    private Object advance() {
        Run<?> from = run;
        Iterator<?> left = batches;
        if (from == null || left == null) {
            throw new IllegalStateException("the rerun is closed");
        }
        while (!left.hasNext()) {
            if (isTimed || !from.nextEpoch()) {
                throw new IllegalArgumentException("step " + step + " does not come again: the record has other sizes"
                        + " of batches than the plan makes");
            }
        }
        return left.next();
    }

    /// Starts the run of the steps that come next, of one epoch.
    private void gather(long steps) throws IOException {
        closeRun();
        List<SourcePlace> places = new ArrayList<>();
        long epoch = -1;
        long size = -1;
        long end = step;
        while (end < steps && places.size() < MOST_PLACES) {
            Optional<Members> members = StepMembers.read(recorded.record(), recorded.description(), end);
            if (members.isEmpty()) {
                break;
            }
            boolean another = epoch >= 0 && members.get().epoch() != epoch;
            if (another || (size >= 0 && places.size() % size != 0)) {
                break; // what follows a batch of another size is run apart
            }
            epoch = members.get().epoch();
            size = size < 0 ? members.get().places().size() : size;
            if (members.get().places().size() > size) {
                break;
            }
            places.addAll(members.get().places());
            end++;
        }
        if (end == step) {
            throw new IllegalArgumentException("the record does not have what step " + step + " was made of");
        }
        Optional<Checkpoint> near = RecordedRun.find(
                        recorded.record(), recorded.description().rank(), step)
                .near();
        Run<?> started = Pipelines.gathered(plan.pipeline(), epoch, places, near, options);
        run = started;
        batches = started.iterator();
        until = end;
    }

    private void closeRun() {
        Run<?> old = run;
        run = null;
        batches = null;
        if (old != null) {
            old.close();
        }
    }

    @Override
    public void close() {
        try (plan) {
            closeRun();
        }
    }
}
