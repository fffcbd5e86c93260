package org.jspdl.python;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspdl.json.Json;
import org.jspdl.json.JsonWriter;
import org.jspdl.pipeline.FailedItem;
import org.jspdl.stats.PipelineStats;
import org.jspdl.stats.SourceStats;
import org.jspdl.stats.StageStats;
import org.jspecify.annotations.Nullable;

/// What the trainer is told about the run: its stages, the handover, and what was skipped. Thread-safe.
final class Statistics {
    /// More failures are counted but not kept.
    private static final int KEPT = 100;

    private final List<Map<String, Object>> kept = new ArrayList<>();
    private long failures;

    /// Notes an item that was skipped.
    synchronized void add(FailedItem item) {
        failures++;
        if (kept.size() < KEPT) {
            String message = item.cause().getMessage();
            Map<String, Object> failure = new LinkedHashMap<>();
            failure.put("stage", item.stage());
            failure.put("epoch", item.epoch());
            failure.put("position", item.position().index());
            failure.put("input", Json.wellFormed(item.input()));
            failure.put(
                    "message", Json.wellFormed(message == null ? item.cause().toString() : message));
            kept.add(failure);
        }
    }

    private synchronized Map<String, Object> failures() {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("count", failures);
        all.put("first", List.copyOf(kept));
        return all;
    }

    /// As JSON.
    ///
    /// @param trainers that get the batches of this run
    String json(Generation generation, ItemPlacer placement, SharedSlots ring, HeldItems held, int trainers) {
        PipelineStats run = generation.run().stats();
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("pipeline", run.pipeline());
        all.put("elapsed_seconds", seconds(run.elapsed()));
        all.put("batches", run.delivered());
        all.put("batches_per_second", run.rate());
        all.put("bottleneck", run.bottleneck().toString());
        all.put("compute_threads", run.computeThreads());
        all.put("stages", run.stages().stream().map(stage -> stage(stage, run)).toList());
        all.put("sources", run.sources().stream().map(Statistics::source).toList());
        all.put("handover", handover(generation, placement, ring, held, trainers));
        all.put("failures", failures());
        return JsonWriter.compact().rounded(9).value(all).document();
    }

    private static Map<String, Object> stage(StageStats stage, PipelineStats run) {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("name", stage.name());
        figures.put("placement", String.valueOf(stage.placement()));
        figures.put("workers", stage.concurrency());
        figures.put("completed", stage.completed());
        figures.put("failed", stage.failed());
        figures.put("seconds_per_item", seconds(stage.timePerItem()));
        figures.put("busy_share", stage.busyShare(run.elapsed()));
        figures.put("starved_share", stage.starvedShare(run.elapsed()));
        figures.put("backpressured_share", stage.backpressuredShare(run.elapsed()));
        figures.put("waiting_for_cpu_share", stage.waitingForCpuShare(run.elapsed()));
        return figures;
    }

    private static Map<String, @Nullable Object> source(SourceStats source) {
        Map<String, @Nullable Object> figures = new LinkedHashMap<>();
        figures.put("name", source.name());
        figures.put(
                "delivered", source.delivered().isPresent() ? source.delivered().getAsLong() : null);
        figures.put("dropped", source.dropped().isPresent() ? source.dropped().getAsLong() : null);
        figures.put("epochs", source.epochs().isPresent() ? source.epochs().getAsDouble() : null);
        return figures;
    }

    private static Map<String, Object> handover(
            Generation generation, ItemPlacer placement, SharedSlots ring, HeldItems held, int trainers) {
        SharedSlots.Figures figures = ring.figures();
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("backpressured_seconds", generation.credit().waitNanos() / 1e9);
        all.put("slot_wait_seconds", figures.waitNanos() / 1e9);
        all.put("prefetch", generation.credit().prefetch());
        all.put("copied_batches", placement.copiedBatches());
        all.put("copied_bytes", placement.copiedBytes());
        all.put("slots", ring.slots());
        all.put("slot_bytes", ring.slotBytes());
        all.put("slots_free", figures.free());
        all.put("slots_least_free", figures.leastFree());
        all.put("slots_held_by_trainer", held.count());
        all.put("slabs_beside_ring", figures.slabsBeside());
        all.put("trainers", trainers);
        return all;
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
