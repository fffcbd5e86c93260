package org.jspdl.observe;

import java.time.Duration;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.jspdl.observe.diagnosis.Finding;
import org.jspdl.observe.process.ProcessUsage;
import org.jspdl.observe.report.EnvironmentSections;
import org.jspdl.observe.report.ReportDocument;
import org.jspdl.observe.report.Section;
import org.jspdl.observe.report.Section.Column;
import org.jspdl.observe.report.Section.Figure;
import org.jspdl.observe.report.Value;
import org.jspdl.observe.sections.SourceTable;
import org.jspdl.observe.sections.StageCost;
import org.jspdl.observe.sections.TuningTables;
import org.jspdl.observe.text.Figures;
import org.jspdl.stats.LinkStats;
import org.jspdl.stats.PipelineStats;
import org.jspdl.stats.StageStats;

/// What a report says about a run, as sections. `docs/reference/report.md` explains the keys.
final class ReportSections {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss 'UTC'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);
    private static final int STALLS_IN_TEXT = 3;
    private static final double WARMING_UP = 0.1;

    private final Report report;
    private final PipelineStats stats;

    private ReportSections(Report report) {
        this.report = report;
        this.stats = report.stats();
    }

    static ReportDocument of(Report report) {
        ReportSections all = new ReportSections(report);
        List<Section> sections = new ArrayList<>();
        sections.add(all.run());
        sections.add(BottleneckSections.findings(report));
        sections.add(BottleneckSections.diagram(report));
        List<StageCost> costs = all.stats.stages().stream().map(all::cost).toList();
        sections.add(all.stages(costs));
        sections.add(StageCost.table(costs));
        sections.add(SourceTable.of(all.stats.sources()));
        sections.add(all.queues());
        sections.add(all.process());
        sections.addAll(MachineSections.of(report));
        sections.add(TuningTables.changes(all.stats.changes()));
        sections.add(TuningTables.decisions(all.stats.tuning().steps()));
        sections.add(SeriesSections.of(report));
        sections.add(all.stalls());
        sections.add(all.causes());
        sections.addAll(EnvironmentSections.of());
        return new ReportDocument(
                "Pipeline " + report.pipeline(),
                TIME.format(report.started()) + ", "
                        + Figures.time(report.stats().elapsed()) + ", "
                        + Figures.counted(report.stats().delivered(), "batch", "batches"),
                sections,
                "Shares are percent of the wall time of all workers over the whole run. The bottleneck is found in its steady part."
                        + " Point at lines, bars and queues for figures.");
    }

    private Section run() {
        List<Figure> figures = new ArrayList<>();
        figures.add(Figure.json("pipeline", new Value.Words(report.pipeline())));
        figures.add(Figure.json("seconds", new Value.Time(stats.elapsed())));
        figures.add(Figure.json("batches", new Value.Count(stats.delivered())));
        double rate = report.steady().stats().rate();
        figures.add(new Figure(
                "batches_per_second",
                "throughput",
                new Value.Shown(new Value.Rate(rate, "batches"), report.items().rate(rate)),
                "steady part"));
        figures.add(new Figure(
                "consumer_starved_share",
                "consumer starved",
                new Value.Share(ratio(stats.consumerWait(), stats.elapsed())),
                report.waited().map(StallShare::toString).orElse("")));
        figures.add(new Figure("consumer_seconds_per_batch", "consumer busy", perBatch(), "mean per batch"));
        figures.add(Figure.of("failed", "items failed", failed()));
        figures.add(warmUp());
        Finding first = report.diagnosis().first();
        figures.add(Figure.json("bottleneck", new Value.Words(first.rated() + ": " + first.evidence())));
        return new Section.Figures("", "", figures);
    }

    private Value perBatch() {
        return new Value.Time(
                stats.delivered() == 0 ? Duration.ZERO : stats.consumerBusy().dividedBy(stats.delivered()));
    }

    private Value failed() {
        Value.Count failed = new Value.Count(stats.skipped());
        return stats.skipped() == 0 ? new Value.Shown(failed, "") : failed;
    }

    /// How much of the CPU time of the steady part went into compiling the program. Of a short run all may be
    /// warm-up.
    private Figure warmUp() {
        Interval steady = report.steady();
        long all = steady.usage().cpu().toNanos();
        double compiling =
                all <= 0 ? 0 : Math.clamp((double) steady.usage().threads().compiler() / all, 0.0, 1.0);
        return new Figure(
                "compiling_share",
                "still warming up",
                compiling < WARMING_UP ? new Value.Shown(new Value.Share(compiling), "") : new Value.Share(compiling),
                "CPU time of the steady part that went into compiling the program: a longer run is faster, and what limits it may be another");
    }

    /// What the calls of a stage took, of the whole run.
    private StageCost cost(StageStats stage) {
        StageWork work = report.work(stage.name());
        Interval total = report.total();
        long machine =
                Math.max(total.usage().machine().busy(), total.usage().cpu().toNanos());
        return StageCost.of(
                stage.name(),
                stage.processed(),
                work.isKnown()
                        ? OptionalDouble.of(work.processorShare() * stage.busy().toNanos() / 1e9)
                        : OptionalDouble.empty(),
                work.readBytes() < 0 ? OptionalLong.empty() : OptionalLong.of(work.readBytes()),
                total.machine().energy().isKnown()
                        ? OptionalDouble.of(total.machine().energy().joules())
                        : OptionalDouble.empty(),
                machine / 1e9);
    }

    private Section stages(List<StageCost> costs) {
        List<Column> columns = List.of(
                Column.words("name", "stage"),
                Column.json("placement"),
                Column.numbers("workers", "workers"),
                Column.numbers("completed", "items"),
                Column.json("filtered"),
                Column.wide("failed", "failed"),
                Column.numbers("seconds_per_item", "mean"),
                Column.wide("p50_seconds", "p50"),
                Column.wide("p90_seconds", "p90"),
                Column.numbers("p99_seconds", "p99"),
                Column.wide("max_seconds", "max"),
                Column.numbers("busy_share", "busy"),
                Column.numbers("starved_share", "starved"),
                Column.numbers("backpressured_share", "backpressured"),
                Column.numbers("waiting_for_cpu_share", "waiting for CPU"),
                Column.numbers("", "queue occupancy"),
                Column.wide("cpu_share", "on CPU"),
                Column.json("cpu_seconds_per_1000_items"),
                Column.json("read_bytes"),
                Column.json("read_bytes_per_1000_items"),
                Column.json("joules"),
                Column.json("joules_per_1000_items"),
                new Column("", "seen doing", true, false),
                Column.json("mostly"),
                Column.json("mostly_in"));
        List<List<Value>> rows = new ArrayList<>();
        for (int i = 0; i < costs.size(); i++) {
            rows.add(stage(stats.stages().get(i), costs.get(i)));
        }
        return new Section.Table(
                "stages",
                "Stages",
                columns,
                rows,
                "Shares are percent of the wall time of all workers of the stage.",
                Integer.MAX_VALUE);
    }

    private List<Value> stage(StageStats stage, StageCost cost) {
        StageWork work = report.work(stage.name());
        Duration elapsed = stats.elapsed();
        boolean seen = work.samples() > 0;
        Value.Share share = new Value.Share(work.processorShare());
        return List.of(
                StageCost.name(stage.name()),
                new Value.Words(stage.placement()),
                new Value.Count(stage.concurrency()),
                new Value.Count(stage.completed()),
                new Value.Count(stage.filtered()),
                new Value.Count(stage.failed()),
                new Value.Time(stage.timePerItem()),
                latency(stage, stage.latency().p50()),
                latency(stage, stage.latency().p90()),
                latency(stage, stage.latency().p99()),
                latency(stage, stage.latency().max()),
                new Value.Share(stage.busyShare(elapsed)),
                new Value.Share(stage.starvedShare(elapsed)),
                new Value.Share(stage.backpressuredShare(elapsed)),
                new Value.Share(stage.waitingForCpuShare(elapsed)),
                new Value.Words(occupancy(stage.name())),
                work.isKnown() ? share : new Value.Shown(share, ""),
                StageCost.value(cost.cpuSecondsPerThousand()),
                cost.readBytes().isPresent() ? new Value.Count(cost.readBytes().getAsLong()) : new Value.Unknown(),
                StageCost.value(cost.readBytesPerThousand()),
                StageCost.value(cost.joules()),
                StageCost.value(cost.joulesPerThousand()),
                new Value.Words(seen ? doing(work) : ""),
                new Value.Words(seen ? work.mostly().label() : ""),
                new Value.Words(work.place()));
    }

    /// A stage that only gathers calls nothing.
    private static Value latency(StageStats stage, Duration time) {
        Value.Time value = new Value.Time(time);
        return stage.latency().calls() == 0 ? new Value.Shown(value, "") : value;
    }

    private static String doing(StageWork work) {
        return work.mostly().label() + " " + Figures.share(work.share(work.mostly()))
                + (work.place().isEmpty() ? "" : ", in " + work.place());
    }

    /// How much of the time something was ready in the queue behind the stage.
    private String occupancy(String stage) {
        return stats.links().stream()
                .filter(link -> link.name().equals(stage))
                .findFirst()
                .map(link -> Figures.share(link.occupancy(stats.elapsed())))
                .orElse("");
    }

    private Section queues() {
        List<List<Value>> rows = new ArrayList<>();
        for (LinkStats link : stats.links()) {
            rows.add(List.of(
                    new Value.Words(link.name()),
                    new Value.Words(link.consumer()),
                    new Value.Count(link.capacity()),
                    new Value.Count(link.passed()),
                    new Value.Share(link.occupancy(stats.elapsed())),
                    new Value.Share(link.fullness(stats.elapsed()))));
        }
        return new Section.Table(
                "queues",
                "",
                List.of(
                        Column.json("from"),
                        Column.json("to"),
                        Column.json("capacity"),
                        Column.json("passed"),
                        Column.json("occupied_share"),
                        Column.json("full_share")),
                rows,
                "",
                0);
    }

    private Section process() {
        ProcessUsage used = report.total().usage();
        double seconds = Math.max(1e-9, used.at() / 1e9);
        int processors = used.machine().processors();
        return new Section.Figures(
                "process",
                "Process",
                List.of(
                        Figure.json("processors", new Value.Count(processors)),
                        Figure.of(
                                "processors_used",
                                "CPU",
                                new Value.Shown(
                                        new Value.Decimal(used.processorsUsed(), ""),
                                        String.format(
                                                Locale.ROOT,
                                                "%.2f of %d processors, other processes %.2f",
                                                used.processorsUsed(),
                                                processors,
                                                used.processorsUsedByOthers()))),
                        Figure.json("processors_used_by_others", new Value.Decimal(used.processorsUsedByOthers(), "")),
                        Figure.json("processors_stolen", new Value.Decimal(used.processorsStolen(), "")),
                        Figure.json("cpu_seconds", new Value.Time(used.cpu())),
                        Figure.json(
                                "cpu_seconds_compute_threads",
                                nanos(used.threads().compute())),
                        Figure.json(
                                "cpu_seconds_virtual_threads",
                                nanos(used.threads().carriers())),
                        Figure.json("cpu_seconds_gc", nanos(used.threads().garbage())),
                        Figure.json("cpu_seconds_compiler", nanos(used.threads().compiler())),
                        Figure.json("cpu_wait_seconds", nanos(used.threads().delayed())),
                        Figure.of("gc_pause_share", "GC pauses", new Value.Share(used.pausedShare())),
                        Figure.json("gc_pauses", new Value.Count(used.garbage().pauses())),
                        Figure.json("gc_pause_seconds", nanos(used.garbage().pauseNanos())),
                        Figure.json(
                                "allocated_bytes",
                                new Value.Bytes(used.garbage().allocated())),
                        Figure.of(
                                "resident_bytes",
                                "memory",
                                new Value.Shown(
                                        new Value.Bytes(used.memory().resident()),
                                        Figures.bytes(report.usage().memory().resident()) + " resident, "
                                                + Figures.bytes(
                                                        report.usage().memory().heap()) + " on the heap, "
                                                + Figures.bytes(
                                                        report.usage().memory().pools()) + " in buffer pools")),
                        Figure.json("heap_bytes", new Value.Bytes(used.memory().heap())),
                        Figure.json("pool_bytes", new Value.Bytes(used.memory().pools())),
                        Figure.json(
                                "major_faults", new Value.Count(used.memory().majorFaults())),
                        Figure.of(
                                "read_bytes",
                                "reads",
                                new Value.Shown(
                                        new Value.Bytes(used.transfer().read()),
                                        perSecond(used.transfer().read(), seconds) + "/s, "
                                                + perSecond(used.transfer().disk(), seconds) + "/s of it from disks")),
                        Figure.json(
                                "disk_bytes", new Value.Bytes(used.transfer().disk())),
                        Figure.json(
                                "written_bytes", new Value.Bytes(used.transfer().written())),
                        Figure.json(
                                "descriptors", new Value.Count(used.transfer().descriptors()))));
    }

    private static Value nanos(long nanos) {
        return new Value.Time(Duration.ofNanos(nanos));
    }

    private static String perSecond(long bytes, double seconds) {
        return Figures.bytes((long) (Math.max(0, bytes) / seconds));
    }

    private Section stalls() {
        return new Section.Table(
                "longest_stalls",
                "Longest stalls of the consumer",
                List.of(
                        Column.numbers("batch", "batch"),
                        Column.numbers("at_seconds", "at"),
                        Column.numbers("stalled_seconds", "stalled"),
                        Column.words("", "causes")),
                report.stalls().stream()
                        .map(stall -> List.<Value>of(
                                new Value.Count(stall.batch()),
                                new Value.Time(stall.at()),
                                new Value.Time(stall.stalled()),
                                new Value.Words(stall.causesText())))
                        .toList(),
                "",
                STALLS_IN_TEXT);
    }

    private Section causes() {
        List<List<Value>> rows = new ArrayList<>();
        for (Stall stall : report.stalls()) {
            for (Stall.Cause cause : stall.causes()) {
                rows.add(List.of(
                        new Value.Count(stall.batch()),
                        new Value.Words(cause.kind().name().toLowerCase(Locale.ROOT)),
                        new Value.Words(cause.stage()),
                        new Value.Time(cause.time()),
                        new Value.Words(cause.item()),
                        new Value.Words(cause.request().map(Object::toString).orElse(""))));
            }
        }
        return new Section.Table(
                "stall_causes",
                "",
                List.of(
                        Column.json("batch"),
                        Column.json("what"),
                        Column.json("stage"),
                        Column.json("seconds"),
                        Column.json("item"),
                        Column.json("request")),
                rows,
                "",
                0);
    }

    /// A share from 0 to 1: a snapshot reads its clock and its counters one after the other, so a part may exceed
    /// the whole a little.
    static double ratio(Duration part, Duration whole) {
        return whole.isZero() ? 0 : Math.clamp((double) part.toNanos() / whole.toNanos(), 0.0, 1.0);
    }
}
