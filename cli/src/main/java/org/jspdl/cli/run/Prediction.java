package org.jspdl.cli.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import org.jspdl.observe.report.Section;
import org.jspdl.observe.report.Section.Figure;
import org.jspdl.observe.report.Value;
import org.jspdl.observe.text.Figures;
import org.jspdl.stats.LinkStats;
import org.jspdl.stats.PipelineStats;
import org.jspdl.stats.StageStats;

/// What is expected of a run before it starts, from a short run over the same data; and how it compares with what came.
/// Immutable.
///
/// @param items what is counted, such as "images"
/// @param total how many of them the run will have, if that is known
/// @param found what the short run has shown
/// @param most  the most memory, by what it is for
public record Prediction(String items, OptionalLong total, Probe.Findings found, Memory most) {

    /// The most resident memory that is expected, in bytes.
    ///
    /// @param heap    the limit of the heap
    /// @param batches batches that are made, wait and are consumed
    /// @param cache   the limit of a cache in memory
    /// @param other   all else, as much as the short run had at most: code, threads, decoders, mapped files
    record Memory(long heap, long batches, long cache, long other) {
        long total() {
            return heap + batches + cache + other;
        }
    }

    static Prediction of(String items, OptionalLong total, Probe.Findings found, long cacheBytes) {
        long batches = Math.max(found.poolBytes(), found.batchBytes() * mostBatches(found));
        return new Prediction(
                items,
                total,
                found,
                new Memory(Runtime.getRuntime().maxMemory(), batches, cacheBytes, Math.max(0, found.otherBytes())));
    }

    /// The batches that there are if every queue is full, every worker has an item and the consumer has a batch.
    static long mostBatches(Probe.Findings found) {
        PipelineStats stats = found.stats();
        double perBatch = stats.delivered() == 0
                ? 1
                : found.throughput()
                        .map(result -> (double) result.items() / stats.delivered())
                        .orElse(1.0);
        double waitingItems = 1;
        long batches = 1;
        for (LinkStats link : stats.links()) {
            boolean holdsItems = perBatch > 1 && link.passed() > stats.delivered() * (1 + perBatch) / 2;
            if (holdsItems) {
                waitingItems += link.capacity();
            } else {
                batches += link.capacity() + 1L;
            }
        }
        return batches + (perBatch > 1 ? (long) Math.ceil(waitingItems / perBatch) : 0);
    }

    /// For a person, before the run.
    public String text() {
        StringBuilder text = new StringBuilder();
        PipelineStats stats = found.stats();
        line(text, "What will run");
        line(text, "  %-16s %-10s %8s   %s", "stage", "runs on", "workers", "queue behind it");
        for (StageStats stage : stats.stages()) {
            line(
                    text,
                    "  %-16s %-10s %8d   %s",
                    stage.name(),
                    stage.placement(),
                    stage.concurrency(),
                    queue(stats, stage.name()));
        }
        if (stats.stages().stream().anyMatch(stage -> stage.placement().equals("cpu"))) {
            line(text, "  Stages on cpu share %d compute threads.", stats.computeThreads());
        }
        line(text, "");
        line(text, "Memory: at most %s", Figures.bytes(most.total()));
        line(text, "  %-16s %12s   its limit, -Xmx", "heap", Figures.bytes(most.heap()));
        line(text, "  %-16s %12s   %s", "batches", Figures.bytes(most.batches()), batches());
        if (most.cache() > 0) {
            line(text, "  %-16s %12s   its limit", "cache", Figures.bytes(most.cache()));
        }
        line(text, "  %-16s %12s   as in the measurement", "all else", Figures.bytes(most.other()));
        line(text, "");
        throughput(text);
        return text.toString();
    }

    private static String queue(PipelineStats stats, String stage) {
        return stats.links().stream()
                .filter(link -> link.name().equals(stage))
                .findFirst()
                .map(link -> "at most " + link.capacity() + ", to "
                        + (link.consumer().isEmpty() ? "the consumer" : link.consumer())
                        + (link.ordered() ? ", in input order" : ""))
                .orElse("");
    }

    private String batches() {
        return found.batchBytes() == 0
                ? "as in the measurement"
                : mostBatches(found) + " of " + Figures.bytes(found.batchBytes()) + " if all queues are full";
    }

    private void throughput(StringBuilder text) {
        if (found.throughput().isEmpty()) {
            line(text, "Throughput: unknown, hardly a batch came within %s", Figures.time(found.took()));
            return;
        }
        ThroughputEstimate.Result result = found.throughput().get();
        line(
                text,
                "Throughput: %s +- %s %s/s, from %s of yours in %s",
                Figures.rate(result.perSecond()),
                Figures.rate(result.error()),
                items,
                Figures.counted(result.items(), items.replaceFirst("s$", ""), items),
                Figures.time(found.took()));
        if (total.isPresent()) {
            line(text, "Duration: about %s", Figures.remaining(total.getAsLong() / result.perSecond()));
        }
    }

    private static void line(StringBuilder text, String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values).stripTrailing()).append(System.lineSeparator());
    }

    /// The prediction beside what came, for the run's report.
    ///
    /// @param report of the run
    public Section section(RunReport report) {
        List<Figure> figures = new ArrayList<>();
        found.throughput().ifPresent(result -> {
            double batches = report.stats().delivered();
            double fact = batches == 0 ? 0 : report.watched().steady().stats().rate() * report.totalItems() / batches;
            figures.add(new Figure(
                    "items_per_second",
                    "throughput",
                    new Value.Shown(
                            new Value.Rate(result.perSecond(), ""),
                            Figures.rate(result.perSecond()) + " +- " + Figures.rate(result.error()) + " " + items
                                    + "/s"),
                    "in fact " + Figures.rate(fact) + ", "
                            + (result.covers(fact)
                                    ? "within the error"
                                    : String.format(Locale.ROOT, "%+.0f %%", 100 * (fact / result.perSecond() - 1)))));
            figures.add(Figure.json("error_per_second", new Value.Rate(result.error(), "")));
            figures.add(Figure.json("measured_items_per_second", new Value.Rate(fact, "")));
            figures.add(Figure.json("within_error", new Value.Flag(result.covers(fact))));
            figures.add(Figure.json("probe_items", new Value.Count(result.items())));
        });
        OptionalLong peak = report.peakResidentBytes();
        figures.add(new Figure(
                "memory_bytes",
                "memory at most",
                new Value.Bytes(most.total()),
                peak.isPresent() ? "in fact " + Figures.bytes(peak.getAsLong()) : ""));
        figures.add(Figure.json("heap_bytes", new Value.Bytes(most.heap())));
        figures.add(Figure.json("batches_bytes", new Value.Bytes(most.batches())));
        figures.add(Figure.json("cache_bytes", new Value.Bytes(most.cache())));
        figures.add(Figure.json("other_bytes", new Value.Bytes(most.other())));
        figures.add(Figure.json("probe_seconds", new Value.Time(found.took())));
        return new Section.Figures("prediction", "Predicted before the start", figures);
    }
}
