package org.jspdl.observe;

import java.util.Locale;
import org.jspdl.observe.diagnosis.Finding;
import org.jspdl.observe.diagnosis.Remedy;
import org.jspdl.observe.process.ProcessUsage;
import org.jspdl.observe.text.Figures;
import org.jspdl.stats.LinkStats;
import org.jspdl.stats.PipelineStats;
import org.jspdl.stats.StageStats;

/// A report in a terminal.
final class ReportText {
    private static final int WAITS = 3;
    private static final int WIDTH = 118;

    private final StringBuilder text = new StringBuilder(4096);

    private ReportText() {}

    static String of(Report report) {
        ReportText text = new ReportText();
        text.stages(report);
        text.process(report);
        text.changes(report);
        text.waits(report);
        text.diagnosis(report);
        return text.text.toString();
    }

    private void stages(Report report) {
        PipelineStats stats = report.total().stats();
        line(
                "  %-12s %5s %10s %10s %10s %7s %11s %10s %9s %7s",
                "stage", "slots", "items", "mean", "p99", "busy", "wait input", "wait room", "wait CPU", "ready");
        for (StageStats stage : stats.stages()) {
            line(
                    "  %-12s %5d %10s %10s %10s %7s %11s %10s %9s %7s",
                    stage.name(),
                    stage.concurrency(),
                    Figures.count(stage.completed()),
                    Figures.time(stage.timePerItem()),
                    stage.latency().calls() == 0
                            ? ""
                            : Figures.time(stage.latency().p99()),
                    Figures.share(stage.busyShare(stats.elapsed())),
                    Figures.share(stage.starvedShare(stats.elapsed())),
                    Figures.share(stage.blockedShare(stats.elapsed())),
                    Figures.share(stage.queuedShare(stats.elapsed())),
                    linkOf(stats, stage.name()));
        }
        line(
                "  %-12s %5d %10s %10s",
                "consumer", 1, Figures.count(stats.delivered()), Figures.time(perDelivery(stats)));
        line("");
    }

    private static java.time.Duration perDelivery(PipelineStats stats) {
        return stats.delivered() == 0
                ? java.time.Duration.ZERO
                : stats.consumerBusy().dividedBy(stats.delivered());
    }

    /// How much of the time something was ready behind the stage.
    private static String linkOf(PipelineStats stats, String stage) {
        return stats.links().stream()
                .filter(link -> link.name().equals(stage))
                .findFirst()
                .map((LinkStats link) -> Figures.share(link.readiness(stats.elapsed())))
                .orElse("");
    }

    private void process(Report report) {
        ProcessUsage used = report.total().usage();
        double seconds = Math.max(1e-9, used.at() / 1e9);
        line(
                "  %.2f of %d processors used (others %.2f), garbage collection stopped %s of the time",
                used.processorsUsed(),
                used.machine().processors(),
                used.processorsUsedByOthers(),
                Figures.share(used.pausedShare()));
        line(
                "  %s resident, %s on the heap, %s in pools; %s/s read, %s/s of it from disks",
                Figures.bytes(report.usage().memory().resident()),
                Figures.bytes(report.usage().memory().heap()),
                Figures.bytes(report.usage().memory().pools()),
                Figures.bytes((long) (Math.max(0, used.transfer().read()) / seconds)),
                Figures.bytes((long) (Math.max(0, used.transfer().disk()) / seconds)));
        line("");
    }

    private void changes(Report report) {
        if (report.stats().changes().isEmpty()) {
            return;
        }
        line("  Changed while it went on:");
        report.stats().changes().forEach(change -> line("    after %s: %s", Figures.time(change.at()), change));
        line("");
    }

    private void waits(Report report) {
        if (report.waits().isEmpty()) {
            return;
        }
        line("  Longest waits of the consumer:");
        report.waits().stream().limit(WAITS).forEach(wait -> line("    %s", wait));
        line("");
    }

    private void diagnosis(Report report) {
        Finding first = report.diagnosis().first();
        wrapped(first.sentence());
        if (!first.remedies().isEmpty()) {
            line("What would help:");
        }
        for (Remedy remedy : first.remedies()) {
            line("  - %s", remedy);
        }
        report.diagnosis().findings().stream()
                .skip(1)
                .filter(finding -> finding.confidence() >= 0.3)
                .forEach(finding -> wrapped("Next: " + finding.headline() + ": " + finding.evidence() + "."));
    }

    private void wrapped(String sentence) {
        StringBuilder row = new StringBuilder();
        for (String word : sentence.split(" ", -1)) {
            if (row.length() + word.length() + 1 > WIDTH) {
                line("%s", row);
                row.setLength(0);
            }
            row.append(row.isEmpty() ? "" : " ").append(word);
        }
        line("%s", row);
    }

    private void line(String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values)).append(System.lineSeparator());
    }
}
