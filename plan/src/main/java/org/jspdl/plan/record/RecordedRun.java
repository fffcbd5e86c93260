package org.jspdl.plan.record;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspdl.json.Json;
import org.jspdl.memory.Closeables;
import org.jspdl.pipeline.Checkpoint;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.plan.CompiledPlan;
import org.jspdl.plan.Operations;
import org.jspdl.plan.Plan;
import org.jspdl.plan.PlanContext;
import org.jspecify.annotations.Nullable;

/// What a [RunRecorder] wrote of one rank, as far as a step needs it: builds that step's batch again, to the bit.
///
/// Where a batch follows from its number ([Pipeline#checkpointAt]) it is built at once. Else the run goes on from the
/// last checkpoint before it, which is at most [RunRecorder#INTERVAL] of its time away.
///
/// @param description what ran
/// @param step        the step to build
/// @param near        the last checkpoint before it
/// @param nearStep    the step of that checkpoint
public record RecordedRun(RunDescription description, long step, Optional<Checkpoint> near, long nearStep) {

    /// The record of `rank` in `folder`, at step `step` from 0.
    ///
    /// @throws IllegalArgumentException if there is none, or it is damaged; the message says where
    public static RecordedRun find(Path folder, int rank, long step) throws IOException {
        if (step < 0 || rank < 0) {
            throw new IllegalArgumentException("rank and step must not be negative but were " + rank + " and " + step);
        }
        Path file = RunRecorder.file(folder, rank);
        RecordedRun found = null;
        try (BufferedReader lines = Files.newBufferedReader(file)) {
            int number = 0;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                number++;
                if (line.isEmpty()) {
                    continue;
                }
                found = with(found, line, step, file + ", line " + number);
            }
        } catch (NoSuchFileException missing) {
            throw new IllegalArgumentException("there is no record of rank " + rank + " in " + folder, missing);
        }
        if (found == null) {
            throw new IllegalArgumentException(file + " has no step " + step);
        }
        return found;
    }

    private static @Nullable RecordedRun with(@Nullable RecordedRun found, String line, long step, String where) {
        Object json;
        try {
            json = Json.parse(line);
        } catch (IllegalArgumentException incomplete) {
            return found; // a process was killed while it wrote
        }
        try {
            if (!(json instanceof Map<?, ?> map)) {
                throw new IllegalArgumentException("it is no object");
            }
            if (RunDescription.isOne(map)) {
                RunDescription run = RunDescription.read(map);
                return run.step() <= step ? new RecordedRun(run, step, run.resumed(), run.step()) : found;
            }
            long at = RunDescription.number(map, "step");
            return found == null || at > step || at < found.nearStep || !(map.get("checkpoint") instanceof String text)
                    ? found
                    : new RecordedRun(found.description, step, Optional.of(Checkpoint.parse(text)), at);
        } catch (ArithmeticException | IllegalArgumentException damaged) {
            throw new IllegalArgumentException(where + " is no part of a record: " + damaged.getMessage(), damaged);
        }
    }

    /// Builds the batch. The caller closes it.
    ///
    /// @param operations of which the versions must be those of the record
    /// @param context    completes what the plan is compiled in
    /// @throws IllegalArgumentException if it can't be the same: a version is another, or time decided which items
    ///     came together; the message names it
    public RebuiltBatch rebuild(Operations operations, UnaryOperator<PlanContext> context) {
        requireSameVersions(operations.versions());
        PlanContext at = PlanContext.in(description.folder()).rank(description.rank(), description.worldSize());
        CompiledPlan plan = Plan.of(description.name(), description.plan()).compile(operations, context.apply(at));
        Run<?> run = null;
        try {
            RunOptions options = plan.options().seed(description.seed());
            Optional<Checkpoint> computed = computed(plan.pipeline(), options);
            if (computed.isEmpty()) {
                plan.pipeline().requireSameOrder();
            }
            Optional<Checkpoint> from = computed.isPresent() ? computed : near;
            long passed = computed.isPresent() ? 0 : step - nearStep;
            run = plan.pipeline().start(from.map(options::resumeFrom).orElse(options));
            Object batch = batch(run, passed);
            return new RebuiltBatch(plan, run, batch, run.epoch(), passed);
        } catch (Throwable failure) {
            try (plan) {
                if (run != null) {
                    run.close();
                }
            } catch (RuntimeException second) {
                failure.addSuppressed(second);
            }
            throw failure;
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

    private static Object batch(Run<?> run, long passed) {
        long left = passed;
        do {
            for (Object item : run) {
                if (left-- == 0) {
                    return item;
                }
                Closeables.closeItem(item);
            }
        } while (run.nextEpoch());
        throw new IllegalStateException("the run has ended before that step");
    }

    private void requireSameVersions(Map<String, String> now) {
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
