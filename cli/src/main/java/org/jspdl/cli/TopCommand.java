package org.jspdl.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspdl.cli.arguments.CommandLine;
import org.jspdl.cli.arguments.CommandSpec;
import org.jspdl.cli.arguments.Option;
import org.jspdl.cli.arguments.UsageException;
import org.jspdl.cli.terminal.Terminal;
import org.jspdl.cli.top.Keyboard;
import org.jspdl.cli.top.TopScreen;
import org.jspdl.cli.top.TopScreen.Seen;
import org.jspdl.observe.live.LiveLook;
import org.jspdl.observe.live.LiveRuns;

/// `jspdl top`: shows the runs of this user while they go on.
final class TopCommand {
    static final CommandSpec SPEC = new CommandSpec(
            "top",
            "PID",
            "Shows the runs of this user on this machine while they go on: stages, queues, throughput, memory, and what the tuner"
                    + " decides. With PID, those of that process alone. Runs of the program, of Python's loaders and of Java programs"
                    + " that start them with Live.on(options) appear in their second second.",
            List.of(new CommandSpec.Group(
                    "Options",
                    List.of(
                            Option.valued("--interval", "TIME", "Time between two looks (default 1s)."),
                            Option.valued("--columns", "N", "Width to draw for (default: that of the terminal)."),
                            Option.flag("--once", "Print two looks' difference, and end."),
                            Option.flag("--help", "Show this help.")))),
            List.of("Keys: s sorts stages by pipeline, busy or queue; q ends."));

    private static final int COLUMNS = 80;
    private static final String BEGIN = "\u001b[?1049h\u001b[?25l\u001b[?7l";
    private static final String FRAME = "\u001b[H\u001b[J";
    private static final String END = "\u001b[?7h\u001b[?25h\u001b[?1049l";

    private final Terminal terminal;
    private final Map<String, LiveLook> before = new HashMap<>();

    TopCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    /// The exit code.
    int run(CommandLine line) throws UsageException, IOException, InterruptedException {
        Duration interval = line.duration("--interval", Duration.ofSeconds(1));
        Optional<Long> pid = pid(line);
        Optional<Integer> columns =
                line.has("--columns") ? Optional.of(line.integer("--columns", COLUMNS, 20, 10_000)) : Optional.empty();
        LiveRuns runs = LiveRuns.ofThisUser();
        return line.has("--once") || !terminal.liveErrors()
                ? once(runs, pid, columns.orElse(COLUMNS), interval)
                : live(runs, pid, columns, interval);
    }

    private static Optional<Long> pid(CommandLine line) throws UsageException {
        if (line.operand().isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(Long.parseLong(line.operand().get()));
        } catch (NumberFormatException other) {
            throw new UsageException("PID must be the number of a process but was '"
                    + line.operand().get() + "'");
        }
    }

    private int once(LiveRuns runs, Optional<Long> pid, int columns, Duration interval)
            throws IOException, InterruptedException {
        if (!look(runs, pid).isEmpty()) {
            Thread.sleep(interval);
        }
        List<Seen> seen = look(runs, pid);
        screen(columns, TopScreen.Sort.PIPELINE).lines(seen).forEach(terminal.out()::println);
        return pid.isPresent() && seen.isEmpty() ? Main.FAILED : Main.DONE;
    }

    private int live(LiveRuns runs, Optional<Long> pid, Optional<Integer> columns, Duration interval)
            throws IOException, InterruptedException {
        TopScreen.Sort sort = TopScreen.Sort.PIPELINE;
        try (Keyboard keys = Keyboard.open()) {
            terminal.control(BEGIN);
            while (true) {
                int width = columns.or(() -> terminalColumns()).orElse(COLUMNS);
                List<String> lines = screen(width, sort).lines(look(runs, pid));
                terminal.control(FRAME);
                terminal.err().print(String.join("\n", lines));
                Optional<Character> key = keys.next(interval);
                if (key.isPresent() && key.get() == 'q') {
                    return Main.DONE;
                }
                sort = key.isPresent() && key.get() == 's' ? sort.next() : sort;
            }
        } finally {
            terminal.control(END);
        }
    }

    private static Optional<Integer> terminalColumns() {
        try {
            return Keyboard.columns();
        } catch (InterruptedException ends) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    private TopScreen screen(int columns, TopScreen.Sort sort) {
        return new TopScreen(
                columns, sort, terminal.out().charset().newEncoder().canEncode('█'));
    }

    private List<Seen> look(LiveRuns runs, Optional<Long> pid) throws IOException {
        List<LiveLook> looks = runs.look().stream()
                .filter(look -> pid.isEmpty() || look.pid() == pid.get())
                .toList();
        List<Seen> seen = looks.stream()
                .map(look -> new Seen(
                        look,
                        Optional.ofNullable(before.get(look.run()))
                                .filter(earlier -> earlier.elapsed() < look.elapsed())))
                .toList();
        before.clear();
        looks.forEach(look -> before.put(look.run(), look));
        return seen;
    }
}
