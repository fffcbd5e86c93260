package org.jspdl.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspdl.cli.arguments.CommandLine;
import org.jspdl.cli.arguments.CommandSpec;
import org.jspdl.cli.arguments.Option;
import org.jspdl.cli.arguments.UsageException;
import org.jspdl.cli.run.ImagePlan;
import org.jspdl.cli.run.OutputFile;
import org.jspdl.cli.run.PlanJob;
import org.jspdl.cli.run.Predictions;
import org.jspdl.cli.run.RunSettings;
import org.jspdl.cli.settings.BudgetArgument;
import org.jspdl.cli.settings.CacheArguments;
import org.jspdl.cli.settings.RunArguments;
import org.jspdl.cli.terminal.Terminal;
import org.jspdl.cli.tune.Knob;
import org.jspdl.cli.tune.Trials;
import org.jspdl.cli.tune.TuneSession;
import org.jspdl.cli.tune.TuneTable;
import org.jspdl.data.storage.Location;
import org.jspdl.pipeline.PipelineException;
import org.jspdl.pipeline.TuningBudget;
import org.jspdl.plan.CompiledPlan;
import org.jspdl.plan.Operations;
import org.jspdl.plan.Plan;
import org.jspdl.plan.PlanContext;
import org.jspdl.plan.PlanException;
import org.jspdl.plan.edit.PlanNumbers;

/// `jspdl tune`: tries settings on the user's data and writes the best plan.
final class TuneCommand {
    private static final String MINUTES = "5";
    private static final double MOST_MINUTES = 24 * 60;

    static final CommandSpec SPEC = new CommandSpec(
            "tune",
            "DATASET",
            "Runs the pipeline again and again over its data, each time with other numbers of workers and other queues,"
                    + " and writes a plan with the best. DATASET is what `jspdl run` takes: a folder, a list, shards, a plan,"
                    + " or nothing for the sample dataset. Ctrl-C keeps the best so far.",
            groups(),
            List.of(
                    "",
                    "Examples",
                    "  jspdl tune plan.yaml --budget 4cores,2GB --minutes 5",
                    "  jspdl tune photos --size 160 --out photos.yaml     a folder; the plan loads it as 'jspdl run' does",
                    "  jspdl run photos.yaml                              use what was found",
                    "",
                    "Exit codes: 0 done, 1 a run failed or nothing stayed within the budget, 2 wrong option or dataset,",
                    "130 interrupted; the best so far is written."));

    private final Terminal terminal;
    private final Map<String, String> environment;

    TuneCommand(Terminal terminal, Map<String, String> environment) {
        this.terminal = terminal;
        this.environment = environment;
    }

    /// What is said about images and how they are loaded is said as in `jspdl run`.
    private static List<CommandSpec.Group> groups() {
        List<CommandSpec.Group> groups = new ArrayList<>(RunCommand.SPEC.groups());
        groups.removeLast();
        groups.add(new CommandSpec.Group(
                "How it searches",
                List.of(
                        Option.valued(
                                "--budget",
                                "Ncores,SIZE",
                                "Compute threads and resident memory that may be used, such as 4cores,2GB; either may be"
                                        + " left out."),
                        Option.valued("--minutes", "N", "How long to search (default " + MINUTES + ")."),
                        Option.valued(
                                "--out",
                                "FILE",
                                "Where to write the best plan (default: tuned.yaml, or NAME.tuned.yaml beside a plan)."),
                        Option.flag("--help", "Show this help."))));
        return groups;
    }

    /// A plan to tune.
    ///
    /// @param items what is counted
    /// @param out   where the best goes
    private record Subject(PlanJob.PlanText text, PlanContext context, String items, Path out) {}

    int run(CommandLine line) throws UsageException, IOException, InterruptedException {
        if (line.has("--control")) {
            throw new UsageException("--control cannot be given here: each trial has its own numbers");
        }
        RunArguments arguments = new RunArguments(line);
        RunSettings settings = arguments.settings();
        Trials.Budget budget = budget(line.text("--budget"));
        Duration time = minutes(line.text("--minutes").orElse(MINUTES));
        try {
            return tune(PlanCommand.isPlan(line) ? plan(arguments) : images(arguments, settings), budget, time);
        } catch (PlanException wrong) {
            throw ImagePlan.unusable(wrong);
        } catch (PipelineException failure) {
            terminal.err().println("jspdl: " + RunFailures.reason(failure));
            return Main.FAILED;
        }
    }

    private static Subject plan(RunArguments arguments) throws UsageException, IOException {
        CommandLine line = arguments.line();
        Path file = arguments.localPath("a plan", line.operand().orElseThrow());
        PlanCommand.check(file, line);
        String name = String.valueOf(file.getFileName());
        int dot = name.lastIndexOf('.');
        Path out = out(arguments, file.resolveSibling(name.substring(0, dot) + ".tuned" + name.substring(dot)));
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null && !folder.equals(out.toAbsolutePath().getParent())) {
            throw new UsageException("--out must be in the folder of the plan, " + folder
                    + ", where its relative paths begin, but was " + out);
        }
        if (name.endsWith(".json") != out.toString().endsWith(".json")) {
            throw new UsageException(
                    "--out must end as the plan does, with " + name.substring(dot) + ", but was " + out);
        }
        return new Subject(PlanJob.PlanText.read(file), PlanCommand.context(file, line), "items", out);
    }

    private Subject images(RunArguments arguments, RunSettings settings)
            throws UsageException, IOException, InterruptedException {
        CommandLine line = arguments.line();
        for (String option : List.of("--jpeg", "--trust-cache-folder")) {
            if (line.has(option)) {
                throw new UsageException(option + " cannot be given here: a plan does not say it");
            }
        }
        Location location = line.operand().isPresent()
                ? arguments.location(line.operand().get())
                : Location.of(new SampleCommand(terminal, environment).standardSet(true));
        ImagePlan plan = new ImagePlan(
                ImagePlan.named(location), settings, line.text("--max-failures"), new CacheArguments(line).ofPlan());
        PlanJob.PlanText text = plan.forRank();
        Path out = out(arguments, Path.of("tuned.yaml"));
        if (!PlanCommand.isPlan(out.toString())) {
            throw new UsageException("--out must end with .yaml, .yml or .json but was " + out);
        }
        return new Subject(text, PlanCommand.context(Path.of(ImagePlan.NAME), line), "images", out);
    }

    private static Path out(RunArguments arguments, Path otherwise) throws UsageException {
        return arguments.writable("--out", otherwise);
    }

    private int tune(Subject subject, Trials.Budget budget, Duration time) throws IOException {
        PlanJob.PlanText text = subject.text();
        TuneSession.Outcome outcome;
        Trials trials;
        try (Predictions.Unrecorded unrecorded = Predictions.Unrecorded.of(subject.context(), text);
                CompiledPlan compiled =
                        Plan.of(text.name(), text.text()).compile(Operations.installed(), unrecorded.context())) {
            trials = new Trials(compiled, budget);
            List<Knob> knobs = trials.knobs(
                    PlanNumbers.stages(text.name(), text.text()), PlanNumbers.prefetchOf(text.name(), text.text()));
            terminal.out().println(TuneTable.head(subject.items()));
            outcome = new TuneSession(knobs, trials::measure, System::nanoTime)
                    .run(time, step -> terminal.out().println(TuneTable.line(step)));
        }
        terminal.out().println();
        terminal.out().println(TuneTable.end(outcome));
        if (outcome.best().isPresent()) {
            PlanNumbers numbers = trials.numbers(outcome.start(), outcome.best().get());
            try {
                OutputFile.write(subject.out(), numbers.in(text.name(), text.text()));
            } catch (IllegalArgumentException unwritable) {
                terminal.err().println("jspdl: " + unwritable.getMessage());
                return Main.FAILED;
            }
            terminal.out().println("Written to " + subject.out() + ": jspdl run " + subject.out());
        }
        return outcome.interrupted() ? Main.INTERRUPTED : outcome.best().isPresent() ? Main.DONE : Main.FAILED;
    }

    private static Duration minutes(String given) throws UsageException {
        try {
            double minutes = Double.parseDouble(given);
            if (minutes > 0 && minutes <= MOST_MINUTES) {
                return Duration.ofMillis(Math.round(minutes * 60_000));
            }
        } catch (NumberFormatException noNumber) {
            // reported below, as for a number out of range
        }
        throw new UsageException("--minutes must be a number above 0 and at most "
                + String.format(Locale.ROOT, "%.0f", MOST_MINUTES) + " but was '" + given + "'");
    }

    /// What `--budget` allows: `4cores,2GB`, or one of the two.
    static Trials.Budget budget(Optional<String> given) throws UsageException {
        TuningBudget budget = given.isPresent() ? BudgetArgument.parsed(given.get()) : TuningBudget.MACHINE;
        OptionalInt cores = budget.processors().isPresent()
                ? OptionalInt.of((int) budget.processors().getAsDouble())
                : OptionalInt.empty();
        return new Trials.Budget(cores, budget.memoryBytes());
    }
}
