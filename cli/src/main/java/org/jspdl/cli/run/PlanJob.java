package org.jspdl.cli.run;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.SortedSet;
import org.jspdl.cli.terminal.ProgressLine;
import org.jspdl.data.dataset.DatasetException;
import org.jspdl.data.dataset.LeftOut;
import org.jspdl.data.storage.FailureReasons;
import org.jspdl.files.InputFile;
import org.jspdl.media.image.ImageSpec;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.pipeline.mixture.LiveMixture;
import org.jspdl.plan.CompiledPlan;
import org.jspdl.plan.Operations;
import org.jspdl.plan.Plan;
import org.jspdl.plan.PlanContext;
import org.jspdl.plan.record.RunDescription;
import org.jspdl.plan.record.RunNotes;
import org.jspdl.plan.record.RunRecorder;
import org.jspdl.plan.record.SkipList;
import org.jspdl.plan.record.SkippedSamples;
import org.jspdl.stats.PipelineStats;
import org.jspecify.annotations.Nullable;

/// One run of a plan, consumed and measured as the main job is. Used once, by one thread.
public final class PlanJob {
    private final PlanText plan;
    private final Observation observation;
    private final PlanContext context;
    private final Optional<Path> record;
    private final SortedSet<Long> leftOut;
    private final SkippedSamples skipped;
    private final RunNotes notes = RunNotes.ofData();
    private final FailureLog failures = new FailureLog();
    private final Consumption consumption = new Consumption();
    private final double preparationSeconds = ProcessFigures.secondsSinceStart();

    /// A plan, and for which of the ranks that share its items.
    ///
    /// @param name   what messages call it
    /// @param text   in YAML, or in JSON if the name ends in `.json`
    /// @param folder where its relative paths begin
    public record PlanText(String name, String text, Path folder, int rank, int worldSize) {
        /// Far more than a plan may have, which says so itself.
        private static final int MOST_BYTES = 64 << 20;

        /// Refuses what is no file. A plan is read more than once, which a pipe can't be.
        public static void require(Path file) throws DatasetException {
            if (!Files.exists(file)) {
                throw new DatasetException("there is no plan at " + file);
            }
            if (!Files.isRegularFile(file)) {
                throw new DatasetException("the plan " + file
                        + " is no file but a folder, a pipe, a socket or a device; write it to a file and name that");
            }
        }

        /// The plan in `file`, for one rank alone.
        public static PlanText read(Path file) throws IOException {
            Path folder = Optional.ofNullable(file.toAbsolutePath().getParent()).orElse(Path.of(""));
            try {
                return new PlanText(file.toString(), InputFile.text(file, MOST_BYTES), folder, 0, 1);
            } catch (FileSystemException unusable) {
                throw new DatasetException("the plan " + FailureReasons.withFile(unusable), unusable);
            }
        }
    }

    /// A job for `plan`.
    ///
    /// @param context where it is compiled, but for its rank
    /// @param record  the folder of the run's record, if one is written
    /// @param leftOut what is not consumed
    public PlanJob(
            PlanText plan, PlanContext context, Observation observation, Optional<Path> record, SkipList leftOut) {
        this.leftOut = leftOut.steps();
        this.skipped = new SkippedSamples(leftOut.samples());
        this.record = record;
        this.observation = observation;
        this.plan = plan;
        PlanContext ranked = context.quarantine(failures::add)
                .offer(SkippedSamples.class, skipped)
                .rank(plan.rank(), plan.worldSize());
        this.context = record.isPresent() ? ranked.offer(RunNotes.class, notes) : ranked;
    }

    /// Has the first batch of images drawn, made by `spec`.
    public PlanJob preview(Path png, ImageSpec spec) {
        consumption.preview(new Preview(png, spec));
        return this;
    }

    /// Takes every item of every epoch.
    ///
    /// @throws org.jspdl.plan.PlanException if the plan cannot be used
    /// @throws org.jspdl.pipeline.PipelineException if the run failed
    /// @throws IOException if the record can't be written
    public RunReport run(ImageJob.ProgressSource progressSource) throws IOException {
        try (CompiledPlan compiled = Plan.of(plan.name(), plan.text()).compile(Operations.installed(), context)) {
            requireFound();
            long epochs = compiled.options().epochs();
            long size = compiled.sourceSize().orElse(-1);
            ProgressLine progress = progressSource.of(ProgressLine.total(size, epochs));
            PipelineStats stats;
            RunOptions options = record.isEmpty()
                    ? compiled.options().leaveOut(leftOut)
                    : notes.follow(compiled.pipeline(), compiled.options().leaveOut(leftOut));
            try (RunRecorder recorder = recorder(options);
                    Run<?> run = compiled.pipeline().start(observation.on(options))) {
                LiveMixture.watch(run);
                consumption.record(recorder);
                stats = consumption.consume(run, progress);
            } finally {
                progress.clear();
            }
            return consumption.report(
                    new RunReport.Subject(plan.name(), size, epochs, Optional.empty(), "", LeftOut.NONE, ""),
                    preparationSeconds,
                    failures,
                    stats,
                    observation.report(stats),
                    Optional.empty());
        }
    }

    private void requireFound() throws DatasetException {
        try {
            skipped.requireFound();
        } catch (IllegalArgumentException missing) {
            throw new DatasetException("--skip-list: " + missing.getMessage(), missing);
        }
    }

    private @Nullable RunRecorder recorder(RunOptions options) throws IOException {
        if (record.isEmpty()) {
            return null;
        }
        RunDescription run = RunDescription.of(
                plan.name(),
                plan.text(),
                plan.folder(),
                plan.rank(),
                plan.worldSize(),
                options,
                Operations.installed().versions(),
                notes);
        try {
            return RunRecorder.open(record.get(), run, notes, RunRecorder.INTERVAL);
        } catch (IllegalArgumentException foreign) {
            throw new DatasetException("--record: " + foreign.getMessage(), foreign);
        }
    }
}
