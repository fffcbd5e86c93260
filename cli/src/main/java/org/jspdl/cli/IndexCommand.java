package org.jspdl.cli;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspdl.cli.arguments.CommandLine;
import org.jspdl.cli.arguments.CommandSpec;
import org.jspdl.cli.arguments.Option;
import org.jspdl.cli.arguments.UsageException;
import org.jspdl.cli.settings.RunArguments;
import org.jspdl.cli.terminal.Terminal;
import org.jspdl.data.index.DatasetIndex;
import org.jspdl.data.shards.ShardFile;
import org.jspdl.data.shards.ShardOptions;
import org.jspdl.data.shards.Shards;
import org.jspdl.data.shards.pack.IndexWriter;
import org.jspdl.data.shards.tar.TarIndex;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.files.FreshFile;
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
                    + " local disk, in the format of NVIDIA DALI's wds2idx; and one of the whole dataset, train.shards.json,"
                    + " for shards of any format. With indexes the number of samples is known, so that every rank gets the"
                    + " same number, and remote shards are known after one request. Each shard is read once, for its checksum.",
            List.of(new CommandSpec.Group("Options", List.of(Option.flag("--help", "Show this help.")))),
            List.of(
                    "",
                    "Example",
                    "  jspdl index 'train-{000..127}.tar'",
                    "",
                    "Exit codes: 0 done, 1 a shard is damaged or no index can be written, 2 wrong option or shards."));

    private final Terminal terminal;

    IndexCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    /// The exit code.
    int run(CommandLine line) throws UsageException, IOException {
        RunArguments arguments = new RunArguments(line);
        String given = line.operand().orElseThrow(() -> new UsageException("index needs shards"));
        Location pattern = Location.of(arguments.localPath("SHARDS", given));
        List<DatasetIndex.Shard> shards = new ArrayList<>();
        List<Path> indexes = new ArrayList<>();
        try (Storage storage = Storage.open();
                BufferPool pool = BufferPool.create("headers", 1L << 30)) {
            for (Location location : Shards.locations(storage, pattern)) {
                if (location.text().endsWith(TAR)) {
                    indexes.add(index(new ShardFile(storage, location, ShardOptions.defaults(), pool)));
                }
                shards.add(counted(storage, location, pool));
            }
            write(shards, indexes, pattern, storage);
        } catch (FormatException damaged) {
            terminal.err().println("jspdl: " + damaged.getMessage());
            return Main.FAILED;
        }
        terminal.out()
                .println(Figures.count(shards.stream()
                                .mapToLong(DatasetIndex.Shard::samples)
                                .sum())
                        + " samples in " + Figures.count(shards.size())
                        + (shards.size() == 1 ? " indexed shard" : " indexed shards"));
        return Main.DONE;
    }

    /// @throws UsageException if the number of samples of a shard takes reading it
    private static DatasetIndex.Shard counted(Storage storage, Location location, BufferPool pool)
            throws UsageException, IOException {
        long samples = Shards.shard(storage, location.text(), ShardOptions.defaults(), pool)
                .size()
                .orElseThrow(() -> new UsageException(location + " does not say how many samples it has; 'jspdl pack'"
                        + " converts it to indexed tar files"));
        Path file = location.path();
        try (FileChannel content = FileChannel.open(file)) {
            return new DatasetIndex.Shard(
                    String.valueOf(file.getFileName()), samples, content.size(), DatasetIndex.crc32c(content));
        }
    }

    /// Writes the index of the dataset, if the shards are numbered alike, in one folder.
    ///
    /// @throws UsageException if they are not, and have no indexes of their own either
    private static void write(List<DatasetIndex.Shard> shards, List<Path> indexes, Location pattern, Storage storage)
            throws UsageException, IOException {
        Set<Optional<Location>> places = Shards.locations(storage, pattern).stream()
                .map(DatasetIndex::locationFor)
                .collect(Collectors.toSet());
        Optional<Location> place = places.size() == 1 ? places.iterator().next() : Optional.empty();
        if (place.isPresent()) {
            IndexWriter.at(place.get().path()).write(shards, indexes);
        } else if (indexes.isEmpty()) {
            throw new UsageException(pattern + " has no tar files, and its shards are not numbered alike in one folder,"
                    + " as train-000.parquet, train-001.parquet are; so there is nothing to index");
        }
    }

    /// Writes the index of one shard, which appears whole or not at all; where it is.
    private static Path index(ShardFile shard) throws IOException {
        TarIndex index = TarIndex.of(shard);
        Path file = TarIndex.locationFor(shard.location()).path();
        FreshFile.write(file, TarIndex.write(index.samples()));
        return file;
    }
}
