package org.jspdl.cli.top;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspdl.data.storage.Printable;
import org.jspdl.observe.live.LiveLook;
import org.jspdl.observe.text.DisplayText;
import org.jspdl.observe.text.Figures;

/// Draws runs as lines of text, none wider than the terminal.
///
/// Rates and shares are those since the look before. Of a narrow terminal, the columns that matter least are left out.
///
/// @param columns width of the terminal
/// @param sort    the order of stages
/// @param selected the stage that keys change, if any
/// @param unicode whether the terminal shows block characters
public record TopScreen(int columns, Sort sort, Optional<Selection> selected, boolean unicode) {
    private static final int LEAST_BAR = 6;
    private static final int MOST_BAR = 40;
    private static final int LEAST_NAME = 5;
    private static final int MOST_NAME = 24;
    /// What stands beside the name of a pipeline: its process and its age.
    private static final int BESIDE_NAME = 28;
    private static final int DECISIONS = 3;
    private static final int INDENT = 3;
    private static final LiveLook.Stage NOTHING = new LiveLook.Stage("", "", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    /// The order of stages.
    public enum Sort {
        /// As items pass them.
        PIPELINE,
        /// The busiest first.
        BUSY,
        /// The one with most items behind it first.
        QUEUE;

        /// The order that follows.
        public Sort next() {
            return values()[(ordinal() + 1) % values().length];
        }
    }

    /// A stage of a run, by their names.
    public record Selection(String run, String stage) {
        private boolean is(String otherRun, String otherStage) {
            return run.equals(otherRun) && stage.equals(otherStage);
        }
    }

    /// A run, now and at the look before.
    ///
    /// @param before empty at the first look, which shows means since the start
    /// @param alarm  what is wrong with it; empty if nothing is
    public record Seen(LiveLook now, Optional<LiveLook> before, String alarm) {
        /// A run with which nothing is wrong.
        public Seen(LiveLook now, Optional<LiveLook> before) {
            this(now, before, "");
        }

        double seconds() {
            return Math.max(1e-9, now.elapsed() - before.map(LiveLook::elapsed).orElse(0.0));
        }
    }

    /// A stage since the look before.
    private record Lap(LiveLook.Stage now, double rate, double busy, double starved, double blocked, double queued) {}

    /// The lines of all runs.
    public List<String> lines(List<Seen> runs) {
        List<String> lines = new ArrayList<>();
        if (runs.isEmpty()) {
            lines.add("No run of this user can be looked at. A run appears in its second second.");
        }
        for (Seen run : runs) {
            if (!lines.isEmpty()) {
                lines.add("");
            }
            head(run, lines);
            stages(run, lines);
            tuner(run.now(), lines);
        }
        lines.replaceAll(line -> DisplayText.cut(line, columns));
        return lines;
    }

    private void head(Seen run, List<String> lines) {
        LiveLook now = run.now();
        long delivered = now.delivered() - run.before().map(LiveLook::delivered).orElse(0L);
        double starved = now.starved() - run.before().map(LiveLook::starved).orElse(0.0);
        List<String> parts = new ArrayList<>(List.of(
                "pid " + now.pid() + " '" + name(now.pipeline()) + "' " + Figures.remaining(now.elapsed()),
                Figures.rate(Math.max(0, delivered) / run.seconds()) + " batches/s",
                "consumer starved " + share(starved / run.seconds())));
        run.before().ifPresent(before -> parts.add(processors(now.process(), before.process())));
        if (now.process().resident() >= 0) {
            parts.add("memory " + Figures.bytes(now.process().resident()));
        }
        if (now.failed() > 0) {
            parts.add(Figures.count(now.failed()) + " failed");
        }
        wrapped(parts, lines);
        if (!run.alarm().isEmpty()) {
            message("! " + run.alarm()).forEach(lines::add);
        }
    }

    /// A pipeline's name beside a number and a time.
    private String name(String pipeline) {
        return DisplayText.squeezed(Printable.of(pipeline), Math.max(LEAST_NAME, columns - BESIDE_NAME), unicode);
    }

    /// Since the look before: the process may have worked for long before the run began.
    private static String processors(LiveLook.Usage now, LiveLook.Usage before) {
        double seconds = Math.max(1e-9, now.at() - before.at());
        double cpu = Math.max(0, now.cpu() - before.cpu());
        String used = "CPU " + Figures.decimal(cpu / seconds, 2) + " of " + now.processors();
        return now.machine() < 0 || before.machine() < 0
                ? used
                : used + ", others "
                        + Figures.decimal(Math.max(0, (now.machine() - before.machine() - cpu) / seconds), 2);
    }

    /// As many parts on a line as fit.
    private void wrapped(List<String> parts, List<String> lines) {
        StringBuilder line = new StringBuilder();
        int width = 0;
        for (String part : parts) {
            int more = DisplayText.width(part);
            if (width > 0 && width + 3 + more > columns) {
                lines.add(line.toString());
                line.setLength(0);
                width = 0;
            }
            line.append(width == 0 ? "" : "   ").append(part);
            width += (width == 0 ? 0 : 3) + more;
        }
        lines.add(line.toString());
    }

    private void stages(Seen run, List<String> lines) {
        List<Lap> laps = laps(run);
        String margin = selected.isPresent() ? "  " : "";
        int name = LEAST_NAME;
        for (Lap lap : laps) {
            name = Math.max(name, DisplayText.width(Printable.of(lap.now.name())));
        }
        name = Math.min(name, Math.max(MOST_NAME, columns / 5));
        TopColumns table = TopColumns.fitting(columns - margin.length(), name, LEAST_BAR);
        int bar = Math.clamp(table.left(), LEAST_BAR, MOST_BAR);
        lines.add(margin + table.head());
        for (Lap lap : laps) {
            boolean here = selected.isPresent() && selected.get().is(run.now().run(), lap.now.name());
            lines.add((here ? "> " : margin)
                    + table.row(
                            DisplayText.squeezed(Printable.of(lap.now.name()), table.name(), unicode),
                            Integer.toString(lap.now.workers()),
                            Figures.rate(lap.rate),
                            Figures.time(Duration.ofNanos(Math.round(lap.now.mean() * 1e9))),
                            percentile(lap.now.p99()),
                            share(lap.starved),
                            share(lap.blocked),
                            lap.now.queued() + "/" + lap.now.capacity(),
                            Figures.count(lap.now.failed()),
                            share(lap.busy),
                            bar(lap.busy, bar)));
        }
    }

    /// Calls of the engine's own stages are not told apart.
    private static String percentile(double seconds) {
        return seconds > 0 ? Figures.time(Duration.ofNanos(Math.round(seconds * 1e9))) : "";
    }

    private List<Lap> laps(Seen run) {
        List<Lap> laps = new ArrayList<>();
        for (int i = 0; i < run.now().stages().size(); i++) {
            laps.add(lap(run, i));
        }
        switch (sort) {
            case PIPELINE -> {}
            case BUSY -> laps.sort(Comparator.comparingDouble(Lap::busy).reversed());
            case QUEUE -> laps.sort(Comparator.comparingDouble(Lap::queued).reversed());
        }
        return laps;
    }

    /// The stages of `run`, as they are drawn.
    List<Selection> order(Seen run) {
        return laps(run).stream()
                .map(lap -> new Selection(run.now().run(), lap.now.name()))
                .toList();
    }

    private static Lap lap(Seen run, int index) {
        LiveLook.Stage now = run.now().stages().get(index);
        LiveLook.Stage before = before(run, index, now.name());
        double workers = run.seconds() * Math.max(1, now.workers());
        return new Lap(
                now,
                Math.max(0, now.completed() - before.completed()) / run.seconds(),
                part(now.busy() - before.busy(), workers),
                part(now.starved() - before.starved(), workers),
                part(now.backpressured() - before.backpressured(), workers),
                now.capacity() <= 0 ? 0 : (double) now.queued() / now.capacity());
    }

    /// The stage at the look before; nothing at the first.
    private static LiveLook.Stage before(Seen run, int index, String name) {
        if (run.before().isEmpty()) {
            return NOTHING;
        }
        List<LiveLook.Stage> stages = run.before().get().stages();
        return index < stages.size() && stages.get(index).name().equals(name) ? stages.get(index) : NOTHING;
    }

    private static double part(double time, double whole) {
        return Math.clamp(time / whole, 0.0, 1.0);
    }

    private static String share(double part) {
        return Figures.share(Math.clamp(part, 0.0, 1.0));
    }

    private String bar(double part, int width) {
        int filled = (int) Math.round(part * width);
        return (unicode ? "█" : "#").repeat(filled) + (unicode ? "░" : ".").repeat(width - filled);
    }

    private void tuner(LiveLook run, List<String> lines) {
        if (run.tuner().equals("off")) {
            return;
        }
        lines.add("tuner: " + Printable.of(run.tuner()).replace('_', ' '));
        List<String> decisions = run.decisions();
        for (int i = decisions.size() - 1; i >= Math.max(0, decisions.size() - DECISIONS); i--) {
            sentence(decisions.get(i), lines);
        }
    }

    /// A message on as many lines as it needs.
    public List<String> message(String words) {
        List<String> lines = new ArrayList<>();
        sentence(words, lines);
        lines.replaceAll(line -> DisplayText.cut(line.stripLeading(), columns));
        return lines;
    }

    /// Words on as many lines as they need. A word that is wider than a line is cut into pieces.
    private void sentence(String words, List<String> lines) {
        StringBuilder line = new StringBuilder(" ");
        int width = 1;
        boolean begun = false;
        for (String word : Printable.of(words).split(" ", -1)) {
            String left = word;
            while (true) {
                int more = DisplayText.width(left);
                if (width + 1 + more <= columns || (!begun && columns <= INDENT + 1)) {
                    line.append(' ').append(left);
                    width += 1 + more;
                    begun = true;
                    break;
                }
                if (!begun) {
                    String piece = DisplayText.cut(left, columns - width - 1);
                    line.append(' ').append(piece);
                    left = left.substring(piece.length());
                    if (piece.isEmpty()) {
                        break;
                    }
                }
                lines.add(line.toString());
                line = new StringBuilder(" ".repeat(INDENT));
                width = INDENT;
                begun = false;
            }
        }
        lines.add(line.toString());
    }
}
