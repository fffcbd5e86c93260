package org.jspdl.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspdl.cli.arguments.CommandLine;
import org.jspdl.cli.arguments.CommandSpec;
import org.jspdl.cli.arguments.HelpText;
import org.jspdl.cli.arguments.UsageException;
import org.jspdl.cli.terminal.Terminal;
import org.jspdl.data.dataset.DatasetException;
import org.jspdl.data.storage.FailureReasons;
import org.jspdl.data.storage.StorageException;

/// The program `jspdl`.
///
/// Exit codes: 0 done, 1 the work failed, 2 the command line or the dataset cannot be used, 130 interrupted.
public final class Main {
    static final int DONE = 0;
    static final int FAILED = 1;
    static final int UNUSABLE = 2;
    static final int INTERRUPTED = 130;

    private static final String HELP = """
            JSPDL loads images for training, fast.

              jspdl run [DATASET]      Decode, resize and batch a dataset, and report how fast that was.
              jspdl profile [DATASET]  Measure each stage alone, and say how many to run at once.
              jspdl sample [DIR]       Make the sample dataset that `run` uses when it is given none.
              jspdl pack DATASET       Write WebDataset shards of a dataset, or of other shards.
              jspdl index SHARDS       Write an index beside each tar, which says how many samples it has.
              jspdl inspect DATASET    Print what a dataset or shard holds.
              jspdl probe FILE         Print what is inside of a file: sound, video, picture, arrays, archive.
              jspdl version            Print the version.

            `jspdl COMMAND --help` explains a command.
            """;

    private final Terminal terminal;
    private final Map<String, String> environment;

    private Main(Terminal terminal, Map<String, String> environment) {
        this.terminal = terminal;
        this.environment = environment;
    }

    /// Runs a command and ends the process.
    public static void main(String[] arguments) {
        Interruption interruption = Interruption.ofThisProcess();
        int code = FAILED;
        try {
            code = new Main(Terminal.system(), System.getenv()).execute(List.of(arguments));
        } catch (RuntimeException | Error mistake) {
            System.err.println("jspdl: a mistake in the program; please report it with what follows");
            mistake.printStackTrace();
        }
        System.out.flush();
        interruption.finished();
        Runtime.getRuntime().exit(code);
    }

    /// Runs the command that `words` name; its exit code.
    static int execute(List<String> words, Terminal terminal, Map<String, String> environment) {
        return new Main(terminal, environment).execute(words);
    }

    private int execute(List<String> words) {
        String command = words.isEmpty() ? "help" : words.getFirst();
        List<String> rest = words.isEmpty() ? words : words.subList(1, words.size());
        try {
            return switch (command) {
                case "run" -> run(rest);
                case "profile" -> profile(rest);
                case "sample" -> sample(rest);
                case "pack" -> pack(rest);
                case "index" -> index(rest);
                case "inspect" -> inspect(rest);
                case "probe" -> probe(rest);
                case "version", "--version", "-V" -> say("jspdl " + version());
                case "help", "--help", "-h" -> say(HELP.stripTrailing());
                default ->
                    throw new UsageException("there is no command '" + command
                            + "'; the commands are run, profile, sample, pack, index, inspect, probe and version");
            };
        } catch (UsageException wrong) {
            String place = Arrays.asList("run", "profile", "sample", "pack", "index", "inspect", "probe")
                            .contains(command)
                    ? " " + command
                    : "";
            return fail(UNUSABLE, wrong.getMessage() + " (see jspdl" + place + " --help)");
        } catch (DatasetException unusable) {
            return fail(UNUSABLE, String.valueOf(unusable.getMessage()));
        } catch (StorageException failure) {
            return fail(
                    failure.kind() == StorageException.Kind.UNSUPPORTED ? UNUSABLE : FAILED,
                    FailureReasons.of(failure));
        } catch (IOException failure) {
            return fail(FAILED, FailureReasons.withFile(failure));
        } catch (UncheckedIOException failure) {
            return fail(FAILED, FailureReasons.withFile(failure));
        } catch (InterruptedException interrupted) {
            return INTERRUPTED;
        }
    }

    private int run(List<String> words) throws UsageException, IOException, InterruptedException {
        if (asksForHelp(words)) {
            return help(RunCommand.SPEC);
        }
        CommandLine line = CommandLine.parse(words, RunCommand.SPEC);
        return new RunCommand(terminal, environment).run(line);
    }

    private int profile(List<String> words) throws UsageException, IOException, InterruptedException {
        if (asksForHelp(words)) {
            return help(ProfileCommand.SPEC);
        }
        return new ProfileCommand(terminal, environment).run(CommandLine.parse(words, ProfileCommand.SPEC));
    }

    private int sample(List<String> words) throws UsageException, IOException, InterruptedException {
        if (asksForHelp(words)) {
            return help(SampleCommand.SPEC);
        }
        new SampleCommand(terminal, environment).run(CommandLine.parse(words, SampleCommand.SPEC));
        return DONE;
    }

    private int pack(List<String> words) throws UsageException, IOException {
        if (asksForHelp(words)) {
            return help(PackCommand.SPEC);
        }
        return new PackCommand(terminal).run(CommandLine.parse(words, PackCommand.SPEC));
    }

    private int index(List<String> words) throws UsageException, IOException {
        if (asksForHelp(words)) {
            return help(IndexCommand.SPEC);
        }
        return new IndexCommand(terminal).run(CommandLine.parse(words, IndexCommand.SPEC));
    }

    private int inspect(List<String> words) throws UsageException, IOException {
        if (asksForHelp(words)) {
            return help(InspectCommand.SPEC);
        }
        return new InspectCommand(terminal).run(CommandLine.parse(words, InspectCommand.SPEC));
    }

    private int probe(List<String> words) throws UsageException, IOException {
        if (asksForHelp(words)) {
            return help(ProbeCommand.SPEC);
        }
        return new ProbeCommand(terminal).run(CommandLine.parse(words, ProbeCommand.SPEC));
    }

    private static boolean asksForHelp(List<String> words) {
        return words.contains("--help") || words.contains("-h");
    }

    private int help(CommandSpec spec) {
        return say(HelpText.of(spec).stripTrailing());
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
