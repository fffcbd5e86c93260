package org.jspdl.cli.top;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspdl.observe.live.LiveLook;
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
    private static final int MOST_NAME = 24;

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
    public record Selection(String run, String stage) {}

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
        return lines.stream().map(this::cut).toList();
    }

    private String cut(String line) {
        return line.length() <= columns ? line : line.substring(0, Math.max(0, columns));
    }

    private void head(Seen run, List<String> lines) {
        LiveLook now = run.now();
        long delivered = now.delivered() - run.before().map(LiveLook::delivered).orElse(0L);
        double starved = now.starved() - run.before().map(LiveLook::starved).orElse(0.0);
        List<String> parts = new ArrayList<>(List.of(
                "pid " + now.pid() + " '" + now.pipeline() + "' " + Figures.remaining(now.elapsed()),
                Figures.rate(delivered / run.seconds()) + " batches/s",
                "consumer starved " + share(starved / run.seconds()),
                processors(run)));
        if (now.process().resident() >= 0) {
            parts.add("memory " + Figures.bytes(now.process().resident()));
        }
        if (now.failed() > 0) {
            parts.add(Figures.count(now.failed()) + " failed");
        }
        wrapped(parts, lines);
        if (!run.alarm().isEmpty()) {
            wrapped(List.of("! " + run.alarm()), lines);
        }
    }

    private static String processors(Seen run) {
        LiveLook.Usage now = run.now().process();
        double at = run.before()
                .map(before -> before.process().at())
                .orElse(now.at() - run.now().elapsed());
        double seconds = Math.max(1e-9, now.at() - at);
        double cpu =
                now.cpu() - run.before().map(before -> before.process().cpu()).orElse(0.0);
        double machine = now.machine()
                - run.before().map(before -> before.process().machine()).orElse(now.machine());
        String others = run.before().isEmpty() || now.machine() < 0
                ? ""
                : String.format(Locale.ROOT, ", others %.2f", Math.max(0, (machine - cpu) / seconds));
        return String.format(Locale.ROOT, "CPU %.2f of %d", cpu / seconds, now.processors()) + others;
    }

    /// As many parts on a line as fit.
    private void wrapped(List<String> parts, List<String> lines) {
        StringBuilder line = new StringBuilder();
        for (String part : parts) {
            if (!line.isEmpty() && line.length() + 3 + part.length() > columns) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : "   ").append(part);
        }
        lines.add(line.toString());
    }

    private void stages(Seen run, List<String> lines) {
        List<Lap> laps = laps(run);
        String margin = selected.isPresent() ? "  " : "";
        int name = laps.stream().mapToInt(lap -> lap.now.name().length()).max().orElse(0);
        TopColumns table = TopColumns.fitting(columns - margin.length(), Math.clamp(name, 5, MOST_NAME), LEAST_BAR);
        int bar = Math.clamp(table.left(), LEAST_BAR, MOST_BAR);
        lines.add(margin + table.head());
        for (Lap lap : laps) {
            boolean here = selected.equals(Optional.of(new Selection(run.now().run(), lap.now.name())));
            lines.add((here ? "> " : margin)
                    + table.row(
                            lap.now.name(),
                            Integer.toString(lap.now.workers()),
                            Figures.rate(lap.rate),
                            Figures.time(Duration.ofNanos(Math.round(lap.now.mean() * 1e9))),
                            Figures.time(Duration.ofNanos(Math.round(lap.now.p99() * 1e9))),
                            share(lap.starved),
                            share(lap.blocked),
                            lap.now.queued() + "/" + lap.now.capacity(),
                            Figures.count(lap.now.failed()),
                            share(lap.busy),
                            bar(lap.busy, bar)));
        }
    }

    private List<Lap> laps(Seen run) {
        List<Lap> laps = new ArrayList<>();
        for (int i = 0; i < run.now().stages().size(); i++) {
            laps.add(lap(run, i));
        }
        laps.sort(
                switch (sort) {
                    case PIPELINE -> Comparator.comparingInt(_ -> 0);
                    case BUSY -> Comparator.comparingDouble(Lap::busy).reversed();
                    case QUEUE -> Comparator.comparingDouble(Lap::queued).reversed();
                });
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
        Optional<LiveLook.Stage> before = run.before()
                .flatMap(look -> look.stages().stream()
                        .filter(stage -> stage.name().equals(now.name()))
                        .findFirst());
        double workers = run.seconds() * Math.max(1, now.workers());
        return new Lap(
                now,
                (now.completed() - before.map(LiveLook.Stage::completed).orElse(0L)) / run.seconds(),
                part(now.busy() - before.map(LiveLook.Stage::busy).orElse(0.0), workers),
                part(now.starved() - before.map(LiveLook.Stage::starved).orElse(0.0), workers),
                part(
                        now.backpressured()
                                - before.map(LiveLook.Stage::backpressured).orElse(0.0),
                        workers),
                now.capacity() <= 0 ? 0 : (double) now.queued() / now.capacity());
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
        lines.add("tuner: " + run.tuner().replace('_', ' '));
        run.decisions().reversed().stream().limit(3).forEach(decision -> sentence(decision, lines));
    }

    /// A message on as many lines as it needs.
    public List<String> message(String words) {
        List<String> lines = new ArrayList<>();
        sentence(words, lines);
        return lines.stream().map(line -> cut(line.stripLeading())).toList();
    }

    /// Words on as many lines as they need.
    private void sentence(String words, List<String> lines) {
        StringBuilder line = new StringBuilder(" ");
        for (String word : words.split(" ", -1)) {
            if (!line.toString().isBlank() && line.length() + 1 + word.length() > columns) {
                lines.add(line.toString());
                line = new StringBuilder("   ");
            }
            line.append(' ').append(word);
        }
        lines.add(line.toString());
    }
}
