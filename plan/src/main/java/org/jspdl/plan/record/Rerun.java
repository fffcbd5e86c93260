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
import org.jspdl.plan.Operations;
import org.jspdl.plan.PlanContext;
import org.jspdl.plan.record.RunMembers.Members;
import org.jspecify.annotations.Nullable;

/// A recorded run of one rank once more, from a step to the record's end: the same batches in the same order, each
/// compared with the record, at the speed of a run.
///
/// Where time had decided what came together, because late samples let others pass, the record is the journal of that:
/// the batches are made of the places that it names, in that order. A sample that was late is begun a little before it
/// was begun then, and nobody waits for it again. What failure policies had skipped is skipped again, in the steps of
/// the process that skipped it. Steps that the run left out are passed over. Behind the last step, [#checkpoint()] is
/// where training goes on. Used by one thread.
public final class Rerun implements AutoCloseable {
    /// The most places that are run as one; the next ones begin as these end.
    private static final int MOST_PLACES = 1_000_000;

    private final Operations operations;
    private final UnaryOperator<PlanContext> context;
    private RunPart part;
    /// Closed at last, since the consumer may still have a batch of an earlier one.
    private final List<RunPart> parts = new ArrayList<>();
    private @Nullable Run<?> run;
    private @Nullable Iterator<?> batches;
    private long step;
    /// The first step that does not belong to what runs.
    private long until;

    private Rerun(RunPart part, Operations operations, UnaryOperator<PlanContext> context) {
        this.part = part;
        this.parts.add(part);
        this.operations = operations;
        this.context = context;
        this.step = part.recorded().step();
        this.until = step;
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
        RunPart part = RunPart.of(RecordedRun.find(folder, rank, step), operations, context);
        Rerun rerun = new Rerun(part, operations, context);
        try {
            rerun.pass();
            return rerun;
        } catch (Throwable failure) {
            rerun.close();
            throw failure;
        }
    }

    /// Goes on where weights changed, or with what another process of the run did.
    private void nextPart() throws IOException {
        closeRun();
        RecordedRun recorded = part.recorded();
        part = RunPart.of(
                RecordedRun.find(recorded.record(), recorded.description().rank(), step), operations, context);
        parts.add(part);
        until = step;
        pass();
    }

    /// Starts the run from the checkpoint before the step, and makes the batches between again, unless time had
    /// decided what came together.
    private void pass() {
        if (part.isTimed()) {
            return;
        }
        RunOptions options = part.options().observer(part.replay());
        Run<?> started = part.plan()
                .pipeline()
                .start(part.recorded().near().map(options::resumeFrom).orElse(options));
        run = started;
        batches = started.iterator();
        until = Long.MAX_VALUE;
        for (long left = step - part.recorded().nearStep(); left > 0; left--) {
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
        Path record = part.recorded().record();
        int rank = part.recorded().description().rank();
        long steps = StepSums.steps(record, rank);
        for (; step < steps; step++) {
            if (step >= part.end()) {
                nextPart();
            }
            if (!part.recorded().description().leftOut().contains(step)) {
                break;
            }
            if (!part.isTimed()) {
                Closeables.closeItem(advance());
            }
        }
        if (step >= steps) {
            return Optional.empty();
        }
        ContentSum was = StepSums.read(record, rank, step);
        if (step >= until) {
            gather(Math.min(steps, part.end()));
        }
        Object batch = advance();
        ContentSum is = ContentSum.of(batch);
        List<String> others = part.replay().others();
        if (was.equals(ContentSum.NONE) ? !others.isEmpty() : !was.equals(is)) {
            Closeables.closeItem(batch);
            throw new IllegalArgumentException("step " + step + " of rank " + rank
                    + " is not what the run had; 'jspdl batch --step " + step + "' names the samples that differ"
                    + (others.isEmpty() ? "" : ": " + String.join("; ", others)));
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
        RecordedRun recorded = part.recorded();
        int rank = recorded.description().rank();
        long steps = StepSums.steps(recorded.record(), rank);
        if (step < steps) {
            throw new IllegalStateException("the rerun is at step " + step + ", and the record goes on until step "
                    + steps + ": take all steps first");
        }
        if (!part.isTimed()) {
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
                part.plan().pipeline(), before, epoch, places, before.delivered() + steps - last.nearStep());
    }

    private Checkpoint start() {
        try (Run<?> fresh = part.plan().pipeline().start(part.options())) {
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
            if (part.isTimed() || !from.nextEpoch()) {
                throw new IllegalArgumentException("step " + step + " does not come again: the record has other sizes"
                        + " of batches than the plan makes");
            }
        }
        return left.next();
    }

    /// Starts the run of the steps that come next, of one epoch.
    private void gather(long steps) throws IOException {
        closeRun();
        RecordedRun recorded = part.recorded();
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
        Run<?> started = Pipelines.gathered(part.plan().pipeline(), epoch, places, near, part.options());
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
        try (RunPart _ = part) {
            closeRun();
        }
    }
}
