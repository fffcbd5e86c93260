package org.jspdl.service;

import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/// What a worker has done since it started, for Prometheus. Thread-safe.
final class ServerCounters {
    final LongAdder pieces = new LongAdder();
    final LongAdder images = new LongAdder();
    final LongAdder failedImages = new LongAdder();
    final LongAdder bytes = new LongAdder();
    final LongAdder nanos = new LongAdder();
    final LongAdder refused = new LongAdder();
    final LongAdder differed = new LongAdder();
    final LongAdder busy = new LongAdder();
    final LongAdder unread = new LongAdder();
    final LongAdder unsent = new LongAdder();
    final LongAdder slow = new LongAdder();
    final AtomicLong waiting = new AtomicLong();
    final AtomicLong working = new AtomicLong();

    /// In Prometheus's text format.
    ///
    /// @param held bytes of pieces on their way
    String text(long held) {
        StringBuilder text = new StringBuilder();
        counter(text, "pieces", "Pieces sent", pieces.sum());
        counter(text, "images", "Images of pieces sent", images.sum());
        counter(text, "failed_images", "Images that could not be decoded", failedImages.sum());
        counter(text, "bytes", "Bytes of pieces sent", bytes.sum());
        counter(text, "refused", "Requests that were no good: a token, an address, a limit", refused.sum());
        counter(text, "differed", "Requests for another plan, dataset or decoder", differed.sum());
        counter(text, "busy", "Requests sent elsewhere because there was no room", busy.sum());
        counter(text, "unread", "Pieces of which a file could not be read just then", unread.sum());
        counter(text, "unsent", "Pieces that nobody waited for any more", unsent.sum());
        counter(text, "slow", "Pieces of those that a loader took too slowly", slow.sum());
        metric(text, "work_seconds_total", "counter", "Time in which pieces were made and sent", seconds());
        metric(text, "working", "gauge", "Pieces that are made or sent", working.get());
        metric(text, "waiting", "gauge", "Requests that wait for their turn", waiting.get());
        metric(text, "piece_bytes", "gauge", "Memory of pieces on their way", held);
        return text.toString();
    }

    private double seconds() {
        return nanos.sum() / 1e9;
    }

    private static void counter(StringBuilder text, String name, String help, long value) {
        metric(text, name + "_total", "counter", help, value);
    }

    private static void metric(StringBuilder text, String name, String type, String help, Number value) {
        String full = "jspdl_serve_" + name;
        text.append(String.format(
                Locale.ROOT, "# HELP %s %s.%n# TYPE %s %s%n%s %s%n", full, help, full, type, full, value));
    }
}
