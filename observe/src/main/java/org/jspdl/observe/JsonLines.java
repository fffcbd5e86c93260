package org.jspdl.observe;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.Locale;
import java.util.function.Consumer;
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
        StringBuilder stages = new StringBuilder();
        for (StageStats stage : stats.stages()) {
            stages.append(stages.isEmpty() ? "" : ", ")
                    .append(String.format(
                            Locale.ROOT,
                            "{\"name\": \"%s\", \"completed\": %d, \"failed\": %d, \"busy\": %.4f, \"starved\": %.4f, \"blocked\": %.4f, \"queued\": %.4f}",
                            escaped(stage.name()),
                            stage.completed(),
                            stage.failed(),
                            stage.busyShare(stats.elapsed()),
                            stage.starvedShare(stats.elapsed()),
                            stage.blockedShare(stats.elapsed()),
                            stage.queuedShare(stats.elapsed())));
        }
        return String.format(
                Locale.ROOT,
                "{\"pipeline\": \"%s\", \"end_seconds\": %.6f, \"seconds\": %.6f, \"delivered\": %d, \"failed\": %d, \"consumer_wait_seconds\": %.6f, "
                        + "\"processors_used\": %.4f, \"processors_used_by_others\": %.4f, \"garbage_pause_seconds\": %.6f, "
                        + "\"heap_bytes\": %d, \"pool_bytes\": %d, \"resident_bytes\": %d, \"read_bytes\": %d, \"descriptors\": %d, \"stages\": [%s]}",
                escaped(stats.pipeline()),
                ReportJson.seconds(interval.end()),
                ReportJson.seconds(stats.elapsed()),
                stats.delivered(),
                stats.skipped(),
                ReportJson.seconds(stats.consumerWait()),
                usage.processorsUsed(),
                usage.processorsUsedByOthers(),
                usage.garbage().pauseNanos() / 1e9,
                usage.memory().heap(),
                usage.memory().pools(),
                usage.memory().resident(),
                usage.transfer().read(),
                usage.transfer().descriptors(),
                stages);
    }

    static String escaped(String text) {
        StringBuilder escaped = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ') {
                escaped.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                escaped.append(c == '"' || c == '\\' ? "\\" : "").append(c);
            }
        }
        return escaped.toString();
    }
}
