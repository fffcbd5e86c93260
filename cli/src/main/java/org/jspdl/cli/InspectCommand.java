package org.jspdl.cli;

import java.io.IOException;
import java.util.List;
import org.jspdl.cli.arguments.CommandLine;
import org.jspdl.cli.arguments.CommandSpec;
import org.jspdl.cli.arguments.Option;
import org.jspdl.cli.arguments.UsageException;
import org.jspdl.cli.inspect.Contents;
import org.jspdl.cli.inspect.FileContents;
import org.jspdl.cli.inspect.ManifestContents;
import org.jspdl.cli.inspect.ShardContents;
import org.jspdl.cli.settings.AccessArguments;
import org.jspdl.cli.settings.RunArguments;
import org.jspdl.cli.terminal.Terminal;
import org.jspdl.data.dataset.Manifest;
import org.jspdl.data.shards.Shards;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.input.FormatException;

/// `jspdl inspect`: what a dataset or shard holds.
final class InspectCommand {
    static final CommandSpec SPEC = new CommandSpec(
            "inspect",
            "DATASET",
            "Prints what a dataset holds: samples, fields, kinds and sizes of shards (tar, TFRecord, Parquet, JSON lines, NPY, NPZ); classes and files of a"
                    + " folder or list; columns of a manifest. Tar, TFRecord and JSON lines are read to their end, of Parquet only the footers.",
            List.of(new CommandSpec.Group(
                    "Options",
                    List.of(
                            Option.flag("--json", "Print JSON instead of a table."),
                            Option.flag("--each", "Also list each shard, or each class."),
                            AccessArguments.ALLOW_LOCAL,
                            AccessArguments.ALLOW_HOSTS,
                            AccessArguments.STORAGE,
                            Option.flag("--help", "Show this help.")))),
            List.of(
                    "",
                    "Examples",
                    "  jspdl inspect 'train-{000..127}.tar'",
                    "  jspdl inspect s3://bucket/table.parquet --json",
                    "  jspdl inspect photos --each",
                    "",
                    "Exit codes: 0 done, 1 a shard is damaged or cannot be read, 2 wrong option or dataset."));

    private final Terminal terminal;

    InspectCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    /// The exit code.
    int run(CommandLine line) throws UsageException, IOException {
        String given = line.operand().orElseThrow(() -> new UsageException("inspect needs a dataset or shard"));
        if (PlanCommand.isPlan(line)) {
            throw new UsageException("inspect looks into datasets and shards, but " + given + " is a plan; 'jspdl run "
                    + given + " --explain' says what it does");
        }
        Location location = new RunArguments(line).location(given);
        try (Storage storage = Storage.open(AccessArguments.storage(line))) {
            Contents contents = contents(storage, location);
            terminal.out()
                    .print(line.has("--json") ? contents.json(line.has("--each")) : contents.text(line.has("--each")));
            return Main.DONE;
        } catch (FormatException damaged) {
            terminal.err().println("jspdl: " + damaged.getMessage());
            return Main.FAILED;
        }
    }

    private static Contents contents(Storage storage, Location location) throws IOException {
        if (Shards.areMeant(location)) {
            return ShardContents.of(storage, location, Shards.locations(storage, location));
        }
        return Manifest.isManifest(location)
                ? ManifestContents.of(storage, location)
                : FileContents.of(storage, location);
    }
}
