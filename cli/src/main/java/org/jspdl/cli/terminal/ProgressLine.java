package org.jspdl.cli.terminal;

import org.jspdl.observe.text.Figures;

/// Shows how far something has come: one line that is written over on a terminal, a plain line now and then elsewhere.
///
/// Any thread may report; most reports cost one comparison. Whoever made it clears it before anything else is printed.
public final class ProgressLine {
    private static final long LIVE_NANOS = 100_000_000L;
    private static final long PLAIN_NANOS = 5_000_000_000L;
    private static final int BAR = 28;
    private static final long FORESEEN = 1_000_000_000_000_000L;
    /// Back to the first column of an empty line; and no wrapping, so that a narrow terminal cuts the line off,
    /// which otherwise would be left behind in pieces.
    private static final String BEGIN = "\r\u001b[K\u001b[?7l";
    private static final String END = "\u001b[?7h";

    private final Terminal terminal;
    private final boolean enabled;
    private final String task;
    private final String things;
    private final long total;
    private final long startedAt;
    private final long interval;
    private volatile long nextAt;
    private boolean shown;

    private ProgressLine(Terminal terminal, boolean enabled, String task, String things, long total) {
        this.terminal = terminal;
        this.enabled = enabled;
        this.task = task;
        this.things = things;
        this.total = total;
        this.startedAt = System.nanoTime();
        this.interval = terminal.liveErrors() ? LIVE_NANOS : PLAIN_NANOS;
        this.nextAt = startedAt + interval;
    }

    /// How many things there are in `epochs` epochs of `perEpoch`, for [#of]: 0 if nobody knows, or if it is so
    /// many that nobody waits for them.
    public static long total(long perEpoch, long epochs) {
        return perEpoch <= 0 || epochs > FORESEEN / perEpoch ? 0 : perEpoch * epochs;
    }

    /// Progress of `task` towards `total` images.
    public static ProgressLine of(Terminal terminal, String task, long total) {
        return of(terminal, task, "images", total);
    }

    /// Progress of `task` towards `total` things; 0 if nobody knows how many there are.
    public static ProgressLine of(Terminal terminal, String task, String things, long total) {
        return new ProgressLine(terminal, true, task, things, total);
    }

    /// Progress that nobody sees.
    public static ProgressLine silent(Terminal terminal) {
        return new ProgressLine(terminal, false, "", "", 0);
    }

    /// Says that `done` images are done.
    public void report(long done) {
        if (enabled && System.nanoTime() - nextAt >= 0) {
            show(done);
        }
    }

    private synchronized void show(long done) {
        long now = System.nanoTime();
        if (now - nextAt < 0) {
            return;
        }
        nextAt = now + interval;
        double seconds = (now - startedAt) / 1e9;
        double rate = done / seconds;
        String left = done == 0 || done >= total ? "" : ", " + Figures.remaining((total - done) / rate) + " left";
        if (terminal.liveErrors()) {
            boolean unicode = terminal.err().charset().newEncoder().canEncode('━');
            int filled = (int) (BAR * Math.min(done, total) / Math.max(1, total));
            String bar = total == 0
                    ? ""
                    : (unicode ? "━" : "=").repeat(filled) + (unicode ? "╌" : "-").repeat(BAR - filled) + " ";
            terminal.control(BEGIN);
            terminal.err()
                    .print(task + " " + bar + Figures.count(done)
                            + (total == 0 ? "" : "/" + Figures.count(total)) + "  "
                            + Figures.rate(rate) + " " + things + "/s"
                            + left);
            terminal.control(END);
            shown = true;
        } else {
            terminal.err()
                    .println(task + ": " + Figures.count(done) + (total == 0 ? "" : " of " + Figures.count(total)) + " "
                            + things + ", " + Figures.rate(rate) + " " + things + "/s" + left);
        }
    }

    /// Takes the line away; later reports are ignored until the next interval.
    public synchronized void clear() {
        if (shown) {
            terminal.control("\r\u001b[K");
            shown = false;
        }
    }
}
