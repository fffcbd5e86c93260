package org.jspdl.observe;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.jspdl.observe.report.Section;
import org.jspdl.observe.report.Section.Plot;
import org.jspdl.observe.report.Section.Series;
import org.jspdl.observe.text.Figures;
import org.jspdl.stats.LinkStats;
import org.jspdl.stats.PipelineStats;
import org.jspdl.stats.StageStats;

/// What happened over time, in intervals.
final class SeriesSections {
    private final List<Interval> intervals;
    private final PipelineStats stats;

    private SeriesSections(Report report) {
        this.intervals = report.series();
        this.stats = report.stats();
    }

    private static String bytes(double count) {
        return Figures.bytes((long) count);
    }

    static Section of(Report report) {
        SeriesSections series = new SeriesSections(report);
        List<Plot> plots = new ArrayList<>(List.of(
                new Plot(
                        "Throughput, batches/s",
                        Figures::rate,
                        List.of(series.line(
                                "batches_per_second",
                                "batches/s",
                                each -> each.stats().rate()))),
                new Plot("Busy, percent of the workers' wall time", Figures::share, series.busy()),
                new Plot("Queue length, percent of the capacity", Figures::share, series.queues()),
                new Plot(
                        "CPU, processors used",
                        value -> String.format(Locale.ROOT, "%.1f", value),
                        series.processors()),
                new Plot("Memory", SeriesSections::bytes, series.memory()),
                new Plot("Reads, per second", SeriesSections::bytes, series.reads()),
                new Plot(
                        "GC pauses, percent of wall time",
                        Figures::share,
                        List.of(series.line(
                                "gc_pause_share", "pauses", each -> each.usage().pausedShare()))),
                new Plot(
                        "Consumer starved, percent of wall time",
                        Figures::share,
                        List.of(new Series("consumer_starved_share", "consumer", series.starved())))));
        if (report.total().machine().energy().isKnown()) {
            plots.add(new Plot(
                    "Power of the machine's processors",
                    value -> String.format(Locale.ROOT, "%.0f W", value),
                    List.of(series.line("watts", "all processes", SeriesSections::watts))));
        }
        return new Section.Plots(
                "series", "Over time", series.values(each -> each.end().toNanos() / 1e9), List.copyOf(plots));
    }

    private static double watts(Interval interval) {
        double seconds = interval.usage().at() / 1e9;
        return seconds <= 0 ? 0 : Math.max(0, interval.machine().energy().joules()) / seconds;
    }

    private List<Series> busy() {
        List<Series> lines = new ArrayList<>();
        for (int i = 0; i < stats.stages().size(); i++) {
            int index = i;
            lines.add(new Series(
                    "",
                    stats.stages().get(i).name(),
                    spread(values(each -> busy(each.stats().stages().get(index), each)))));
        }
        lines.add(new Series(
                "",
                "consumer",
                spread(values(each -> ReportSections.ratio(
                        each.stats().consumerBusy(), each.stats().elapsed())))));
        return lines;
    }

    private static double busy(StageStats stage, Interval interval) {
        Duration workers = interval.stats().elapsed().multipliedBy(Math.max(1, stage.concurrency()));
        return ReportSections.ratio(stage.busy(), workers);
    }

    private double[] starved() {
        return spread(values(each ->
                ReportSections.ratio(each.stats().consumerWait(), each.stats().elapsed())));
    }

    /// Shares of intervals, none above 1. A call counts in the interval in which it ends; the time that it took of
    /// the intervals before is returned to them.
    private double[] spread(double[] shares) {
        double excess = 0;
        for (int i = shares.length - 1; i >= 0; i--) {
            double seconds = intervals.get(i).stats().elapsed().toNanos() / 1e9;
            double busy = shares[i] * seconds + excess;
            excess = Math.max(0, busy - seconds);
            shares[i] = seconds <= 0 ? 0 : Math.min(1, busy / seconds);
        }
        return shares;
    }

    private List<Series> queues() {
        List<Series> lines = new ArrayList<>();
        for (int i = 0; i < stats.links().size(); i++) {
            int index = i;
            lines.add(line("", "behind " + stats.links().get(i).name(), each -> {
                LinkStats link = each.stats().links().get(index);
                return link.capacity() <= 0 ? 0 : (double) link.size() / link.capacity();
            }));
        }
        return lines;
    }

    private List<Series> processors() {
        return List.of(
                line("processors_used", "this process", each -> each.usage().processorsUsed()),
                line(
                        "processors_used_by_others",
                        "other processes",
                        each -> each.usage().processorsUsedByOthers()),
                line("", "GC", each -> perNano(each, each.usage().threads().garbage())),
                line(
                        "",
                        "compiler",
                        each -> perNano(each, each.usage().threads().compiler())));
    }

    private List<Series> memory() {
        return List.of(
                line("resident_bytes", "resident", each -> each.usage().memory().resident()),
                line("heap_bytes", "heap", each -> each.usage().memory().heap()),
                line("pool_bytes", "buffer pools", each -> each.usage().memory().pools()));
    }

    private List<Series> reads() {
        return List.of(
                line(
                        "read_bytes_per_second",
                        "by system calls",
                        each -> 1e9 * perNano(each, each.usage().transfer().read())),
                line(
                        "disk_bytes_per_second",
                        "from disks",
                        each -> 1e9 * perNano(each, each.usage().transfer().disk())));
    }

    private static double perNano(Interval interval, long amount) {
        return interval.usage().at() <= 0
                ? 0
                : Math.max(0, (double) amount / interval.usage().at());
    }

    private Series line(String key, String name, ToDoubleFunction<Interval> value) {
        return new Series(key, name, values(value));
    }

    private double[] values(ToDoubleFunction<Interval> value) {
        return intervals.stream().mapToDouble(value).toArray();
    }
}
