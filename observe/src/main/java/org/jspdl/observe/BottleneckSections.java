package org.jspdl.observe;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspdl.observe.diagnosis.Finding;
import org.jspdl.observe.diagnosis.Limit;
import org.jspdl.observe.diagnosis.Remedy;
import org.jspdl.observe.report.Section;
import org.jspdl.observe.report.Section.Bar;
import org.jspdl.observe.report.Section.Column;
import org.jspdl.observe.report.Section.Figure;
import org.jspdl.observe.report.Value;
import org.jspdl.observe.text.Figures;
import org.jspdl.stats.LinkStats;
import org.jspdl.stats.PipelineStats;
import org.jspdl.stats.StageStats;

/// The bottlenecks of a run, and its pipeline with the first of them marked.
final class BottleneckSections {
    private static final String CONSUMER = "consumer";
    private static final double LIKELY = 0.3;
    private static final double WORTH_TELLING = 1.02;

    private BottleneckSections() {}

    static Section findings(Report report) {
        List<Section.Bottleneck> all = new ArrayList<>();
        for (Finding finding : report.diagnosis().findings()) {
            all.add(new Section.Bottleneck(
                    finding.rated(),
                    finding.evidence(),
                    List.of(
                            Figure.json("limit", new Value.Words(finding.limit().key())),
                            Figure.json("stage", new Value.Words(finding.stage())),
                            Figure.json("confidence", new Value.Decimal(finding.confidence(), "")),
                            Figure.json("evidence", new Value.Words(finding.evidence()))),
                    all.isEmpty() || finding.confidence() >= LIKELY,
                    remedies(report, finding)));
        }
        return new Section.Bottlenecks("diagnosis", all);
    }

    private static Section.Table remedies(Report report, Finding finding) {
        String items = report.items().name();
        List<Column> columns = List.of(
                Column.words("change", "what would help"),
                Column.numbers("batches_per_second", "batches/s"),
                new Column("", items.isEmpty() ? "" : items + "/s", false, !items.isEmpty()),
                Column.numbers("gain", "gain"));
        List<List<Value>> rows = new ArrayList<>();
        for (Remedy remedy : finding.remedies()) {
            rows.add(List.of(
                    new Value.Words(remedy.what()),
                    new Value.Rate(remedy.rate(), ""),
                    new Value.Rate(remedy.rate() * report.items().perBatch(), ""),
                    new Value.Shown(new Value.Decimal(remedy.gain(), ""), gain(remedy.gain()))));
        }
        return new Section.Table("remedies", "", columns, rows, "", Integer.MAX_VALUE);
    }

    private static String gain(double gain) {
        return gain < WORTH_TELLING ? "none" : String.format(Locale.ROOT, "%+.0f %%", 100 * (gain - 1));
    }

    static Section diagram(Report report) {
        PipelineStats stats = report.stats();
        Finding first = report.diagnosis().first();
        List<Section.Box> boxes = new ArrayList<>();
        for (StageStats stage : stats.stages()) {
            boxes.add(new Section.Box(
                    stage.name(),
                    List.of(
                            stage.placement() + ", "
                                    + (stage.concurrency() == 1 ? "1 worker" : stage.concurrency() + " workers"),
                            Figures.rate(stage.rate(stats.elapsed())) + " items/s, "
                                    + Figures.time(stage.timePerItem())),
                    List.of(
                            new Bar("busy", "busy", stage.busyShare(stats.elapsed())),
                            new Bar("waiting", "waiting for CPU", stage.waitingForCpuShare(stats.elapsed())),
                            new Bar("backpressured", "backpressured", stage.backpressuredShare(stats.elapsed())),
                            new Bar("starved", "starved", stage.starvedShare(stats.elapsed()))),
                    stage.name().equals(first.stage())));
        }
        double busy = ReportSections.ratio(stats.consumerBusy(), stats.elapsed());
        boxes.add(new Section.Box(
                CONSUMER,
                List.of("your program", Figures.rate(stats.rate()) + " batches/s"),
                List.of(new Bar("busy", "busy", busy), new Bar("starved", "starved", 1 - busy)),
                first.limit() == Limit.CONSUMER));
        return new Section.Diagram(
                "The pipeline",
                boxes,
                stats.links().stream().map(link -> arrow(link, stats)).toList(),
                List.of(
                        new Section.Key("busy", "busy"),
                        new Section.Key("waiting", "waiting for CPU"),
                        new Section.Key("backpressured", "backpressured"),
                        new Section.Key("starved", "starved"),
                        new Section.Key("c2", "queue occupancy")));
    }

    private static Section.Arrow arrow(LinkStats link, PipelineStats stats) {
        double occupied = link.occupancy(stats.elapsed());
        double seconds = Math.max(1e-9, stats.elapsed().toNanos() / 1e9);
        return new Section.Arrow(
                link.name(),
                link.consumer().isEmpty() ? CONSUMER : link.consumer(),
                occupied,
                Figures.rate(link.passed() / seconds) + "/s",
                "queue behind " + link.name() + ": capacity " + link.capacity() + ", occupied "
                        + Figures.share(occupied) + " of the time, full "
                        + Figures.share(link.fullness(stats.elapsed())));
    }
}
