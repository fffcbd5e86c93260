package org.jspdl.observe;

import java.time.Duration;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import java.util.function.ToDoubleFunction;
import org.jspdl.observe.diagnosis.Finding;
import org.jspdl.observe.diagnosis.Remedy;
import org.jspdl.observe.page.Flowchart;
import org.jspdl.observe.page.Page;
import org.jspdl.observe.page.Plot;
import org.jspdl.observe.process.ProcessUsage;
import org.jspdl.observe.text.Figures;
import org.jspdl.stats.LinkStats;
import org.jspdl.stats.PipelineStats;
import org.jspdl.stats.StageStats;

/// A report as a page for a browser.
final class ReportHtml {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss 'UTC'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);
    private static final String CONSUMER = "consumer";
    private static final double UNLIKELY = 0.3;

    private final Report report;
    private final PipelineStats stats;
    private final Page page;

    private ReportHtml(Report report) {
        this.report = report;
        this.stats = report.stats();
        this.page = Page.titled("JSPDL: " + report.pipeline());
    }

    static String of(Report report) {
        ReportHtml html = new ReportHtml(report);
        html.head();
        html.findings();
        html.chart();
        html.stages();
        html.changes();
        html.plots();
        html.waits();
        html.page.raw("<footer>Shares are of all slots' time over the whole run; the diagnosis is of its steady part. "
                + "Point at lines, bars and tanks for figures.</footer>");
        return html.page.document();
    }

    private void head() {
        page.element("h1", "Pipeline " + report.pipeline());
        page.raw("<p class=\"soft\">" + TIME.format(report.started()) + ", " + Figures.time(stats.elapsed()) + ", "
                + Figures.count(stats.delivered()) + " deliveries</p>");
        ProcessUsage used = report.total().usage();
        StringBuilder facts = new StringBuilder("<div class=\"facts\">");
        fact(facts, Figures.rate(report.steady().stats().rate()), "deliveries a second, steady");
        fact(
                facts,
                Figures.share(
                        ratio(stats.consumerWait().toNanos(), stats.elapsed().toNanos())),
                "of the time the consumer waited");
        fact(
                facts,
                String.format(
                        Locale.ROOT,
                        "%.2f / %d",
                        used.processorsUsed(),
                        used.machine().processors()),
                "processors used");
        fact(facts, Figures.share(used.pausedShare()), "paused by garbage collection");
        fact(facts, Figures.bytes(report.usage().memory().resident()), "resident memory");
        fact(facts, Figures.count(stats.skipped()), "items failed");
        page.raw(facts.append("</div>").toString());
    }

    private static void fact(StringBuilder facts, String value, String meaning) {
        facts.append("<div><b>")
                .append(Page.escape(value))
                .append("</b><span>")
                .append(Page.escape(meaning))
                .append("</span></div>");
    }

    private void findings() {
        boolean first = true;
        for (Finding finding : report.diagnosis().findings()) {
            if (first || finding.confidence() >= UNLIKELY) {
                finding(finding, first);
            }
            first = false;
        }
    }

    private void finding(Finding finding, boolean first) {
        page.raw("<section class=\"card finding\"><strong>"
                + Page.escape(
                        (first ? "Limited by " : "Next: ") + finding.headline() + " (" + finding.certainty() + ")")
                + "</strong><p>" + Page.escape(sentence(finding.evidence())) + ".</p>");
        if (!finding.remedies().isEmpty()) {
            StringBuilder table = new StringBuilder(
                    "<div class=\"scroll\"><table><thead><tr><th>What would help</th><th>deliveries/s</th><th class=\"text\">gain</th></tr></thead><tbody>");
            for (Remedy remedy : finding.remedies()) {
                table.append(String.format(
                        Locale.ROOT,
                        "<tr><td class=\"text\">%s</td><td>%s</td><td class=\"text\">%s<span class=\"gain\" style=\"width:%.0fpx\"></span></td></tr>",
                        Page.escape(remedy.what()),
                        Figures.rate(remedy.rate()),
                        remedy.gain() < 1.02
                                ? "none"
                                : String.format(Locale.ROOT, "%+.0f %%", 100 * (remedy.gain() - 1)),
                        Math.clamp(60 * (remedy.gain() - 1), 0.0, 240.0)));
            }
            page.raw(table.append("</tbody></table></div>").toString());
        }
        page.raw("</section>");
    }

    private static String sentence(String words) {
        return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
    }

    private void chart() {
        page.element("h2", "The pipeline");
        Finding first = report.diagnosis().first();
        List<Flowchart.Box> boxes = new ArrayList<>();
        for (StageStats stage : stats.stages()) {
            boxes.add(new Flowchart.Box(
                    stage.name(),
                    List.of(
                            stage.placement() + ", "
                                    + (stage.concurrency() == 1 ? "1 slot" : stage.concurrency() + " slots"),
                            Figures.rate(stage.rate(stats.elapsed())) + "/s, " + Figures.time(stage.timePerItem())
                                    + " each"),
                    List.of(
                            new Flowchart.Share("busy", "working", stage.busyShare(stats.elapsed())),
                            new Flowchart.Share(
                                    "queued", "waiting for a processor", stage.queuedShare(stats.elapsed())),
                            new Flowchart.Share("blocked", "waiting for room", stage.blockedShare(stats.elapsed())),
                            new Flowchart.Share("starved", "waiting for input", stage.starvedShare(stats.elapsed()))),
                    stage.name().equals(first.stage())));
        }
        double own = ratio(stats.consumerBusy().toNanos(), stats.elapsed().toNanos());
        boxes.add(new Flowchart.Box(
                CONSUMER,
                List.of("your program", Figures.rate(stats.rate()) + "/s"),
                List.of(
                        new Flowchart.Share("busy", "working", own),
                        new Flowchart.Share("starved", "waiting for data", 1 - own)),
                first.limit() == org.jspdl.observe.diagnosis.Limit.CONSUMER));
        List<Flowchart.Arrow> arrows = stats.links().stream().map(this::arrow).toList();
        page.raw(new Flowchart(boxes, arrows).html());
        page.raw(
                "<div class=\"legend\"><span><i style=\"background:var(--busy)\"></i>working</span>"
                        + "<span><i style=\"background:var(--queued)\"></i>waiting for a processor</span>"
                        + "<span><i style=\"background:var(--blocked)\"></i>waiting for room</span>"
                        + "<span><i style=\"background:var(--starved)\"></i>waiting for input</span>"
                        + "<span><i style=\"background:var(--c2)\"></i>time during which something was ready in the link</span></div>");
    }

    private Flowchart.Arrow arrow(LinkStats link) {
        return new Flowchart.Arrow(
                link.name(),
                link.consumer().isEmpty() ? CONSUMER : link.consumer(),
                link.readiness(stats.elapsed()),
                Figures.rate(link.passed() / Math.max(1e-9, stats.elapsed().toNanos() / 1e9)) + "/s",
                "behind " + link.name() + ": room for " + link.capacity() + ", something ready "
                        + Figures.share(link.readiness(stats.elapsed())) + " of the time, full "
                        + Figures.share(link.fullness(stats.elapsed())));
    }

    private void stages() {
        page.element("h2", "Stages");
        List<List<String>> rows = new ArrayList<>();
        for (StageStats stage : stats.stages()) {
            StageWork work = report.work(stage.name());
            rows.add(List.of(
                    stage.name(),
                    Figures.count(stage.completed()),
                    Figures.count(stage.failed()),
                    Figures.time(stage.timePerItem()),
                    latency(stage, stage.latency().p50()),
                    latency(stage, stage.latency().p90()),
                    latency(stage, stage.latency().p99()),
                    latency(stage, stage.latency().max()),
                    work.looks() + work.calls() == 0 ? "" : Figures.share(work.processorShare()),
                    work.looks() == 0 ? "" : doing(work)));
        }
        page.table(
                List.of(
                        "stage",
                        "items",
                        "failed",
                        "mean",
                        "p50",
                        "p90",
                        "p99",
                        "longest",
                        "on a processor",
                        "seen doing"),
                rows,
                List.of(0, 9));
    }

    /// A stage that only gathers calls nothing.
    private static String latency(StageStats stage, Duration time) {
        return stage.latency().calls() == 0 ? "" : Figures.time(time);
    }

    private static String doing(StageWork work) {
        return work.mostly().label() + " " + Figures.share(work.share(work.mostly()))
                + (work.place().isEmpty() ? "" : ", in " + work.place());
    }

    private void plots() {
        if (report.series().isEmpty()) {
            return;
        }
        page.element("h2", "Over time");
        page.raw("<div class=\"plots\">");
        plot(
                "Deliveries a second",
                Figures::rate,
                line("deliveries", each -> each.stats().rate()));
        List<Plot.Line> busy = new ArrayList<>();
        for (int i = 0; i < stats.stages().size(); i++) {
            int index = i;
            busy.add(line(
                    stats.stages().get(i).name(),
                    each -> each.stats()
                            .stages()
                            .get(index)
                            .busyShare(each.stats().elapsed())));
        }
        busy.add(line(
                CONSUMER,
                each -> ratio(
                        each.stats().consumerBusy().toNanos(),
                        each.stats().elapsed().toNanos())));
        plot("Working, part of the slots' time", Figures::share, busy.toArray(Plot.Line[]::new));
        List<Plot.Line> links = new ArrayList<>();
        for (int i = 0; i < stats.links().size(); i++) {
            int index = i;
            links.add(line("behind " + stats.links().get(i).name(), each -> {
                LinkStats link = each.stats().links().get(index);
                return ratio(link.size(), link.capacity());
            }));
        }
        plot("Links, part of the room in use", Figures::share, links.toArray(Plot.Line[]::new));
        plot(
                "Processors",
                value -> String.format(Locale.ROOT, "%.1f", value),
                line("this process", each -> each.usage().processorsUsed()),
                line("other processes", each -> each.usage().processorsUsedByOthers()),
                line(
                        "garbage collector",
                        each -> ratio(
                                each.usage().threads().garbage(), each.usage().at())),
                line(
                        "compiler",
                        each -> ratio(
                                each.usage().threads().compiler(), each.usage().at())));
        plot(
                "Memory",
                value -> Figures.bytes((long) value),
                line("resident", each -> each.usage().memory().resident()),
                line("heap", each -> each.usage().memory().heap()),
                line("buffer pools", each -> each.usage().memory().pools()));
        plot(
                "Read, a second",
                value -> Figures.bytes((long) value),
                line(
                        "by system calls",
                        each -> 1e9
                                * ratio(
                                        each.usage().transfer().read(),
                                        each.usage().at())),
                line(
                        "from disks",
                        each -> 1e9
                                * ratio(
                                        each.usage().transfer().disk(),
                                        each.usage().at())));
        plot(
                "Stopped by garbage collection, part of the time",
                Figures::share,
                line("pauses", each -> each.usage().pausedShare()));
        plot(
                "Consumer waited, part of the time",
                Figures::share,
                line(
                        CONSUMER,
                        each -> ratio(
                                each.stats().consumerWait().toNanos(),
                                each.stats().elapsed().toNanos())));
        page.raw("</div>");
    }

    private Plot.Line line(String name, ToDoubleFunction<Interval> value) {
        return new Plot.Line(name, report.series().stream().mapToDouble(value).toArray());
    }

    private void plot(String title, DoubleFunction<String> values, Plot.Line... lines) {
        double[] times = report.series().stream()
                .mapToDouble(each -> ReportJson.seconds(each.end()))
                .toArray();
        page.raw(new Plot(title, times, List.of(lines), values).html());
    }

    private void changes() {
        if (stats.changes().isEmpty()) {
            return;
        }
        page.element("h2", "Changed while it went on");
        page.table(
                List.of("stage", "what", "after", "from", "to"),
                stats.changes().stream()
                        .map(change -> List.of(
                                change.stage(),
                                change.what(),
                                Figures.time(change.at()),
                                Figures.count(change.from()),
                                Figures.count(change.to())))
                        .toList(),
                List.of(0, 1));
    }

    private void waits() {
        if (report.waits().isEmpty()) {
            return;
        }
        page.element("h2", "What the consumer waited for longest");
        page.table(
                List.of("delivery", "at", "waited", "for"),
                report.waits().stream()
                        .map(wait -> List.of(
                                Figures.count(wait.delivery()),
                                Figures.time(wait.at()),
                                Figures.time(wait.waited()),
                                String.join(
                                        ", ",
                                        wait.causes().stream()
                                                .limit(4)
                                                .map(Wait.Cause::toString)
                                                .toList())))
                        .toList(),
                List.of(3));
    }

    private static double ratio(long part, long whole) {
        return whole <= 0 ? 0 : Math.max(0, (double) part / whole);
    }
}
