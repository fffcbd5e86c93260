package org.jspdl.cli.run;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspdl.data.storage.StorageOptions;
import org.jspdl.observe.Report;
import org.jspdl.observe.Trace;
import org.jspdl.observe.Watch;
import org.jspdl.observe.live.Live;
import org.jspdl.observe.report.ReportDocument;
import org.jspdl.observe.requests.RequestLog;
import org.jspdl.observe.requests.StageReads;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.pipeline.TuningBudget;
import org.jspdl.plan.PlanContext;
import org.jspdl.stats.PipelineStats;

/// How a run is watched, and the files that are made of it. For one run.
public final class Observation {
    private final Watch watch = Watch.create();
    private final StageReads reads;
    private final Optional<Path> page;
    private final Optional<Path> traceFile;
    private final Optional<Trace> trace;
    private final Live live;
    private final StorageOptions storage;
    private Optional<TuningBudget> budget = Optional.empty();

    /// Watches a run.
    ///
    /// @param page      where to write the report as a page; it then also explains the longest stalls
    /// @param traceFile where to write a trace
    /// @param live      what others may do to the run
    /// @param storage   how the run's storage reads
    public Observation(Optional<Path> page, Optional<Path> traceFile, Live live, StorageOptions storage) {
        this.storage = storage;
        this.live = live.report(() -> watch.report().html());
        this.page = page;
        this.traceFile = traceFile;
        this.trace = traceFile.map(file -> Trace.create());
        RequestLog requests = RequestLog.create();
        if (page.isPresent()) {
            watch.explainStalls(requests);
            this.reads = StageReads.create().telling(requests);
        } else {
            this.reads = StageReads.create();
        }
        watch.countReads(reads);
        trace.ifPresent(traced -> watch.onInterval(traced::count));
    }

    /// Gives the tuner of `auto` stages a budget, in place of what a plan says.
    public void limit(Optional<TuningBudget> given) {
        budget = given;
    }

    /// How the run's storage reads: it tells what each stage reads, and if stalls are explained, of its requests to
    /// other machines.
    public StorageOptions storage() {
        return storage.requests(reads);
    }

    /// `context` of a plan whose storage reads so.
    public PlanContext in(PlanContext context) {
        return context.offer(StorageOptions.class, storage());
    }

    /// `options` of the run that is watched.
    RunOptions on(RunOptions options) {
        RunOptions watched = live.listening(watch.on(budget.map(options::tuning).orElse(options)));
        return trace.map(traced -> traced.on(watched)).orElse(watched);
    }

    /// What was seen, once the run is closed.
    ///
    /// @param stats the run's last statistics
    Report report(PipelineStats stats) {
        return watch.report(stats);
    }

    /// Writes the files that were asked for.
    public void write(ReportDocument report) throws IOException {
        if (page.isPresent()) {
            OutputFile.write(page.get(), report.html());
        }
        if (traceFile.isPresent()) {
            OutputFile.write(traceFile.get(), trace.orElseThrow()::write);
        }
    }
}
