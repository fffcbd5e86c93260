package org.jspdl.observe;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspdl.observe.diagnosis.Diagnosis;
import org.jspdl.observe.diagnosis.Evidence;
import org.jspdl.observe.process.ProcessUsage;
import org.jspdl.observe.report.ReportDocument;
import org.jspdl.observe.text.Figures;
import org.jspdl.stats.PipelineStats;

/// What a watched run did, and why it was not faster. Immutable.
///
/// @param started   when the run was about to start
/// @param total     the whole run, from its first sample to its last
/// @param steady    the stretch that the diagnosis is made from: without the start, and without the time after the last
///     batch
/// @param series    what happened over time, in intervals of about the same length
/// @param work      how the functions of stages spent their time, by the stage's name
/// @param stalls    the longest stalls of the consumer, longest first; empty unless they were asked for
/// @param waited    what the consumer waited for most; empty unless stalls were asked for
/// @param usage     what the process used up to the last sample: counters from the start of the process
/// @param diagnosis what limits the run
/// @param items     what a batch holds, for rates beside those of batches
public record Report(
        Instant started,
        Interval total,
        Interval steady,
        List<Interval> series,
        Map<String, StageWork> work,
        List<Stall> stalls,
        Optional<StallShare> waited,
        ProcessUsage usage,
        Diagnosis diagnosis,
        Items items) {
    private static final double WARM_UP = 0.3;
    private static final int FEWEST_STEADY = 4;
    private static final int FEWEST_BATCHES = 2;

    /// What a batch holds.
    ///
    /// @param name     such as "images"; empty if it is not known
    /// @param perBatch the mean number in a batch
    public record Items(String name, double perBatch) {
        static final Items UNKNOWN = new Items("", 0);

        /// `40.5 batches/s (2,590 images/s)`.
        String rate(double batchesPerSecond) {
            String batches = Figures.rate(batchesPerSecond) + " batches/s";
            return name.isEmpty()
                    ? batches
                    : batches + " (" + Figures.rate(batchesPerSecond * perBatch) + " " + name + "/s)";
        }
    }

    /// A report that does not tell what the consumer waited for most.
    public Report(
            Instant started,
            Interval total,
            Interval steady,
            List<Interval> series,
            Map<String, StageWork> work,
            List<Stall> stalls,
            ProcessUsage usage,
            Diagnosis diagnosis,
            Items items) {
        this(started, total, steady, series, work, stalls, Optional.empty(), usage, diagnosis, items);
    }

    static Report of(Instant started, List<Snapshot> snapshots, Map<String, StageWork> work) {
        List<Interval> series = series(snapshots);
        Interval total = snapshots.getLast().since(snapshots.getFirst());
        Interval steady = steady(snapshots);
        Map<String, Evidence.Work> shares = new HashMap<>();
        work.forEach((stage, seen) -> shares.put(
                stage,
                new Evidence.Work(
                        seen.processorShare(),
                        seen.share(Activity.FILES),
                        seen.share(Activity.NETWORK),
                        seen.place())));
        Diagnosis diagnosis = Diagnosis.of(new Evidence(steady.stats(), steady.usage(), shares));
        return new Report(
                started,
                total,
                steady,
                List.copyOf(series),
                Map.copyOf(work),
                List.of(),
                snapshots.getLast().usage(),
                diagnosis,
                Items.UNKNOWN);
    }

    /// The same with stalls.
    Report explaining(List<Stall> longest, Optional<StallShare> most) {
        return new Report(started, total, steady, series, work, longest, most, usage, diagnosis, items);
    }

    /// The intervals between snapshots; one at the end that is much shorter than the others goes with the one
    /// before.
    private static List<Interval> series(List<Snapshot> snapshots) {
        List<Snapshot> ends = new ArrayList<>(snapshots);
        int last = ends.size() - 1;
        if (last > 1 && 2 * distance(ends, last) < distance(ends, last - 1)) {
            ends.remove(last - 1);
        }
        List<Interval> series = new ArrayList<>();
        for (int i = 1; i < ends.size(); i++) {
            series.add(ends.get(i).since(ends.get(i - 1)));
        }
        return series;
    }

    private static long distance(List<Snapshot> snapshots, int i) {
        return snapshots
                .get(i)
                .stats()
                .elapsed()
                .minus(snapshots.get(i - 1).stats().elapsed())
                .toNanos();
    }

    /// From a while after the first batch to the last one, as far as there are samples.
    private static Interval steady(List<Snapshot> snapshots) {
        int first = 0;
        while (first < snapshots.size() - 2 && snapshots.get(first).stats().delivered() == 0) {
            first++;
        }
        int last = snapshots.size() - 1;
        while (last > first + 1 && delivered(snapshots, last) == delivered(snapshots, last - 1)) {
            last--;
        }
        if (last - first > FEWEST_STEADY) {
            Duration begin = snapshots.get(first).stats().elapsed();
            Duration span = snapshots.get(last).stats().elapsed().minus(begin);
            long warm = begin.toNanos() + (long) (span.toNanos() * WARM_UP);
            while (last - first > FEWEST_STEADY
                    && snapshots.get(first).stats().elapsed().toNanos() < warm) {
                first++;
            }
        }
        first = Math.min(first, Math.max(0, last - 1));
        // A short run on a slow machine may have delivered all but one before the second sample.
        boolean tooLittle = delivered(snapshots, last) - delivered(snapshots, first) < FEWEST_BATCHES;
        return snapshots.get(last).since(snapshots.get(tooLittle ? 0 : first));
    }

    private static long delivered(List<Snapshot> snapshots, int i) {
        return snapshots.get(i).stats().delivered();
    }

    /// The pipeline's name.
    public String pipeline() {
        return total.stats().pipeline();
    }

    /// Counters of the whole run.
    public PipelineStats stats() {
        return total.stats();
    }

    /// What is known of a stage's function.
    public StageWork work(String stage) {
        return work.getOrDefault(stage, StageWork.NONE);
    }

    /// The same report with rates of items beside those of batches.
    ///
    /// @param name     such as "images"
    /// @param perBatch the mean number in a batch
    public Report counting(String name, double perBatch) {
        return new Report(
                started, total, steady, series, work, stalls, waited, usage, diagnosis, new Items(name, perBatch));
    }

    /// The report as a model, to which sections may be added.
    public ReportDocument document() {
        return ReportSections.of(this);
    }

    /// For a person, in a terminal of about 120 columns.
    public String text() {
        return document().text();
    }

    /// For programs: a JSON document whose keys `docs/reference/report.md` explains.
    public String json() {
        return document().json();
    }

    /// A page with plots for a browser, which loads nothing else.
    public String html() {
        return document().html();
    }

    /// Writes [#html] into `file`.
    public void writeHtml(Path file) throws IOException {
        Files.writeString(file, html());
    }
}
