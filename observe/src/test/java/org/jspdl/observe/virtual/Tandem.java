package org.jspdl.observe.virtual;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongToDoubleFunction;
import org.jspdl.stats.BudgetStats;
import org.jspdl.stats.Latency;
import org.jspdl.stats.LinkStats;
import org.jspdl.stats.PipelineStats;
import org.jspdl.stats.StageStats;
import org.jspdl.stats.TuningStats;

/// A chain of stages in virtual time: nothing waits and nothing is measured, so that the same chain has the same
/// statistics on every machine. Times are given in milliseconds. Used once.
///
/// Every stage takes its inputs in order, as soon as one is there, a slot is free and the link behind has room. All
/// times follow from these three by addition and by taking the latest.
public final class Tandem {
    private static final double MILLI = 1e6;
    private static final int BUFFER = 2;
    private static final int COMPUTE_THREADS = 2;
    private static final long ITEM_BYTES = 1_000;

    private final List<VirtualStage> stages = new ArrayList<>();
    private final List<Double> deliveredAt = new ArrayList<>();
    private int itemsInDelivery = 1;
    private int mostInFlight = Integer.MAX_VALUE;

    private Tandem(LongToDoubleFunction millis) {
        add("source", "source", 1, BUFFER, 1, millis);
    }

    /// A chain whose source needs so long for each item.
    public static Tandem from(double millis) {
        return new Tandem(item -> millis);
    }

    /// A chain whose source needs as long for each item as its number says.
    public static Tandem from(LongToDoubleFunction millis) {
        return new Tandem(millis);
    }

    private Tandem add(String name, String placement, int slots, int buffer, int group, LongToDoubleFunction millis) {
        stages.add(new VirtualStage(name, placement, slots, buffer, group, call -> MILLI * millis.applyAsDouble(call)));
        return this;
    }

    /// A stage that waits.
    public Tandem io(String name, int slots, double millis) {
        return add(name, "io", slots, BUFFER, 1, call -> millis);
    }

    /// A stage that computes.
    public Tandem cpu(String name, int slots, double millis) {
        return add(name, "cpu", slots, BUFFER, 1, call -> millis);
    }

    /// A stage whose calls take as long as their number says.
    public Tandem pipe(String name, boolean computes, int slots, int buffer, LongToDoubleFunction millis) {
        return add(name, computes ? "cpu" : "io", slots, buffer, 1, millis);
    }

    /// Batches of `size`, which take no time to gather.
    public Tandem batch(int size) {
        itemsInDelivery *= size;
        return add("batch(" + size + ")", "inline", 1, BUFFER, size, call -> 0);
    }

    /// With a byte budget for this number of items in flight.
    public Tandem inFlight(int items) {
        mostInFlight = items;
        return this;
    }

    /// The statistics of a run whose consumer takes `batches` and needs so long for each.
    public PipelineStats consume(int batches, double millis) {
        return consume(batches, batch -> millis);
    }

    /// The statistics of a run whose consumer takes `batches` and needs as long for each as its number says.
    public PipelineStats consume(int batches, LongToDoubleFunction millis) {
        double free = 0;
        double waited = 0;
        double worked = 0;
        double longest = 0;
        long[] times = new long[Latency.BUCKETS];
        VirtualStage last = stages.getLast();
        for (int i = 0; i < batches; i++) {
            while (!last.hasResult()) {
                enter();
            }
            double taken = Math.max(free, last.resultReady());
            waited += taken - free;
            last.resultTaken(taken);
            for (int j = 0; j < itemsInDelivery; j++) {
                deliveredAt.add(taken);
            }
            double step = millis.applyAsDouble(i) * MILLI;
            times[Latency.bucketOf(Math.round(step))]++;
            longest = Math.max(longest, step);
            worked += step;
            free = taken + step;
        }
        long limit = mostInFlight == Integer.MAX_VALUE ? Long.MAX_VALUE : mostInFlight * ITEM_BYTES;
        return new PipelineStats(
                "virtual",
                VirtualStage.nanos(free),
                batches,
                0,
                0,
                VirtualStage.nanos(waited),
                VirtualStage.nanos(worked),
                Latency.of(times, Math.round(longest)),
                COMPUTE_THREADS,
                limit == Long.MAX_VALUE ? BudgetStats.NONE : new BudgetStats(limit, limit, limit, 0),
                List.of(),
                TuningStats.OFF,
                stages.stream().map(VirtualStage::stats).toList(),
                links(free));
    }

    /// One more item comes from the source and goes as far as it gets.
    private void enter() {
        int before = stages.getFirst().results();
        double held = before < mostInFlight ? 0 : deliveredAt.get(before - mostInFlight);
        stages.getFirst().take(0, held);
        for (int i = 1; i < stages.size() && stages.get(i - 1).hasResult(); i++) {
            VirtualStage upstream = stages.get(i - 1);
            upstream.resultTaken(stages.get(i).take(upstream.resultReady(), 0));
        }
    }

    private List<LinkStats> links(double elapsed) {
        List<LinkStats> links = new ArrayList<>();
        for (int i = 0; i < stages.size(); i++) {
            String next = i + 1 < stages.size() ? stages.get(i + 1).name() : "";
            links.add(stages.get(i).link(next, elapsed));
        }
        return links;
    }

    /// How long a slot of `stage` waited for input for each item, in milliseconds: what the original calls *get*.
    public static double millisOfGet(StageStats stage) {
        return perItem(stage.starved(), stage.processed());
    }

    /// How long a slot of `stage` waited for room for each item, in milliseconds: what the original calls *put*.
    public static double millisOfPut(StageStats stage) {
        return perItem(stage.backpressured(), stage.processed());
    }

    private static double perItem(Duration time, long items) {
        return time.toNanos() / MILLI / items;
    }
}
