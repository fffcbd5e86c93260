package org.jspdl.cli.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.SortedSet;
import org.jspdl.cli.terminal.ProgressLine;
import org.jspdl.data.dataset.LeftOut;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.plan.CompiledPlan;
import org.jspdl.plan.Operations;
import org.jspdl.plan.Plan;
import org.jspdl.plan.PlanContext;
import org.jspdl.plan.record.RunDescription;
import org.jspdl.plan.record.RunNotes;
import org.jspdl.plan.record.RunRecorder;
import org.jspdl.stats.PipelineStats;
import org.jspecify.annotations.Nullable;

/// One run of a plan, consumed and measured as the main job is. Used once, by one thread.
public final class PlanJob {
    private final String name;
    private final Plan plan;
    private final Observation observation;
    private final PlanContext context;
    private final Path file;
    private final Optional<Path> record;
    private final SortedSet<Long> leftOut;
    private final RunNotes notes = RunNotes.ofData();
    private final FailureLog failures = new FailureLog();
    private final Consumption consumption = new Consumption();
    private final double preparationSeconds = ProcessFigures.secondsSinceStart();

    /// A job for `plan`, which was read from `file`.
    ///
    /// @param record  the folder of the run's record, if one is written
    /// @param leftOut steps that are not consumed
    public PlanJob(
            Path file,
            Plan plan,
            PlanContext context,
            Observation observation,
            Optional<Path> record,
            SortedSet<Long> leftOut) {
        this.leftOut = leftOut;
        this.file = file;
        this.record = record;
        this.observation = observation;
        this.name = file.toString();
        this.plan = plan;
        this.context = record.isPresent()
                ? context.quarantine(failures::add).offer(RunNotes.class, notes)
                : context.quarantine(failures::add);
    }

    /// Takes every item of every epoch.
    ///
    /// @throws org.jspdl.plan.PlanException if the plan cannot be used
    /// @throws org.jspdl.pipeline.PipelineException if the run failed
    /// @throws IOException if the record can't be written
    public RunReport run(ImageJob.ProgressSource progressSource) throws IOException {
        try (CompiledPlan compiled = plan.compile(Operations.installed(), context)) {
            long epochs = compiled.options().epochs();
            long size = compiled.sourceSize().orElse(-1);
            ProgressLine progress = progressSource.of(Math.max(0, size) * epochs);
            PipelineStats stats;
            RunOptions options = compiled.options().leaveOut(leftOut);
            try (RunRecorder recorder = recorder(options);
                    Run<?> run = compiled.pipeline().start(observation.on(options))) {
                consumption.record(recorder);
                stats = consumption.consume(run, progress);
            } finally {
                progress.clear();
            }
            return consumption.report(
                    new RunReport.Subject(name, size, epochs, Optional.empty(), "", LeftOut.NONE),
                    preparationSeconds,
                    failures,
                    stats,
                    observation.report(stats),
                    Optional.empty());
        }
    }

    private @Nullable RunRecorder recorder(RunOptions options) throws IOException {
        if (record.isEmpty()) {
            return null;
        }
        RunDescription run = RunDescription.of(
                name,
                Files.readString(file),
                Optional.ofNullable(file.toAbsolutePath().getParent()).orElse(Path.of("")),
                0,
                1,
                options,
                Operations.installed().versions(),
                notes);
        return RunRecorder.open(record.get(), run);
    }
}
