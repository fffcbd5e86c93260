package org.jspdl.observe;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspdl.json.JsonWriter;
import org.jspdl.observe.text.Figures;

/// The throughput of each stage alone, and the prediction for the pipeline.
///
/// @param pipeline   the pipeline's name
/// @param processors how many there are
/// @param rate       batches per second of the pipeline as it is
/// @param stages     the stages that have a concurrency
/// @param unreached  stages with a concurrency to which no item came
public record ProfileReport(
        String pipeline, int processors, double rate, List<StageProfile> stages, List<String> unreached) {

    /// Predicted batches per second with the recommended workers: what the slowest stage can do, or what the
    /// processors can if all stages run at once, whichever is less.
    public double predicted() {
        double slowest = stages.stream()
                .mapToDouble(StageProfile::batchesPerSecond)
                .min()
                .orElse(rate);
        double cpu = stages.stream()
                .map(StageProfile::cpuPerBatch)
                .mapToDouble(Duration::toNanos)
                .sum();
        return cpu == 0 ? slowest : Math.min(slowest, processors * 1e9 / cpu);
    }

    /// The stage that can keep up with the fewest batches.
    ///
    /// @throws java.util.NoSuchElementException if no stage has a concurrency
    public StageProfile slowest() {
        return stages.stream()
                .min(java.util.Comparator.comparingDouble(StageProfile::batchesPerSecond))
                .orElseThrow();
    }

    /// A table and a recommendation, for a terminal.
    public String text() {
        StringBuilder text = new StringBuilder();
        line(text, "Each stage of '%s' alone, on %d processors", pipeline, processors);
        line(text, "");
        line(
                text,
                "  %-12s %-10s %9s %10s %12s %12s %12s %9s",
                "stage",
                "placement",
                "workers",
                "items/s",
                "p50",
                "p99",
                "CPU/item",
                "");
        for (StageProfile stage : stages) {
            int recommended = stage.recommended(predicted());
            for (StageProfile.Level level : stage.levels()) {
                line(
                        text,
                        "  %-12s %-10s %9d %10s %12s %12s %12s %9s",
                        level == stage.levels().getFirst() ? stage.name() : "",
                        level == stage.levels().getFirst() ? stage.placement() : "",
                        level.concurrency(),
                        Figures.rate(level.rate()),
                        Figures.time(level.p50()),
                        Figures.time(level.p99()),
                        Figures.time(level.cpu()),
                        level.concurrency() == recommended
                                ? "<- enough"
                                : level.concurrency() == stage.concurrency() ? "now" : "");
            }
        }
        line(text, "");
        unreached.forEach(stage -> line(text, "'%s' got no items.", stage));
        if (stages.isEmpty()) {
            line(text, "No stage has a number of workers to choose.");
            return text.toString();
        }
        for (StageProfile stage : stages) {
            int recommended = stage.recommended(predicted());
            line(
                    text,
                    recommended == stage.concurrency() ? "'%s': %s is right." : "'%s': %s instead of %d.",
                    stage.name(),
                    recommended == 1 ? "1 worker" : recommended + " workers",
                    stage.concurrency());
        }
        line(
                text,
                "Predicted throughput: %s batches/s (now %s); '%s' is the slowest stage.",
                Figures.rate(predicted()),
                Figures.rate(rate),
                slowest().name());
        return text.toString();
    }

    /// For programs: a JSON document.
    public String json() {
        JsonWriter json = JsonWriter.indented().rounded(6).beginObject();
        json.put("pipeline", pipeline)
                .put("processors", processors)
                .put("batches_per_second", rate)
                .put("predicted_batches_per_second", predicted())
                .beginArray("stages");
        for (StageProfile stage : stages) {
            json.beginObject()
                    .put("name", stage.name())
                    .put("placement", stage.placement())
                    .put("workers", stage.concurrency())
                    .put("recommended_workers", stage.recommended(predicted()))
                    .put("calls_per_batch", stage.calls())
                    .beginArray("levels");
            for (StageProfile.Level level : stage.levels()) {
                json.beginObject()
                        .put("workers", level.concurrency())
                        .put("items_per_second", level.rate())
                        .put("p50_seconds", seconds(level.p50()))
                        .put("p99_seconds", seconds(level.p99()))
                        .put("cpu_seconds_per_item", seconds(level.cpu()))
                        .endObject();
            }
            json.endArray().endObject();
        }
        json.endArray().beginArray("unreached");
        unreached.forEach(json::value);
        return json.endArray().endObject().document();
    }

    private static void line(StringBuilder text, String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values).stripTrailing()).append(System.lineSeparator());
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
