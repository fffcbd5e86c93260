package org.jspdl.cli;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.jspdl.cli.arguments.CommandLine;
import org.jspdl.cli.arguments.CommandSpec;
import org.jspdl.cli.arguments.Option;
import org.jspdl.cli.arguments.UsageException;
import org.jspdl.cli.terminal.Terminal;
import org.jspdl.cli.top.Keyboard;
import org.jspdl.cli.top.TopAlarms;
import org.jspdl.cli.top.TopControls;
import org.jspdl.cli.top.TopScreen;
import org.jspdl.cli.top.TopScreen.Seen;
import org.jspdl.observe.live.LiveLook;
import org.jspdl.observe.live.LiveRuns;
import org.jspdl.observe.web.Dashboard;
import org.jspecify.annotations.Nullable;

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
                            Option.flag(
                                    "--web",
                                    "Serve a page with plots for a browser instead, until Ctrl-C, and print its address."),
                            Option.valued(
                                    "--listen",
                                    "[HOST:]PORT",
                                    "Where --web listens (default 127.0.0.1 and any free port). Beyond this machine, what is shown"
                                            + " and the token of the address travel as plain text."),
                            Option.flag("--help", "Show this help.")))),
            List.of(
                    "Keys: s sorts stages by pipeline, busy or queue; w writes the report of a run into this folder; q ends. Of runs"
                            + " started with --control: up and down (or k and j) select a stage, + and - change its workers.",
                    "",
                    "Exit codes: 0 done, 1 process PID has no run that can be looked at, 2 wrong option."));

    private static final int COLUMNS = 80;
    private static final long BETWEEN_SIZES = Duration.ofSeconds(5).toNanos();
    private static final String BEGIN = "\u001b[?1049h\u001b[?25l\u001b[?7l";
    private static final String FRAME = "\u001b[H\u001b[J";
    private static final String END = "\u001b[?7h\u001b[?25h\u001b[?1049l";

    private final Terminal terminal;
    private final TopAlarms alarms = new TopAlarms();
    private Keyboard.@Nullable Size size;
    private long sizeAsked;

    TopCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    /// The exit code.
    int run(CommandLine line) throws UsageException, IOException, InterruptedException {
        Duration interval = line.duration("--interval", Duration.ofSeconds(1));
        Optional<Long> pid = pid(line);
        Optional<Integer> columns =
                line.has("--columns") ? Optional.of(line.integer("--columns", COLUMNS, 20, 10_000)) : Optional.empty();
        if (line.has("--web")) {
            if (line.operand().isPresent()) {
                throw new UsageException("--web shows all runs: leave out PID");
            }
            for (String option : List.of("--once", "--columns", "--interval")) {
                if (line.has(option)) {
                    throw new UsageException(option + " is for the terminal, and cannot be given with --web");
                }
            }
            return web(listen(line));
        }
        if (line.has("--listen")) {
            throw new UsageException("--listen says where --web listens, which was not given");
        }
        LiveRuns runs = LiveRuns.ofThisUser();
        return line.has("--once") || !terminal.liveErrors()
                ? once(runs, pid, columns.orElse(COLUMNS), interval)
                : live(runs, pid, columns, interval);
    }

    private int web(InetSocketAddress address) throws IOException, InterruptedException {
        try (Dashboard dashboard = Dashboard.open(address)) {
            terminal.out().println(dashboard.address());
            terminal.out().flush();
            new CountDownLatch(1).await();
        }
        return Main.DONE;
    }

    private static InetSocketAddress listen(CommandLine line) throws UsageException {
        String given = line.text("--listen").orElse("0");
        int colon = given.lastIndexOf(':');
        try {
            int port = Integer.parseInt(given.substring(colon + 1));
            InetAddress host =
                    colon < 0 ? InetAddress.getLoopbackAddress() : InetAddress.getByName(given.substring(0, colon));
            return new InetSocketAddress(host, port);
        } catch (IllegalArgumentException | UnknownHostException wrong) {
            throw new UsageException("--listen must be a port such as 8080, or a host and a port such as 0.0.0.0:8080,"
                    + " but was '" + given + "'");
        }
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
        if (pid.isPresent() && seen.isEmpty()) {
            return nothing(pid.get());
        }
        new TopControls(runs, Path.of(""))
                .screen(columns, drawsBlocks())
                .lines(seen)
                .forEach(terminal.out()::println);
        return Main.DONE;
    }

    private int live(LiveRuns runs, Optional<Long> pid, Optional<Integer> columns, Duration interval)
            throws IOException, InterruptedException {
        List<Seen> seen = look(runs, pid);
        if (pid.isPresent() && seen.isEmpty()) {
            return nothing(pid.get());
        }
        TopControls controls = new TopControls(runs, Path.of(""));
        try (Keyboard keys = Keyboard.open()) {
            terminal.control(BEGIN);
            long next = System.nanoTime();
            while (pid.isEmpty() || !seen.isEmpty()) {
                draw(controls, seen, columns);
                next += interval.toNanos();
                Optional<Character> key = keys.next(until(next));
                while (key.isPresent()) {
                    if (!controls.press(key.get(), seen)) {
                        return Main.DONE;
                    }
                    draw(controls, seen, columns);
                    key = keys.next(until(next));
                }
                seen = look(runs, pid);
            }
        } finally {
            terminal.control(END);
        }
        terminal.err().println("The last run of process " + pid.get() + " has ended.");
        return Main.DONE;
    }

    private static Duration until(long moment) {
        return Duration.ofNanos(Math.max(0, moment - System.nanoTime()));
    }

    private void draw(TopControls controls, List<Seen> seen, Optional<Integer> columns) throws InterruptedException {
        if (size == null || System.nanoTime() - sizeAsked >= BETWEEN_SIZES) {
            // Asking starts a program, which takes longer than all else that a look does.
            size = Keyboard.size().orElse(new Keyboard.Size(Integer.MAX_VALUE, COLUMNS));
            sizeAsked = System.nanoTime();
        }
        int width = columns.orElse(size.columns());
        TopScreen screen = controls.screen(width, drawsBlocks());
        List<String> lines = screen.lines(seen);
        List<String> footer = screen.message(controls.footer(seen));
        List<String> shown = lines.subList(0, Math.min(lines.size(), Math.max(1, size.rows() - 1 - footer.size())));
        terminal.control(FRAME);
        terminal.err().print(String.join("\n", shown) + "\n" + String.join("\n", footer));
    }

    private boolean drawsBlocks() {
        return terminal.out().charset().newEncoder().canEncode('█');
    }

    /// Says why no run of process `pid` is shown.
    private int nothing(long pid) {
        Optional<ProcessHandle> process = ProcessHandle.of(pid);
        Optional<String> owner = process.flatMap(each -> each.info().user());
        Optional<String> self = ProcessHandle.current().info().user();
        terminal.err()
                .println(
                        "jspdl: "
                                + (process.isEmpty()
                                        ? "there is no process " + pid
                                        : owner.isPresent() && !owner.equals(self)
                                                ? "process " + pid + " belongs to " + owner.get()
                                                        + ": only the runs of your own user are shown"
                                                : "process " + pid
                                                        + " has no run to look at. Runs appear in their second second;"
                                                        + " a Java program starts them with Live.on(options). 'jspdl top' shows all"));
        return Main.FAILED;
    }

    private List<Seen> look(LiveRuns runs, Optional<Long> pid) throws IOException {
        List<LiveLook> looks = runs.look().stream()
                .filter(look -> pid.isEmpty() || look.pid() == pid.get())
                .toList();
        return alarms.see(looks);
    }
}
