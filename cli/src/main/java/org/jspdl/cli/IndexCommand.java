package org.jspdl.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.jspdl.cli.arguments.CommandLine;
import org.jspdl.cli.arguments.CommandSpec;
import org.jspdl.cli.arguments.Option;
import org.jspdl.cli.arguments.UsageException;
import org.jspdl.cli.terminal.Terminal;
import org.jspdl.data.shards.ShardFile;
import org.jspdl.data.shards.ShardOptions;
import org.jspdl.data.shards.Shards;
import org.jspdl.data.shards.TarIndex;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.input.FormatException;
import org.jspdl.memory.BufferPool;
import org.jspdl.observe.text.Figures;

/// `jspdl index`: writes an index beside each tar.
final class IndexCommand {
    private static final String TAR = ".tar";

    static final CommandSpec SPEC = new CommandSpec(
            "index",
            "SHARDS",
            "Writes an index beside each tar file of SHARDS, a pattern such as 'train-{000..127}.tar' or a folder, on a"
                    + " local disk. With indexes the number of samples is known, so that every rank gets the same number. Only"
                    + " the headers of the files are read. An index has the format of NVIDIA DALI's wds2idx.",
            List.of(new CommandSpec.Group("Options", List.of(Option.flag("--help", "Show this help.")))),
            List.of("", "Example", "  jspdl index 'train-{000..127}.tar'"));

    private final Terminal terminal;

    IndexCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    /// The exit code.
    int run(CommandLine line) throws UsageException, IOException {
        RunArguments arguments = new RunArguments(line);
        String given = line.operand().orElseThrow(() -> new UsageException("index needs shards"));
        Location pattern = Location.of(arguments.localPath("SHARDS", given));
        long samples = 0;
        int shards = 0;
        try (Storage storage = Storage.open();
                BufferPool pool = BufferPool.create("headers", 1L << 30)) {
            for (Location location : Shards.locations(storage, pattern)) {
                if (location.text().endsWith(TAR)) {
                    samples += index(new ShardFile(storage, location, ShardOptions.defaults(), pool));
                    shards++;
                }
            }
        } catch (FormatException damaged) {
            terminal.err().println("jspdl: " + damaged.getMessage());
            return Main.FAILED;
        }
        if (shards == 0) {
            throw new UsageException(
                    given + " has no tar files; 'jspdl pack' converts other shards to indexed tar files");
        }
        terminal.out()
                .println(Figures.count(samples) + " samples in " + Figures.count(shards)
                        + (shards == 1 ? " indexed shard" : " indexed shards"));
        return Main.DONE;
    }

    /// Writes the index of one shard, which appears whole or not at all; how many samples it has.
    private static int index(ShardFile shard) throws IOException {
        TarIndex index = TarIndex.of(shard);
        Path file = TarIndex.locationFor(shard.location()).path();
        Path fresh = file.resolveSibling(file.getFileName() + ".part");
        Files.writeString(fresh, TarIndex.write(index.samples()));
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        return index.samples().size();
    }
}
