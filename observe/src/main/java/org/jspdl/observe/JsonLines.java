package org.jspdl.observe;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspdl.json.JsonWriter;
import org.jspdl.stats.StageStats;

/// Writes one line of JSON for each interval, for [Watch#onInterval]: to follow a long run, or to keep.
///
/// The writer is flushed after each line and stays the caller's.
public final class JsonLines implements Consumer<Interval> {
    private final Writer out;

    private JsonLines(Writer out) {
        this.out = out;
    }

    /// Writes to `out`.
    public static JsonLines to(Writer out) {
        return new JsonLines(out);
    }

    @Override
    public void accept(Interval interval) {
        try {
            out.write(line(interval) + "\n");
            out.flush();
        } catch (IOException failure) {
            throw new UncheckedIOException("an interval could not be written: " + failure.getMessage(), failure);
        }
    }

    static String line(Interval interval) {
        var stats = interval.stats();
        var usage = interval.usage();
        JsonWriter json = JsonWriter.compact()
                .rounded(6)
                .beginObject()
                .put("pipeline", stats.pipeline())
                .put("end_seconds", seconds(interval.end()))
                .put("seconds", seconds(stats.elapsed()))
                .put("batches", stats.delivered())
                .put("failed", stats.skipped())
                .put("consumer_starved_seconds", seconds(stats.consumerWait()))
                .put("processors_used", usage.processorsUsed())
                .put("processors_used_by_others", usage.processorsUsedByOthers())
                .put("gc_pause_seconds", usage.garbage().pauseNanos() / 1e9)
                .put("heap_bytes", usage.memory().heap())
                .put("pool_bytes", usage.memory().pools())
                .put("resident_bytes", usage.memory().resident())
                .put("read_bytes", usage.transfer().read())
                .put("descriptors", usage.transfer().descriptors())
                .beginArray("stages");
        for (StageStats stage : stats.stages()) {
            json.beginObject()
                    .put("name", stage.name())
                    .put("completed", stage.completed())
                    .put("failed", stage.failed())
                    .put("busy_share", stage.busyShare(stats.elapsed()))
                    .put("starved_share", stage.starvedShare(stats.elapsed()))
                    .put("backpressured_share", stage.backpressuredShare(stats.elapsed()))
                    .put("waiting_for_cpu_share", stage.waitingForCpuShare(stats.elapsed()))
                    .endObject();
        }
        return json.endArray().endObject().document();
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
