package org.jspdl.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspdl.cli.arguments.CommandLine;
import org.jspdl.cli.arguments.CommandSpec;
import org.jspdl.cli.arguments.Option;
import org.jspdl.cli.arguments.UsageException;
import org.jspdl.cli.run.ImageJob;
import org.jspdl.cli.run.Observation;
import org.jspdl.cli.run.PlanJob;
import org.jspdl.cli.run.Prediction;
import org.jspdl.cli.run.Predictions;
import org.jspdl.cli.run.RunReport;
import org.jspdl.cli.settings.AccessArguments;
import org.jspdl.cli.settings.BudgetArgument;
import org.jspdl.cli.settings.RunArguments;
import org.jspdl.data.dataset.DatasetException;
import org.jspdl.data.index.DatasetIndex;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.StorageOptions;
import org.jspdl.plan.PlanContext;
import org.jspdl.plan.PlanException;

/// `jspdl run plan.yaml`: runs a plan as the main job is run.
final class PlanCommand {
    private static final List<String> ENDINGS = List.of(".yaml", ".yml", ".json");
    private static final List<String> OPTIONS = List.of(
            "--json",
            "--report",
            "--trace",
            "--baseline",
            "--control",
            "--budget",
            "--explain",
            "--no-progress",
            "--record",
            "--skip-list",
            "--help",
            "--allow-local",
            "--allow-hosts",
            "--storage",
            "--quarantine-dir");

    private PlanCommand() {}

    /// Whether what `jspdl run` was given is a plan, by its name.
    static boolean isPlan(CommandLine line) {
        return line.operand()
                .filter(PlanCommand::isPlan)
                .filter(operand -> !DatasetIndex.isIndex(Location.of(operand)))
                .filter(operand -> Location.of(operand).isRemote() || !Files.isDirectory(Path.of(operand)))
                .isPresent();
    }

    /// Whether a file of this name is a plan.
    static boolean isPlan(String name) {
        return ENDINGS.stream().anyMatch(name::endsWith);
    }

    /// Looks whether a plan can be run with the options given.
    ///
    /// @throws UsageException if the plan says one of them itself
    /// @throws DatasetException if there is no file
    static void check(Path file, CommandLine line) throws UsageException, DatasetException {
        for (CommandSpec.Group group : RunCommand.SPEC.groups()) {
            for (Option option : group.options()) {
                if (line.has(option.name()) && !OPTIONS.contains(option.name())) {
                    throw new UsageException(
                            option.name() + " cannot be given with a plan, which says such things itself");
                }
            }
        }
        PlanJob.PlanText.require(file);
    }

    /// The report of the plan in `file`.
    static RunReport run(Path file, CommandLine line, Observation observation, ImageJob.ProgressSource progress)
            throws UsageException, IOException {
        try {
            PlanContext context = observation.in(context(file, line));
            Optional<String> quarantine = line.text("--quarantine-dir");
            context = quarantine.isPresent()
                    ? context.quarantineFolder(new RunArguments(line).localPath("--quarantine-dir", quarantine.get()))
                    : context;
            return new PlanJob(
                            PlanJob.PlanText.read(file),
                            context,
                            observation,
                            new RunArguments(line).record(),
                            new RunArguments(line).skipList())
                    .run(progress);
        } catch (PlanException wrong) {
            throw new DatasetException(String.valueOf(wrong.getMessage()));
        }
    }

    /// What is to be expected of the plan in `file`.
    static Prediction predict(Path file, CommandLine line) throws UsageException, IOException, InterruptedException {
        try {
            return Predictions.ofPlan(
                    PlanJob.PlanText.read(file), context(file, line), "items", BudgetArgument.of(line));
        } catch (PlanException wrong) {
            throw new DatasetException(String.valueOf(wrong.getMessage()));
        }
    }

    /// Where the plan in `file` runs, and how it may read.
    static PlanContext context(Path file, CommandLine line) throws UsageException {
        Path folder = Optional.ofNullable(file.toAbsolutePath().getParent()).orElse(Path.of(""));
        return PlanContext.in(folder).offer(StorageOptions.class, AccessArguments.storage(line));
    }
}
