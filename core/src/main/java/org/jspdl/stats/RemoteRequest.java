package org.jspdl.stats;

import java.time.Duration;
import java.util.Locale;

/// One request to another machine, with all its repeats.
///
/// @param what     what was asked, such as `GET bytes 0-40111`
/// @param location of what, as messages show it: without secrets
/// @param thread   the identifier of the thread that sent it
/// @param start    when it began, of [System#nanoTime]
/// @param end      when it ended, with an answer or without
/// @param attempts how often it was sent
/// @param queued   how long it waited for a connection: for its turn among those to the host, and to be connected
/// @param paused   how long it waited between attempts
/// @param trouble  why it was repeated last, or ended without an answer; empty if the first answer was good
public record RemoteRequest(
        String what,
        String location,
        long thread,
        long start,
        long end,
        int attempts,
        Duration queued,
        Duration paused,
        String trouble) {
    private static final long WORTH_TELLING_NANOS = 1_000_000;

    /// From beginning to end.
    public Duration took() {
        return Duration.ofNanos(end - start);
    }

    /// What was asked and how long it took, without the location: for where that was said.
    public String text() {
        return what + times();
    }

    private String times() {
        StringBuilder text = new StringBuilder(" took ").append(millis(took()));
        String before = ": ";
        if (attempts > 1) {
            text.append(before)
                    .append(attempts)
                    .append(" attempts, ")
                    .append(millis(paused))
                    .append(" between them");
            before = ", ";
        }
        if (queued.toNanos() >= WORTH_TELLING_NANOS) {
            text.append(before).append(millis(queued)).append(" for a connection");
            before = ", ";
        }
        return trouble.isEmpty()
                ? text.toString()
                : text.append(before).append(trouble).toString();
    }

    private static String millis(Duration time) {
        return String.format(Locale.ROOT, "%.1f ms", time.toNanos() / 1e6);
    }

    @Override
    public String toString() {
        return what + " of " + location + times();
    }
}
