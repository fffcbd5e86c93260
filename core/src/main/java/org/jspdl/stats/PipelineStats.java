package org.jspdl.stats;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// One snapshot of a run at one instant.
///
/// Counters of different stages are read one after the other while the run goes on, so they may differ by the items in
/// flight.
///
/// @param pipeline     the pipeline's name
/// @param elapsed      time since the run started, or since the earlier snapshot this one is an interval from
/// @param delivered    items handed to the consumer
/// @param deliveredBytes what they weighed by `Pipeline.weigh`, groups with their members; under a byte budget an item
///     that was never weighed counts with its estimate
/// @param skipped      items dropped by a failure policy, in all stages
/// @param consumerWait time the consumer waited for items
/// @param consumerBusy time between the consumer's requests: its own work
/// @param consumerTimes the consumer's own time for each delivery
/// @param computeThreads threads of the compute pool that the run's `cpu` stages share
/// @param budget         the byte budget
/// @param changes      what was changed while the run went on: the last 256 changes, oldest first
/// @param tuning       what the tuner of `auto` stages decided, since the run's start
/// @param stages       every stage, source first
/// @param links        the link after each stage, in the same order; the last is the sink
/// @param sources      how much of each source was used, over all runs that resumed from each other; also in intervals
public record PipelineStats(
        String pipeline,
        Duration elapsed,
        long delivered,
        long deliveredBytes,
        long skipped,
        Duration consumerWait,
        Duration consumerBusy,
        Latency consumerTimes,
        int computeThreads,
        BudgetStats budget,
        List<Change> changes,
        TuningStats tuning,
        List<StageStats> stages,
        List<LinkStats> links,
        List<SourceStats> sources) {

    /// Without what is known of sources.
    public PipelineStats(
            String pipeline,
            Duration elapsed,
            long delivered,
            long deliveredBytes,
            long skipped,
            Duration consumerWait,
            Duration consumerBusy,
            Latency consumerTimes,
            int computeThreads,
            BudgetStats budget,
            List<Change> changes,
            TuningStats tuning,
            List<StageStats> stages,
            List<LinkStats> links) {
        this(
                pipeline,
                elapsed,
                delivered,
                deliveredBytes,
                skipped,
                consumerWait,
                consumerBusy,
                consumerTimes,
                computeThreads,
                budget,
                changes,
                tuning,
                stages,
                links,
                List.of());
    }

    /// Delivered items per second.
    public double rate() {
        return elapsed.isZero() ? 0 : delivered / (elapsed.toNanos() / 1e9);
    }

    /// Delivered bytes per second; zero unless the recipe weighs items.
    public double bytesPerSecond() {
        return elapsed.isZero() ? 0 : deliveredBytes / (elapsed.toNanos() / 1e9);
    }

    /// What limits the run, and what would help.
    public Bottleneck bottleneck() {
        return Bottleneck.of(this);
    }

    /// The stage of this name.
    ///
    /// @throws IllegalArgumentException if there is none
    public StageStats stage(String name) {
        return stages.stream()
                .filter(stage -> stage.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no stage named '" + name + "' in "
                        + stages.stream().map(StageStats::name).toList()));
    }

    /// What happened between `earlier`, a snapshot of the same run, and this one: the statistics of an interval.
    public PipelineStats since(PipelineStats earlier) {
        List<StageStats> stageLaps = new ArrayList<>();
        for (int i = 0; i < stages.size(); i++) {
            stageLaps.add(stages.get(i).since(earlier.stages.get(i)));
        }
        List<LinkStats> linkLaps = new ArrayList<>();
        for (int i = 0; i < links.size(); i++) {
            linkLaps.add(links.get(i).since(earlier.links.get(i)));
        }
        return new PipelineStats(
                pipeline,
                elapsed.minus(earlier.elapsed),
                delivered - earlier.delivered,
                deliveredBytes - earlier.deliveredBytes,
                skipped - earlier.skipped,
                consumerWait.minus(earlier.consumerWait),
                consumerBusy.minus(earlier.consumerBusy),
                consumerTimes.since(earlier.consumerTimes),
                computeThreads,
                budget,
                changes,
                tuning,
                stageLaps,
                linkLaps,
                sources);
    }
}
