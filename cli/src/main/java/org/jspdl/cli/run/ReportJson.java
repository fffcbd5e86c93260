package org.jspdl.cli.run;

import java.time.Duration;
import org.jspdl.json.JsonWriter;
import org.jspdl.stats.PipelineStats;
import org.jspdl.stats.StageStats;

/// The report for programs. The keys are documented in `docs/reference/run.md`.
final class ReportJson {
    private ReportJson() {}

    static String of(RunReport report) {
        JsonWriter json = JsonWriter.indented().rounded(6).beginObject();
        EpochFigures last = report.lastEpoch();
        json.put("items", last.items());
        json.put("items_per_second", last.itemsPerSecond());
        json.put("cpu_seconds_per_1000_items", last.cpuSecondsPer1000Items());
        if (report.firstBatchSeconds() < 0) {
            json.putNull("first_batch_seconds");
        } else {
            json.put("first_batch_seconds", report.firstBatchSeconds());
        }
        json.put("preparation_seconds", report.preparationSeconds());
        if (report.peakResidentBytes().isPresent()) {
            json.put("peak_rss_bytes", report.peakResidentBytes().getAsLong());
        } else {
            json.putNull("peak_rss_bytes");
        }
        json.put("failures", report.failures());
        json.put("left_out_files", report.subject().leftOut().files());
        json.put("interrupted", report.interrupted());
        json.put("total_items", report.totalItems());
        json.put("total_seconds", report.processSeconds());
        json.put("total_cpu_seconds", seconds(report.processCpu()));
        json.put("checksum", Long.toHexString(report.checksum()));
        if (!report.subject().decoders().isEmpty()) {
            json.put("jpeg_backend", report.subject().decoders());
        }
        json.put("bottleneck", report.watched().diagnosis().toString());
        report.subject()
                .settings()
                .ifPresentOrElse(settings -> settings(json, report, settings), () -> plan(json, report));
        report.reading().ifPresent(reading -> reading.json(json));
        epochs(json, report);
        stages(json, report.stats());
        failed(json, report);
        json.beginObject("watched");
        report.watched().writeTo(json);
        json.endObject();
        return json.endObject().document();
    }

    private static void plan(JsonWriter json, RunReport report) {
        json.beginObject("settings")
                .put("plan", report.subject().name())
                .put("epochs", report.subject().epochs())
                .endObject();
    }

    private static void settings(JsonWriter json, RunReport report, RunSettings settings) {
        json.beginObject("settings")
                .put("dataset", report.subject().name())
                .put("images_per_epoch", report.subject().itemsPerEpoch())
                .put("size", settings.picture().size())
                .put("resize", settings.picture().resize())
                .put("layout", RunSettings.spelled(settings.picture().layout()))
                .put("dtype", RunSettings.spelled(settings.picture().elements()))
                .put("crop", RunSettings.spelled(settings.picture().crop()))
                .put("mirror", settings.picture().mirror())
                .put("jitter", jitter(settings.picture().jitter()))
                .put("normalized", settings.picture().normalized())
                .put("quality", RunSettings.spelled(settings.picture().quality()))
                .put("batch", settings.batch())
                .put("epochs", settings.epochs())
                .put("shuffle", settings.shuffle())
                .put("seed", settings.seed())
                .put("rank", settings.shard().rank())
                .put("world_size", settings.shard().worldSize())
                .put("concurrency", settings.concurrency())
                .put("order", RunSettings.spelled(settings.order()))
                .endObject();
    }

    private static String jitter(PictureSettings.Jitter jitter) {
        return jitter.brightness() + "," + jitter.contrast() + "," + jitter.saturation() + "," + jitter.hue();
    }

    private static void epochs(JsonWriter json, RunReport report) {
        json.beginArray("epochs");
        for (EpochFigures epoch : report.epochs()) {
            json.beginObject()
                    .put("items", epoch.items())
                    .put("batches", epoch.batches())
                    .put("seconds", seconds(epoch.elapsed()))
                    .put("cpu_seconds", seconds(epoch.cpu()))
                    .put("items_per_second", epoch.itemsPerSecond())
                    .endObject();
        }
        json.endArray();
    }

    private static void stages(JsonWriter json, PipelineStats stats) {
        json.beginArray("stages");
        for (StageStats stage : stats.stages()) {
            json.beginObject()
                    .put("name", stage.name())
                    .put("placement", stage.placement())
                    .put("concurrency", stage.concurrency())
                    .put("completed", stage.completed())
                    .put("failed", stage.failed())
                    .put("seconds_per_item", seconds(stage.timePerItem()))
                    .put("busy_share", stage.busyShare(stats.elapsed()))
                    .put("waiting_for_input_share", stage.starvedShare(stats.elapsed()))
                    .put("waiting_for_room_share", stage.blockedShare(stats.elapsed()))
                    .put("waiting_for_processor_share", stage.queuedShare(stats.elapsed()))
                    .endObject();
        }
        json.endArray();
    }

    private static void failed(JsonWriter json, RunReport report) {
        json.beginArray("failed_files");
        for (FailureLog.Failure failure : report.failed()) {
            json.beginObject()
                    .put("path", failure.path())
                    .put("reason", failure.reason())
                    .endObject();
        }
        json.endArray();
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
