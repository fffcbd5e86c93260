package org.jspdl.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspdl.cli.arguments.CommandLine;
import org.jspdl.cli.arguments.CommandSpec;
import org.jspdl.cli.arguments.Option;
import org.jspdl.cli.arguments.UsageException;
import org.jspdl.cli.run.OutputFile;
import org.jspdl.cli.run.RunSettings;
import org.jspdl.cli.run.StageProfiles;
import org.jspdl.cli.settings.AccessArguments;
import org.jspdl.cli.settings.RunArguments;
import org.jspdl.cli.terminal.Terminal;
import org.jspdl.data.dataset.DatasetException;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.observe.ProfileReport;
import org.jspdl.observe.Profiler;
import org.jspdl.pipeline.PipelineException;
import org.jspdl.plan.Plan;
import org.jspdl.plan.PlanException;

/// `jspdl profile`: measures each stage alone and says how many of it to run at once.
final class ProfileCommand {
    private static final int FEWEST_ITEMS = 50;
    private static final int MOST_ITEMS = 100_000;
    private static final int MOST_AT_ONCE = 1024;

    static final CommandSpec SPEC = new CommandSpec(
            "profile",
            "DATASET",
            "Runs each stage of loading alone, over inputs that the stages before it have made, with more and more at"
                    + " once, and says what is enough. DATASET is what `jspdl run` takes: a folder, a list, a plan, or"
                    + " nothing for the sample dataset.",
            groups(),
            List.of(
                    "",
                    "Examples",
                    "  jspdl profile                          the sample dataset",
                    "  jspdl profile photos --size 160        a folder of your own, in small",
                    "  jspdl profile plan.yaml --levels 1,8   a pipeline of your own",
                    "",
                    "Exit codes: 0 done, 1 a stage failed, 2 wrong option or dataset."));

    private final Terminal terminal;
    private final Map<String, String> environment;

    ProfileCommand(Terminal terminal, Map<String, String> environment) {
        this.terminal = terminal;
        this.environment = environment;
    }

    /// What is said about images and how they are loaded is said as in `jspdl run`.
    private static List<CommandSpec.Group> groups() {
        List<CommandSpec.Group> groups = new ArrayList<>(RunCommand.SPEC.groups());
        groups.removeLast();
        groups.add(new CommandSpec.Group(
                "What is measured",
                List.of(
                        Option.valued(
                                "--items", "N", "Inputs for each stage (default " + Profiler.DEFAULT_ITEMS + ")."),
                        Option.valued(
                                "--levels",
                                "N,N,...",
                                "How many to run at once, in turn (default 1, 2, 4 ... up to twice the processors)."),
                        Option.valued(
                                "--json",
                                "FILE",
                                "Write the profile to FILE for programs; - writes it to standard output instead."),
                        AccessArguments.ALLOW_LOCAL,
                        AccessArguments.ALLOW_HOSTS,
                        AccessArguments.STORAGE,
                        Option.flag("--help", "Show this help."))));
        return groups;
    }

    int run(CommandLine line) throws UsageException, IOException, InterruptedException {
        RunArguments arguments = new RunArguments(line);
        RunSettings settings = arguments.settings();
        Profiler profiler = profiler(line);
        Optional<Path> json = arguments.json();
        try {
            print(
                    PlanCommand.isPlan(line)
                            ? plan(arguments, line, profiler)
                            : images(arguments, line, settings, profiler),
                    line,
                    json);
            return Main.DONE;
        } catch (PipelineException failure) {
            terminal.err().println("jspdl: " + RunFailures.reason(failure));
            return Main.FAILED;
        }
    }

    private ProfileReport images(RunArguments arguments, CommandLine line, RunSettings settings, Profiler profiler)
            throws UsageException, IOException, InterruptedException {
        Location location = line.operand().isPresent()
                ? arguments.location(line.operand().get())
                : Location.of(new SampleCommand(terminal, environment).standardSet(true));
        try (Storage storage = Storage.open(AccessArguments.storage(line))) {
            return StageProfiles.ofImages(storage, location, settings, profiler);
        }
    }

    private static ProfileReport plan(RunArguments arguments, CommandLine line, Profiler profiler)
            throws UsageException, IOException {
        Path file = arguments.localPath("a plan", line.operand().orElseThrow());
        try {
            return StageProfiles.ofPlan(Plan.read(file), PlanCommand.context(file, line), profiler);
        } catch (PlanException wrong) {
            throw new DatasetException(String.valueOf(wrong.getMessage()));
        }
    }

    private static Profiler profiler(CommandLine line) throws UsageException {
        Profiler profiler =
                Profiler.create().items(line.integer("--items", Profiler.DEFAULT_ITEMS, FEWEST_ITEMS, MOST_ITEMS));
        Optional<String> levels = line.text("--levels");
        return levels.isPresent() ? profiler.concurrencies(levels(levels.get())) : profiler;
    }

    private static Integer[] levels(String given) throws UsageException {
        List<Integer> levels = new ArrayList<>();
        for (String word : given.split(",", -1)) {
            try {
                int level = Integer.parseInt(word.strip());
                if (level >= 1 && level <= MOST_AT_ONCE) {
                    levels.add(level);
                    continue;
                }
            } catch (NumberFormatException notANumber) {
                // reported below, as for a number out of range
            }
            throw new UsageException("--levels must be numbers from 1 to " + MOST_AT_ONCE
                    + " with commas between them, but was '" + given + "'");
        }
        return levels.toArray(Integer[]::new);
    }

    private void print(ProfileReport report, CommandLine line, Optional<Path> json) throws IOException {
        if (RunArguments.isStandardOutput(line)) {
            terminal.out().print(report.json());
            return;
        }
        terminal.out().print(report.text());
        if (json.isPresent()) {
            OutputFile.write(json.get(), report.json());
        }
    }
}
