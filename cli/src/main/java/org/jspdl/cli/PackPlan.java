package org.jspdl.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspdl.cli.arguments.CommandLine;
import org.jspdl.cli.arguments.CommandSpec;
import org.jspdl.cli.arguments.Option;
import org.jspdl.cli.arguments.UsageException;
import org.jspdl.cli.run.PlanJob;
import org.jspdl.cli.settings.RunArguments;
import org.jspdl.cli.terminal.ProgressLine;
import org.jspdl.cli.terminal.Terminal;
import org.jspdl.data.dataset.DatasetException;
import org.jspdl.data.plan.PackedPlan;
import org.jspdl.data.shards.pack.PackFormat;
import org.jspdl.data.shards.pack.PackSettings;
import org.jspdl.data.storage.Location;
import org.jspdl.observe.text.Figures;
import org.jspdl.plan.Operations;
import org.jspdl.plan.PlanException;

/// `jspdl pack plan.yaml`: writes what a plan makes of its dataset as shards, each of a range of places.
final class PackPlan {
    /// What a plan does not say itself.
    private static final List<String> OPTIONS = List.of(
            "--to",
            "--prefix",
            "--format",
            "--samples",
            "--shard-by",
            "--writers",
            "--overwrite",
            "--no-progress",
            "--allow-local",
            "--allow-hosts",
            "--storage",
            "--help");

    private final Terminal terminal;

    PackPlan(Terminal terminal) {
        this.terminal = terminal;
    }

    /// The exit code.
    int run(CommandLine line) throws UsageException, IOException, InterruptedException {
        for (CommandSpec.Group group : PackCommand.SPEC.groups()) {
            for (Option option : group.options()) {
                if (line.has(option.name()) && !OPTIONS.contains(option.name())) {
                    throw new UsageException(
                            option.name() + " cannot be given with a plan, which says such things itself");
                }
            }
        }
        RunArguments arguments = new RunArguments(line);
        Path file = arguments.localPath("a plan", line.operand().orElseThrow());
        PlanJob.PlanText.require(file);
        PackSettings settings = settings(line, arguments);
        try (PackedPlan plan = PackedPlan.open(
                file.toString(),
                PlanJob.PlanText.read(file).text(),
                Operations.installed(),
                PlanCommand.context(file, line))) {
            return pack(plan, settings, line);
        } catch (PlanException | IllegalArgumentException wrong) {
            throw new DatasetException(String.valueOf(wrong.getMessage()));
        }
    }

    private static PackSettings settings(CommandLine line, RunArguments arguments) throws UsageException {
        String given = line.text("--to").orElseThrow(() -> new UsageException("pack needs --to FOLDER"));
        if (Location.of(given).isRemote()) {
            throw new UsageException("--to must be a local folder for a plan, whose shards appear all at once, but was "
                    + Location.of(given) + "; send them from there");
        }
        if (!line.text("--shard-by").orElse("input").equals("input")) {
            throw new UsageException("--shard-by must be input for a plan");
        }
        Path folder = arguments.localPath("--to", given).toAbsolutePath().normalize();
        Path name = folder.getFileName();
        if (name == null) {
            throw new UsageException("--to must be a folder that can be made anew, but was " + folder);
        }
        String named = line.text("--format").orElse("tar");
        Optional<PackFormat> format = PackFormat.named(named);
        if (format.isEmpty() && !named.equals("tar")) {
            throw new UsageException("--format must be tar, parquet or mds but was '" + named + "'");
        }
        try {
            PackSettings settings = PackSettings.of(
                            folder, line.text("--prefix").orElse(name.toString()))
                    .range(PackSettings.Range.INPUT)
                    .writers(line.integer("--writers", Runtime.getRuntime().availableProcessors(), 1, 1024));
            settings = settings.limits(line.number("--samples", 10_000, 1, Long.MAX_VALUE), settings.bytes());
            return format.isPresent() ? settings.format(format.get(), List.of()) : settings;
        } catch (IllegalArgumentException wrong) {
            throw new UsageException(String.valueOf(wrong.getMessage()));
        }
    }

    private int pack(PackedPlan plan, PackSettings settings, CommandLine line)
            throws IOException, InterruptedException {
        ProgressLine progress = line.has("--no-progress")
                ? ProgressLine.silent(terminal)
                : ProgressLine.of(terminal, "Packing", "places", plan.places());
        PackedPlan.Result result;
        try {
            result = plan.pack(settings, line.has("--overwrite"), progress::report);
        } catch (InterruptedException interrupted) {
            progress.clear();
            terminal.err().println("jspdl: interrupted, and nothing was written: a plan's shards appear all at once");
            return Main.INTERRUPTED;
        } finally {
            progress.clear();
        }
        terminal.out().println(summary(result));
        terminal.out().println(settings.pattern(result.shards().size()));
        return Main.DONE;
    }

    private static String summary(PackedPlan.Result result) {
        int shards = result.shards().size();
        return Figures.count(result.samples()) + " samples, " + Figures.bytes(result.bytes()) + ", in "
                + Figures.count(shards) + (shards == 1 ? " shard" : " shards")
                + (result.dropped() == 0 ? "" : "; " + Figures.count(result.dropped()) + " dropped by filters")
                + (result.failed() == 0
                        ? ""
                        : "; " + Figures.count(result.failed()) + " failed, listed in " + PackedPlan.QUARANTINE);
    }
}
