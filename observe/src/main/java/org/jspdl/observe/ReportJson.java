package org.jspdl.observe;

import java.time.Duration;
import java.util.function.ToDoubleFunction;
import org.jspdl.json.JsonWriter;
import org.jspdl.observe.diagnosis.Finding;
import org.jspdl.observe.diagnosis.Remedy;
import org.jspdl.stats.Change;
import org.jspdl.stats.Latency;
import org.jspdl.stats.LinkStats;
import org.jspdl.stats.PipelineStats;
import org.jspdl.stats.StageStats;

/// A report for programs. The keys are documented in `docs/reference/report.md`.
final class ReportJson {
    private ReportJson() {}

    static void write(Report report, JsonWriter json) {
        json.put("pipeline", report.pipeline());
        json.put("seconds", seconds(report.stats().elapsed()));
        json.put("deliveries", report.stats().delivered());
        json.put("deliveries_per_second", report.steady().stats().rate());
        diagnosis(report, json);
        changes(report.stats(), json);
        stages(report, json);
        links(report.stats(), json);
        process(report, json);
        series(report, json);
        waits(report, json);
    }

    private static void diagnosis(Report report, JsonWriter json) {
        json.beginArray("diagnosis");
        for (Finding finding : report.diagnosis().findings()) {
            json.beginObject()
                    .put("limit", finding.limit().name().toLowerCase(java.util.Locale.ROOT))
                    .put("stage", finding.stage())
                    .put("confidence", finding.confidence())
                    .put("evidence", finding.evidence())
                    .beginArray("remedies");
            for (Remedy remedy : finding.remedies()) {
                json.beginObject()
                        .put("change", remedy.what())
                        .put("deliveries_per_second", remedy.rate())
                        .put("gain", remedy.gain())
                        .endObject();
            }
            json.endArray().endObject();
        }
        json.endArray();
    }

    private static void changes(PipelineStats stats, JsonWriter json) {
        json.beginArray("changes");
        for (Change change : stats.changes()) {
            json.beginObject()
                    .put("at_seconds", seconds(change.at()))
                    .put("stage", change.stage())
                    .put("what", change.what())
                    .put("from", change.from())
                    .put("to", change.to())
                    .endObject();
        }
        json.endArray();
    }

    private static void stages(Report report, JsonWriter json) {
        PipelineStats stats = report.stats();
        json.beginArray("stages");
        for (StageStats stage : stats.stages()) {
            StageWork work = report.work(stage.name());
            json.beginObject()
                    .put("name", stage.name())
                    .put("placement", stage.placement())
                    .put("concurrency", stage.concurrency())
                    .put("completed", stage.completed())
                    .put("filtered", stage.filtered())
                    .put("failed", stage.failed())
                    .put("busy_share", stage.busyShare(stats.elapsed()))
                    .put("waiting_for_input_share", stage.starvedShare(stats.elapsed()))
                    .put("waiting_for_room_share", stage.blockedShare(stats.elapsed()))
                    .put("waiting_for_processor_share", stage.queuedShare(stats.elapsed()))
                    .put("processor_share", work.processorShare())
                    .put("mostly", work.looks() == 0 ? "" : work.mostly().label())
                    .put("mostly_in", work.place());
            latency(stage.latency(), json);
            json.endObject();
        }
        json.endArray();
    }

    private static void latency(Latency latency, JsonWriter json) {
        json.beginObject("latency_seconds")
                .put("p50", seconds(latency.p50()))
                .put("p90", seconds(latency.p90()))
                .put("p99", seconds(latency.p99()))
                .put("max", seconds(latency.max()))
                .endObject();
    }

    private static void links(PipelineStats stats, JsonWriter json) {
        json.beginArray("links");
        for (LinkStats link : stats.links()) {
            json.beginObject()
                    .put("from", link.name())
                    .put("to", link.consumer())
                    .put("capacity", link.capacity())
                    .put("passed", link.passed())
                    .put("ready_share", link.readiness(stats.elapsed()))
                    .put("full_share", link.fullness(stats.elapsed()))
                    .endObject();
        }
        json.endArray();
    }

    private static void process(Report report, JsonWriter json) {
        var used = report.total().usage();
        json.beginObject("process")
                .put("processors", used.machine().processors())
                .put("processors_used", used.processorsUsed())
                .put("processors_used_by_others", used.processorsUsedByOthers())
                .put("processors_stolen", used.processorsStolen())
                .put("cpu_seconds", seconds(used.cpu()))
                .put("cpu_seconds_compute_threads", used.threads().compute() / 1e9)
                .put("cpu_seconds_virtual_threads", used.threads().carriers() / 1e9)
                .put("cpu_seconds_garbage_collector", used.threads().garbage() / 1e9)
                .put("cpu_seconds_compiler", used.threads().compiler() / 1e9)
                .put("seconds_delayed_by_others", used.threads().delayed() / 1e9)
                .put("garbage_pauses", used.garbage().pauses())
                .put("garbage_pause_seconds", used.garbage().pauseNanos() / 1e9)
                .put("allocated_bytes", used.garbage().allocated())
                .put("heap_bytes", used.memory().heap())
                .put("pool_bytes", used.memory().pools())
                .put("resident_bytes", used.memory().resident())
                .put("major_faults", used.memory().majorFaults())
                .put("read_bytes", used.transfer().read())
                .put("disk_bytes", used.transfer().disk())
                .put("written_bytes", used.transfer().written())
                .put("descriptors", used.transfer().descriptors())
                .endObject();
    }

    private static void series(Report report, JsonWriter json) {
        json.beginObject("series");
        values(json, "end_seconds", report, each -> seconds(each.end()));
        values(json, "deliveries_per_second", report, each -> each.stats().rate());
        values(json, "processors_used", report, each -> each.usage().processorsUsed());
        values(json, "processors_used_by_others", report, each -> each.usage().processorsUsedByOthers());
        values(json, "garbage_pause_share", report, each -> each.usage().pausedShare());
        values(json, "heap_bytes", report, each -> each.usage().memory().heap());
        values(json, "pool_bytes", report, each -> each.usage().memory().pools());
        values(json, "resident_bytes", report, each -> each.usage().memory().resident());
        values(
                json,
                "read_bytes_per_second",
                report,
                each -> Math.max(0, each.usage().transfer().read())
                        / Math.max(1e-9, each.usage().at() / 1e9));
        json.endObject();
    }

    private static void values(JsonWriter json, String name, Report report, ToDoubleFunction<Interval> value) {
        json.beginArray(name);
        report.series().forEach(each -> json.value(value.applyAsDouble(each)));
        json.endArray();
    }

    private static void waits(Report report, JsonWriter json) {
        json.beginArray("longest_waits");
        for (Wait wait : report.waits()) {
            json.beginObject()
                    .put("delivery", wait.delivery())
                    .put("at_seconds", seconds(wait.at()))
                    .put("waited_seconds", seconds(wait.waited()))
                    .beginArray("causes");
            for (Wait.Cause cause : wait.causes()) {
                json.beginObject()
                        .put("what", cause.kind().name().toLowerCase(java.util.Locale.ROOT))
                        .put("stage", cause.stage())
                        .put("seconds", seconds(cause.time()))
                        .endObject();
            }
            json.endArray().endObject();
        }
        json.endArray();
    }

    static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
