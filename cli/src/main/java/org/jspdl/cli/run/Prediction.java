package org.jspdl.cli.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import org.jspdl.observe.Interval;
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
/// @param memory what it will take
/// @param places where the data comes from
public record Prediction(String items, OptionalLong total, Probe.Findings found, Memory memory, DataPlaces places) {
    /// Fewer processors that others use are not worth mentioning.
    private static final double NOTABLE = 0.1;

    /// Resident memory that is expected, in bytes.
    ///
    /// @param measured as much as the short run had at most
    /// @param heap     the limit of the heap
    /// @param batches  batches that are made, wait and are consumed, if all queues are full
    /// @param cache    the limit of a cache in memory
    /// @param other    all else, as much as the short run had at most: code, threads, decoders, mapped files
    record Memory(long measured, long heap, long batches, long cache, long other) {
        long most() {
            return heap + batches + cache + other;
        }
    }

    static Prediction of(String items, OptionalLong total, Probe.Findings found, DataPlaces places) {
        Probe.Memory seen = found.memory();
        long batches = Math.max(seen.pools(), found.batchBytes() * mostBatches(found));
        return new Prediction(
                items,
                total,
                found,
                new Memory(seen.all(), Runtime.getRuntime().maxMemory(), batches, places.memoryBytes(), seen.other()),
                places);
    }

    /// The batches that there are if every queue is full, every worker has an item and the consumer has a batch.
    static long mostBatches(Probe.Findings found) {
        PipelineStats stats = found.stats();
        double perBatch = stats.delivered() == 0
                ? 1
                : found.throughput()
                        .map(known -> (double) known.result().items() / stats.delivered())
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
            line(
                    text,
                    "  Stages on cpu share %s.",
                    Figures.counted(stats.computeThreads(), "compute thread", "compute threads"));
        }
        line(text, "");
        if (!places.lines().isEmpty()) {
            line(text, "Where the data comes from");
            places.lines().forEach(each -> text.append(each).append(System.lineSeparator()));
            line(text, "");
        }
        line(
                text,
                "Memory: about %s if batches are consumed as fast as in the measurement, at most %s",
                Figures.bytes(memory.measured()),
                Figures.bytes(memory.most()));
        line(text, "  %-16s %12s   its limit, -Xmx", "heap", Figures.bytes(memory.heap()));
        line(text, "  %-16s %12s   %s", "batches", Figures.bytes(memory.batches()), batches());
        if (memory.cache() > 0) {
            line(text, "  %-16s %12s   its limit", "cache", Figures.bytes(memory.cache()));
        }
        line(text, "  %-16s %12s   as in the measurement", "all else", Figures.bytes(memory.other()));
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
        Probe.Throughput known = found.throughput().get();
        ThroughputEstimate.Result result = known.result();
        line(
                text,
                "Throughput: %s +- %s %s/s, from %s of yours in %s",
                Figures.rate(result.perSecond()),
                Figures.rate(result.error()),
                items,
                Figures.counted(result.items(), items.replaceFirst("s$", ""), items),
                Figures.time(found.took()));
        double others = known.conditions().others();
        if (others >= NOTABLE) {
            ThroughputEstimate.Result alone = known.conditions().expected(result, 0);
            line(
                    text,
                    "  Other processes used %.1f of %d processors meanwhile; without them: %s +- %s %s/s.",
                    others,
                    Runtime.getRuntime().availableProcessors(),
                    Figures.rate(alone.perSecond()),
                    Figures.rate(alone.error()),
                    items);
        }
        if (!known.settled()) {
            line(text, "  It had not settled by then: code was still being compiled, or batches came too seldom.");
        }
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
        found.throughput().ifPresent(known -> {
            double batches = report.stats().delivered();
            Interval steady = report.watched().steady();
            double fact = batches == 0 ? 0 : steady.stats().rate() * report.totalItems() / batches;
            Load load = Load.of(steady.usage());
            ThroughputEstimate.Result before = known.result();
            // The compiler's time counts as others' here: a prediction is for code that is compiled.
            ThroughputEstimate.Result result = load.isKnown()
                    ? known.conditions().expected(before, (double) (load.others() + load.compiler()) / load.at())
                    : before;
            boolean asBefore = Math.abs(result.perSecond() - before.perSecond()) < 0.02 * before.perSecond();
            figures.add(new Figure(
                    "items_per_second",
                    "throughput",
                    new Value.Shown(
                            new Value.Rate(before.perSecond(), ""),
                            Figures.rate(before.perSecond()) + " +- " + Figures.rate(before.error()) + " " + items
                                    + "/s"),
                    "in fact " + Figures.rate(fact) + ", "
                            + (asBefore
                                    ? ""
                                    : Figures.rate(result.perSecond()) + " +- " + Figures.rate(result.error())
                                            + " expected with the processors that others and the compiler left, ")
                            + (result.covers(fact)
                                    ? "within the error"
                                    : String.format(Locale.ROOT, "%+.0f %%", 100 * (fact / result.perSecond() - 1)))));
            figures.add(Figure.json("error_per_second", new Value.Rate(before.error(), "")));
            figures.add(Figure.json("expected_items_per_second", new Value.Rate(result.perSecond(), "")));
            figures.add(Figure.json("expected_error_per_second", new Value.Rate(result.error(), "")));
            figures.add(Figure.json("measured_items_per_second", new Value.Rate(fact, "")));
            figures.add(Figure.json("within_error", new Value.Flag(result.covers(fact))));
            figures.add(Figure.json("settled", new Value.Flag(known.settled())));
            figures.add(Figure.json("probe_items", new Value.Count(before.items())));
        });
        OptionalLong peak = report.peakResidentBytes();
        figures.add(new Figure(
                "expected_memory_bytes",
                "memory",
                new Value.Bytes(memory.measured()),
                "at most " + Figures.bytes(memory.most())
                        + (peak.isPresent() ? ", in fact " + Figures.bytes(peak.getAsLong()) : "")));
        figures.add(Figure.json("memory_bytes", new Value.Bytes(memory.most())));
        figures.add(Figure.json("heap_bytes", new Value.Bytes(memory.heap())));
        figures.add(Figure.json("batches_bytes", new Value.Bytes(memory.batches())));
        figures.add(Figure.json("cache_bytes", new Value.Bytes(memory.cache())));
        figures.add(Figure.json("other_bytes", new Value.Bytes(memory.other())));
        figures.add(Figure.json("probe_seconds", new Value.Time(found.took())));
        return new Section.Figures("prediction", "Predicted before the start", figures);
    }
}
