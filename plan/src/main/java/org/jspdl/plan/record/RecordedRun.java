package org.jspdl.plan.record;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspdl.memory.Closeables;
import org.jspdl.pipeline.Checkpoint;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Pipelines;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.plan.CompiledPlan;
import org.jspdl.plan.Operations;
import org.jspdl.plan.Plan;
import org.jspdl.plan.PlanContext;
import org.jspdl.plan.record.RunMembers.Members;
import org.jspecify.annotations.Nullable;

/// What a [RunRecorder] wrote of one rank, as far as a step needs it: builds that step's batch again, to the bit.
///
/// Where a batch follows from its number ([Pipeline#checkpointAt]) it is built at once, and so it is where time decided
/// what came together and the record has the places of its samples. Else the run goes on from the
/// last checkpoint before it, which is at most [RunRecorder#INTERVAL] of its time away. Either way its content is
/// compared with what the record has of it, so that no other batch is ever taken for it.
///
/// @param record      the folder of the record
/// @param description what ran
/// @param step        the step to build
/// @param near        the last checkpoint before it
/// @param nearStep    the step of that checkpoint
/// @param skipped     what failure policies skipped in that process of the run; empty if the record does not say
public record RecordedRun(
        Path record,
        RunDescription description,
        long step,
        Optional<Checkpoint> near,
        long nearStep,
        Optional<List<SkippedPlace>> skipped) {
    /// The key of lines with what was skipped.
    static final String SKIPPED = "skipped";
    /// The key that lines with a checkpoint have where weights of a live mix have changed.
    static final String CHANGE = "change";

    /// A run of which the record does not say what was skipped.
    public RecordedRun(Path record, RunDescription description, long step, Optional<Checkpoint> near, long nearStep) {
        this(record, description, step, near, nearStep, Optional.empty());
    }

    /// The record of `rank` in `folder`, at step `step` from 0.
    ///
    /// @throws IllegalArgumentException if there is none, or it is damaged, or the run had no such step; the
    ///     message says where
    public static RecordedRun find(Path folder, int rank, long step) throws IOException {
        if (step < 0 || rank < 0) {
            throw new IllegalArgumentException("rank and step must not be negative but were " + rank + " and " + step);
        }
        Path file = RunRecorder.file(folder, rank);
        RecordedRun found = null;
        try (RecordLines lines = RecordLines.open(file)) {
            boolean isOwn = false;
            for (Map<?, ?> json = lines.next(); json != null; json = lines.next()) {
                isOwn = RunDescription.isOne(json) ? isUntil(json, step) : isOwn;
                found = with(folder, found, json, isOwn, step, lines.where());
            }
        } catch (NoSuchFileException missing) {
            throw new IllegalArgumentException("there is no record of rank " + rank + " in " + folder, missing);
        }
        if (found == null) {
            throw new IllegalArgumentException(file + " has no step " + step);
        }
        StepSums.read(folder, rank, step);
        return found;
    }

    /// Whether a line is about the step or one before, such as where a process of the run began.
    private static boolean isUntil(Map<?, ?> json, long step) {
        return json.get("step") instanceof Long began && began <= step;
    }

    /// @param isOwn whether the line is of a process that began at the step or before
    private static @Nullable RecordedRun with(
            Path folder, @Nullable RecordedRun found, Map<?, ?> json, boolean isOwn, long step, String where) {
        try {
            if (RunDescription.isOne(json)) {
                RunDescription run = RunDescription.read(json);
                return run.step() <= step
                        ? new RecordedRun(folder, run, step, run.resumed(), run.step(), Optional.empty())
                        : found;
            }
            if (json.get(SKIPPED) instanceof List<?> more) {
                return found == null || !isOwn ? found : found.withSkipped(more);
            }
            long at = RunDescription.number(json, "step");
            return found == null
                            || !isOwn
                            || at > step
                            || at < found.nearStep
                            || !(json.get("checkpoint") instanceof String text)
                    ? found
                    : new RecordedRun(
                            folder, found.description, step, Optional.of(Checkpoint.parse(text)), at, found.skipped);
        } catch (ArithmeticException | IllegalArgumentException damaged) {
            throw new IllegalArgumentException(where + " is no part of a record: " + damaged.getMessage(), damaged);
        }
    }

    private RecordedRun withSkipped(List<?> more) {
        List<SkippedPlace> all = skipped.orElseGet(ArrayList::new); // its own until it is found
        more.forEach(each -> all.add(SkippedPlace.read(each)));
        return new RecordedRun(record, description, step, near, nearStep, Optional.of(all));
    }

    /// Builds the batch. The caller closes it.
    ///
    /// @param operations of which the versions must be those of the record
    /// @param context    completes what the plan is compiled in
    /// @throws IllegalArgumentException if it can't be the same, or isn't: a version is another, time decided which
    ///     items came together, or the data was changed; the message names it
    public RebuiltBatch rebuild(Operations operations, UnaryOperator<PlanContext> context) throws IOException {
        ContentSum sum = StepSums.read(record, description.rank(), step);
        requireSameVersions(operations.versions());
        RunNotes notes = RunNotes.again(description, true);
        PlanContext at = PlanContext.in(description.folder())
                .rank(description.rank(), description.worldSize())
                .offer(RunNotes.class, notes);
        CompiledPlan plan = Plan.of(description.name(), description.plan()).compile(operations, context.apply(at));
        Run<?> run = null;
        Object batch = null;
        try {
            requireSameData(notes.data());
            // trainers may ask for more epochs than the plan says; the record knows which steps there are
            RunOptions options = options(plan).epochs(Long.MAX_VALUE);
            SkipReplay replay = replay();
            Optional<Checkpoint> computed = computed(plan.pipeline(), options);
            Optional<Members> members = computed.isPresent() ? Optional.empty() : members(plan.pipeline());
            Optional<Checkpoint> from = computed.isPresent() ? computed : near;
            long passed = computed.isPresent() || members.isPresent() ? 0 : step - nearStep;
            run = members.isPresent()
                    ? Pipelines.gathered(
                            plan.pipeline(),
                            members.get().epoch(),
                            members.get().places(),
                            near,
                            options)
                    : plan.pipeline()
                            .start(
                                    from.isPresent()
                                            ? options.observer(replay).resumeFrom(from.get())
                                            : options.observer(replay));
            batch = batch(run, passed, notes);
            List<SampleOrigin> origins = notes.take(batch);
            if (sum.equals(ContentSum.NONE)) {
                requireNoOthers(replay);
            } else {
                new ContentCheck(this, sum, origins, replay.others()).require(batch);
            }
            return new RebuiltBatch(
                    plan, run, batch, origins, notes, run.epoch(), passed, !sum.equals(ContentSum.NONE));
        } catch (Throwable failure) {
            try (plan) {
                Closeables.closeItem(batch);
                if (run != null) {
                    run.close();
                }
            } catch (RuntimeException second) {
                failure.addSuppressed(second);
            }
            throw failure;
        }
    }

    /// The step at which weights of a live mix changed next, or a later process of the run went on;
    /// [Long#MAX_VALUE] if there is none.
    long end() throws IOException {
        Path file = RunRecorder.file(record, description.rank());
        long end = Long.MAX_VALUE;
        boolean isOwn = false;
        try (RecordLines lines = RecordLines.open(file)) {
            for (Map<?, ?> json = lines.next(); json != null; json = lines.next()) {
                if (RunDescription.isOne(json)) {
                    isOwn = isUntil(json, step);
                    end = isOwn ? Long.MAX_VALUE : Math.min(end, RunDescription.number(json, "step"));
                } else if (isOwn && json.containsKey(CHANGE) && !isUntil(json, step)) {
                    end = Math.min(end, RunDescription.number(json, "step"));
                }
            }
        }
        return end;
    }

    /// Refuses to go on with what another version of JSPDL, or something else than JSPDL, has written in `folder`,
    /// and to begin where another run is recorded, of which nothing would be left.
    static void requireOwn(Path folder, RunDescription run) throws IOException {
        Path file = RunRecorder.file(folder, run.rank());
        if (!Files.isRegularFile(file)) {
            return; // none, or a device, which may never end
        }
        try (RecordLines lines = RecordLines.open(file)) {
            Map<?, ?> last = null;
            boolean begins = run.step() == 0 && StepSums.hasSteps(folder, run.rank());
            for (Map<?, ?> json = lines.next(); json != null && (begins || last == null); json = lines.next()) {
                if (RunDescription.isOne(json)) {
                    RunDescription.requireFormat(json);
                    last = json;
                }
            }
            if (begins && last != null && !run.isOf(last)) {
                throw new IllegalArgumentException("there is the record of another run, '" + last.get("name") + "' of "
                        + last.get("began") + ", which would be lost");
            }
        } catch (IllegalArgumentException other) {
            throw new IllegalArgumentException(
                    "the run can't be recorded in " + folder + ": " + other.getMessage() + "; name another folder",
                    other);
        }
    }

    /// As the run had them, as far as they decide what its batches are.
    RunOptions options(CompiledPlan plan) {
        RunOptions options = plan.options().seed(description.seed());
        if (!description.leftOut().isEmpty()) {
            options = options.provenance("left out", "" + description.leftOut());
        }
        for (Map.Entry<String, String> each : description.ofOptions().entrySet()) {
            options = options.provenance(each.getKey(), each.getValue());
        }
        return options;
    }

    /// What a run that goes through all that the run had skips again.
    SkipReplay replay() {
        return new SkipReplay(skipped.orElse(List.of()));
    }

    /// Refuses a batch that can't be compared, if it may lack something that the run had.
    void requireNoOthers(SkipReplay replay) {
        if (skipped.isPresent() && !replay.others().isEmpty()) {
            throw new IllegalArgumentException("step " + step + " of rank " + description.rank()
                    + " may not be what the run had, and the record can't compare it: "
                    + String.join("; ", replay.others()));
        }
    }

    /// Only of a run from its start: one that took over from other ranks counts steps otherwise.
    private Optional<Checkpoint> computed(Pipeline<?> pipeline, RunOptions options) {
        if (description.resumed().isPresent()) {
            return Optional.empty();
        }
        try {
            return Optional.of(pipeline.checkpointAt(step, options));
        } catch (IllegalArgumentException moreThanItsNumber) {
            return Optional.empty();
        }
    }

    /// What the step was made of, if time has decided that.
    ///
    /// @throws IllegalArgumentException if time has and the record doesn't have it
    private Optional<Members> members(Pipeline<?> pipeline) throws IOException {
        try {
            pipeline.requireSameOrder();
            return Optional.empty();
        } catch (IllegalArgumentException timed) {
            Optional<Members> members = StepMembers.read(record, description, step);
            if (members.isEmpty()) {
                throw new IllegalArgumentException(
                        timed.getMessage() + ", and the record does not have what step " + step + " was made of",
                        timed);
            }
            return members;
        }
    }

    private static Object batch(Run<?> run, long passed, RunNotes notes) {
        long left = passed;
        do {
            for (Object item : run) {
                if (left-- == 0) {
                    return item;
                }
                notes.take(item);
                Closeables.closeItem(item);
            }
        } while (run.nextEpoch());
        throw new IllegalStateException("the run has ended before that step");
    }

    void requireSameData(List<String> now) {
        if (!now.equals(description.data())) {
            throw new IllegalArgumentException("the data is another than on " + description.began()
                    + ", when the run began: it read " + description.data() + " and now there is " + now
                    + "; build the batch where the files of the run are");
        }
    }

    void requireSameVersions(Map<String, String> now) {
        List<String> others = new ArrayList<>();
        description.versions().forEach((what, was) -> {
            String is = now.getOrDefault(what, "none");
            if (!is.equals(was)) {
                others.add(what + " was " + was + " and is " + is);
            }
        });
        if (!others.isEmpty()) {
            others.sort(null);
            throw new IllegalArgumentException("the batch would not be the same to the bit: "
                    + String.join("; ", others) + "; build it where the versions are those of the run");
        }
    }
}
