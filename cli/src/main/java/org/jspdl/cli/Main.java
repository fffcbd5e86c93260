package org.jspdl.cli;

import java.io.File;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspdl.cli.arguments.CommandLine;
import org.jspdl.cli.arguments.CommandSpec;
import org.jspdl.cli.arguments.GivenWords;
import org.jspdl.cli.arguments.HelpText;
import org.jspdl.cli.arguments.Slips;
import org.jspdl.cli.arguments.UsageException;
import org.jspdl.cli.terminal.Terminal;
import org.jspdl.data.dataset.DatasetException;
import org.jspdl.data.storage.FailureReasons;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.StorageException;
import org.jspdl.input.InputException;
import org.jspecify.annotations.Nullable;

/// The program `jspdl`.
///
/// Exit codes: 0 done, 1 the work failed, 2 the command line or the dataset cannot be used, 3 worse than a baseline,
/// 130 interrupted.
public final class Main {
    static final int DONE = 0;
    static final int FAILED = 1;
    static final int UNUSABLE = 2;
    static final int WORSE = 3;
    static final int INTERRUPTED = 130;
    private static final String LOG_FORMAT = "java.util.logging.SimpleFormatter.format";
    /// A signal ended what goes on until one comes; the process ends with 0.
    static final int DRAINED = -1;

    private final Terminal terminal;
    private final Map<String, String> environment;

    private Main(Terminal terminal, Map<String, String> environment) {
        this.terminal = terminal;
        this.environment = environment;
    }

    /// Runs a command and ends the process.
    public static void main(String[] arguments) {
        // What is logged is a line as our own, unless somebody wants it otherwise.
        if (System.getProperty(LOG_FORMAT) == null) {
            System.setProperty(LOG_FORMAT, "jspdl: %5$s%6$s%n");
        }
        Interruption interruption = Interruption.ofThisProcess();
        Terminal terminal = Terminal.system();
        System.setOut(terminal.out());
        System.setErr(terminal.err()); // for what is logged
        int code = FAILED;
        try {
            code = execute(GivenWords.of(List.of(arguments)), terminal, System.getenv());
        } catch (RuntimeException | Error mistake) {
            System.err.println("jspdl: internal error; please report it with what follows");
            mistake.printStackTrace();
        }
        interruption.finished(code == DRAINED);
        Runtime.getRuntime().exit(code == DRAINED ? DONE : code);
    }

    /// Runs the command that `words` name; its exit code.
    static int execute(List<String> words, Terminal terminal, Map<String, String> environment) {
        int code = new Main(terminal, environment).execute(words);
        if (terminal.out().checkError()) {
            terminal.err()
                    .println("jspdl: standard output was closed or its disk is full: what was printed is incomplete");
            return code == DONE ? FAILED : code;
        }
        return code;
    }

    /// One command.
    ///
    /// @param operand what follows its name in the help
    /// @param brief   what it does, in a line of the help
    private record Command(CommandSpec spec, String operand, String brief, Work work) {}

    @FunctionalInterface
    private interface Work {
        int run(CommandLine line) throws UsageException, IOException, InterruptedException;
    }

    private List<Command> commands() {
        return List.of(
                new Command(
                        RunCommand.SPEC,
                        "[DATASET]",
                        "Decode, resize and batch a dataset, and report how fast that was.",
                        line -> new RunCommand(terminal, environment).run(line)),
                new Command(
                        ProfileCommand.SPEC,
                        "[DATASET]",
                        "Measure each stage alone, and say how many workers it needs.",
                        line -> new ProfileCommand(terminal, environment).run(line)),
                new Command(
                        TuneCommand.SPEC,
                        "[DATASET]",
                        "Try settings on a dataset or plan, and write the best plan.",
                        line -> new TuneCommand(terminal, environment).run(line)),
                new Command(
                        TopCommand.SPEC,
                        "[PID]",
                        "Show the runs of this user while they go on.",
                        line -> new TopCommand(terminal).run(line)),
                new Command(
                        SampleCommand.SPEC,
                        "[DIR]",
                        "Make the sample dataset that `run` uses when it is given none.",
                        line -> new SampleCommand(terminal, environment).run(line)),
                new Command(
                        PackCommand.SPEC,
                        "DATASET",
                        "Write WebDataset shards of a dataset, or of other shards.",
                        line -> new PackCommand(terminal).run(line)),
                new Command(
                        IndexCommand.SPEC,
                        "SHARDS",
                        "Write an index beside each tar, which says how many samples it has.",
                        line -> new IndexCommand(terminal).run(line)),
                new Command(
                        InspectCommand.SPEC,
                        "DATASET",
                        "Print what a dataset or shard holds.",
                        line -> new InspectCommand(terminal).run(line)),
                new Command(
                        BatchCommand.SPEC,
                        "--run FOLDER",
                        "Build a batch of an earlier run again, and print what it holds.",
                        line -> new BatchCommand(terminal).run(line)),
                new Command(
                        ServeCommand.SPEC,
                        "PLAN",
                        "Decode images for loaders on other machines.",
                        line -> new ServeCommand(terminal, environment).run(line)),
                new Command(
                        SparkCommand.SPEC,
                        "PLAN",
                        "Pack what a plan makes of a dataset on a cluster of Apache Spark.",
                        line -> new SparkCommand(terminal, environment).run(line)),
                new Command(
                        SparkServeCommand.SPEC,
                        "PLAN",
                        "Run the workers of `serve` as a job of Apache Spark.",
                        line -> new SparkServeCommand(terminal, environment).run(line)),
                new Command(
                        ProbeCommand.SPEC,
                        "FILE",
                        "Print what is inside of a file: sound, video, picture, arrays, archive.",
                        line -> new ProbeCommand(terminal).run(line)));
    }

    private int execute(List<String> words) {
        if (words.size() == 2 && words.getFirst().equals("help")) {
            return execute(List.of(words.getLast(), "--help"));
        }
        String name = words.isEmpty() ? "help" : words.getFirst();
        Optional<Command> command = commands().stream()
                .filter(each -> each.spec().name().equals(name))
                .findFirst();
        try {
            return command.isPresent() ? run(command.get(), words.subList(1, words.size())) : other(name);
        } catch (UsageException wrong) {
            String of = command.isPresent() ? " " + name : "";
            return fail(UNUSABLE, wrong.getMessage() + " (see jspdl" + of + " --help)");
        } catch (DatasetException unusable) {
            return fail(UNUSABLE, String.valueOf(unusable.getMessage()));
        } catch (StorageException failure) {
            return fail(
                    switch (failure.kind()) {
                        case UNSUPPORTED, MISSING -> UNUSABLE;
                        default -> FAILED;
                    },
                    String.valueOf(failure.getMessage()));
        } catch (InputException damaged) {
            return fail(FAILED, String.valueOf(damaged.getMessage()));
        } catch (IOException | UncheckedIOException failure) {
            return failed(failure);
        } catch (InterruptedException interrupted) {
            return INTERRUPTED;
        }
    }

    private int failed(Exception failure) {
        @Nullable Throwable known = failure instanceof UncheckedIOException unchecked ? unchecked.getCause() : failure;
        if (known instanceof ClosedByInterruptException // of a file that was read or written just then
                || (known != null && known.getClass() == InterruptedIOException.class)) {
            return fail(INTERRUPTED, "interrupted");
        }
        return fail(
                FAILED,
                known instanceof StorageException named
                        ? String.valueOf(named.getMessage())
                        : FailureReasons.withFile(failure));
    }

    private int run(Command command, List<String> words) throws UsageException, IOException, InterruptedException {
        return asksForHelp(words)
                ? say(HelpText.of(command.spec()).stripTrailing())
                : command.work().run(CommandLine.parse(words, command.spec()));
    }

    private int other(String name) throws UsageException {
        return switch (name) {
            case "version", "--version", "-V" -> say("jspdl " + version());
            case "help", "--help", "-h" -> say(help());
            default -> throw new UsageException("there is no command '" + name + "'; " + meant(name));
        };
    }

    /// What somebody may have meant by a word in the place of a command.
    private String meant(String name) {
        List<String> names = commands().stream().map(each -> each.spec().name()).toList();
        Optional<String> nearest = Slips.nearest(name, names);
        if (nearest.isPresent()) {
            return "did you mean " + nearest.get() + "?";
        }
        return Location.of(name).isRemote() || new File(name).exists()
                ? "to load a dataset, type jspdl run " + name
                : "the commands are " + String.join(", ", names) + " and version";
    }

    private String help() {
        StringBuilder help = new StringBuilder("JSPDL loads images for training, fast.\n\n");
        for (Command command : commands()) {
            help.append(String.format(
                    Locale.ROOT,
                    "  jspdl %-18s %s%n",
                    command.spec().name() + " " + command.operand(),
                    command.brief()));
        }
        help.append(String.format(Locale.ROOT, "  jspdl %-18s %s%n", "version", "Print the version."));
        return help.append("\n`jspdl COMMAND --help` explains a command.").toString();
    }

    private static boolean asksForHelp(List<String> words) {
        return words.contains("--help") || words.contains("-h");
    }

    private int say(String text) {
        terminal.out().println(text);
        return DONE;
    }

    private int fail(int code, String message) {
        terminal.err().println("jspdl: " + message);
        return code;
    }

    private static String version() {
        return java.util.Objects.requireNonNullElse(Main.class.getPackage().getImplementationVersion(), "(unpacked)");
    }
}
