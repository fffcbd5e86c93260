package org.jspdl.cli;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.function.LongConsumer;
import org.jspdl.cli.arguments.CommandLine;
import org.jspdl.cli.arguments.CommandSpec;
import org.jspdl.cli.arguments.Option;
import org.jspdl.cli.arguments.UsageException;
import org.jspdl.cli.inspect.FileContents;
import org.jspdl.cli.settings.AccessArguments;
import org.jspdl.cli.settings.CacheArguments;
import org.jspdl.cli.settings.RunArguments;
import org.jspdl.cli.terminal.ProgressLine;
import org.jspdl.cli.terminal.Terminal;
import org.jspdl.data.dataset.LabeledFiles;
import org.jspdl.data.shards.ShardOptions;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.data.shards.Shards;
import org.jspdl.data.shards.filter.RowFilter;
import org.jspdl.data.shards.pack.FileInput;
import org.jspdl.data.shards.pack.FileRows;
import org.jspdl.data.shards.pack.PackFormat;
import org.jspdl.data.shards.pack.PackInput;
import org.jspdl.data.shards.pack.PackResult;
import org.jspdl.data.shards.pack.PackSettings;
import org.jspdl.data.shards.pack.RecompressedInput;
import org.jspdl.data.shards.pack.Recompression;
import org.jspdl.data.shards.pack.ShardCheck;
import org.jspdl.data.shards.pack.ShardInput;
import org.jspdl.data.shards.pack.ShardPacker;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StorageException;
import org.jspdl.files.SafeFolders;
import org.jspdl.memory.BufferPool;
import org.jspdl.observe.text.Figures;
import org.jspdl.pipeline.FailurePolicy;
import org.jspdl.pipeline.PipelineException;
import org.jspdl.source.Sampler;
import org.jspdl.source.Samplers;
import org.jspdl.source.ShardStream;

/// `jspdl pack`: writes WebDataset shards.
final class PackCommand {
    private static final int INTERLEAVED = 8;
    private static final int WINDOW = 10_000;

    static final CommandSpec SPEC = new CommandSpec(
            "pack",
            "DATASET",
            "Writes shards (WebDataset's tar files, each with an index, Parquet or MDS) from a folder with one sub-folder for each class, a file list, a manifest, or"
                    + " other shards (tar, Parquet, JSON lines, TFRecord, NPZ), local or remote. Run again after an interruption, it goes on."
                    + " Of a plan (.yaml), what its steps make of each place: filtered, decoded, resized, encoded, tokenized.",
            List.of(
                    new CommandSpec.Group(
                            "Where to",
                            List.of(
                                    Option.valued(
                                            "--to",
                                            "FOLDER",
                                            "Where the shards go; made if need be. Also s3://bucket/folder: each shard is there"
                                                    + " whole or not at all."),
                                    Option.valued(
                                            "--staging",
                                            "FOLDER",
                                            "Where shards for another storage are written before they are sent (default: in the"
                                                    + " user's cache folder)."),
                                    Option.valued(
                                            "--prefix",
                                            "NAME",
                                            "What their names begin with (default: the name of FOLDER)."))),
                    new CommandSpec.Group(
                            "What a shard holds",
                            List.of(
                                    Option.valued(
                                            "--format",
                                            "NAME",
                                            "What shards are: tar (WebDataset, the default), parquet (as Hugging Face has it) or mds"
                                                    + " (MosaicML's Streaming)."),
                                    Option.valued("--samples", "N", "At most N samples per shard (default 100,000)."),
                                    Option.valued(
                                            "--size",
                                            "SIZE",
                                            "At most SIZE bytes per shard, such as 500M (default 1G)."),
                                    Option.valued(
                                            "--shard-by",
                                            "WHAT",
                                            "output (default): a shard has N samples; input: a shard has what came of N places of the"
                                                    + " dataset, whatever was left out and however large that is, as when a cluster packs."),
                                    Option.valued(
                                            "--columns",
                                            "A,B",
                                            "Only these fields of shards; of Parquet only they are read."),
                                    Option.valued(
                                            "--where",
                                            "FILTER",
                                            "Only rows of Parquet shards of which this is true, such as \"label < 10\"."),
                                    Option.valued(
                                            "--resize",
                                            "N",
                                            "Make images smaller whose shorter side has more than N pixels, and write them as"
                                                    + " JPEG; others stay as they are."),
                                    Option.valued(
                                            "--quality",
                                            "N",
                                            "Write all images as JPEG of this quality, 1 to 100 (default with --resize: 90, and"
                                                    + " larger images alone)."),
                                    Option.flag("--number", "Name samples by number even if they have names."),
                                    Option.flag(
                                            "--shuffle",
                                            "In an order drawn once: any order of files; shards interleaved and"
                                                    + " shuffled in windows of 10,000 samples."),
                                    Option.valued("--seed", "N", "The key of that order (default 0)."))),
                    new CommandSpec.Group(
                            "How it runs",
                            List.of(
                                    Option.valued(
                                            "--writers", "N", "Samples written at once (default: the processors)."),
                                    Option.valued(
                                            "--max-failures",
                                            "N|N%",
                                            "Skip at most N samples that cannot be read, and list them."),
                                    Option.flag(
                                            "--overwrite",
                                            "Of a plan: replace what is in FOLDER when the new shards are complete."),
                                    Option.flag("--verify", "Read all shards again and compare every byte."),
                                    Option.flag("--no-progress", "Print no progress."),
                                    AccessArguments.ALLOW_LOCAL,
                                    AccessArguments.ALLOW_HOSTS,
                                    AccessArguments.STORAGE,
                                    Option.flag("--help", "Show this help.")))),
            List.of(
                    "",
                    "Examples",
                    "  jspdl pack photos --to shards --shuffle --verify",
                    "  jspdl pack photos --to small --resize 512",
                    "  jspdl pack s3://bucket/train.csv --to /data/train --size 500M",
                    "  jspdl pack 'old-{000..127}.tar' --to s3://bucket/new --samples 5000",
                    "  jspdl pack plan.yaml --to resized --samples 10000",
                    "",
                    "Exit codes: 0 done, 1 failed, 2 wrong option or dataset, 130 interrupted."));

    private final Terminal terminal;
    private final List<String> leftOut = Collections.synchronizedList(new ArrayList<>());

    PackCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    /// The exit code.
    int run(CommandLine line) throws UsageException, IOException, InterruptedException {
        RunArguments arguments = new RunArguments(line);
        if (PlanCommand.isPlan(line)) {
            return new PackPlan(terminal).run(line);
        }
        if (line.has("--overwrite")) {
            throw new UsageException("--overwrite is for plans; packing a dataset again goes on");
        }
        Location location = arguments.location(
                line.operand().orElseThrow(() -> new UsageException("pack needs a dataset to read")));
        if (RunArguments.filter(line).isPresent() && !Shards.areMeant(location)) {
            throw new UsageException("--where is for rows of Parquet shards; list the files that you want");
        }
        PackSettings settings = settings(line, arguments);
        try (Storage storage = Storage.open(AccessArguments.storage(line));
                BufferPool pool = BufferPool.unbounded("samples to pack")) {
            requireWritable(settings, storage);
            return Shards.areMeant(location)
                    ? pack(shards(storage, location, settings, line, pool), settings, storage, line, List.of())
                    : packFiles(FileContents.files(storage, location), storage, settings, line, pool);
        } catch (PipelineException failure) {
            terminal.err().println("jspdl: " + RunFailures.explain(failure));
            return Main.FAILED;
        }
    }

    private PackSettings settings(CommandLine line, RunArguments arguments) throws UsageException, IOException {
        String given = line.text("--to").orElseThrow(() -> new UsageException("pack needs --to FOLDER"));
        boolean sent = Location.of(given).isRemote();
        Path folder = sent ? staging(line, arguments, given) : arguments.outsideDataset("--to", given);
        if (!sent && line.text("--staging").isPresent()) {
            throw new UsageException("--staging is for shards that are sent elsewhere, but --to is a local folder");
        }
        if (Files.exists(folder) && !Files.isDirectory(folder)) {
            throw new UsageException("--to must be a folder, but " + folder + " is a file");
        }
        Path name = Path.of(sent ? Location.of(given).afterScheme() : folder.toString())
                .toAbsolutePath()
                .normalize()
                .getFileName();
        FailurePolicy policy = arguments.failures();
        String named = line.text("--format").orElse("tar");
        Optional<PackFormat> format = PackFormat.named(named);
        if (format.isEmpty() && !named.equals("tar")) {
            throw new UsageException("--format must be tar, parquet or mds but was '" + named + "'");
        }
        try {
            return new PackSettings(
                    folder,
                    sent ? Location.of(given) : Location.of(folder),
                    line.text("--prefix").orElse(name == null ? "shard" : name.toString()),
                    line.number("--samples", 100_000, 1, Long.MAX_VALUE),
                    CacheArguments.bytes("--size", line.text("--size").orElse("1G")),
                    line.integer("--writers", Runtime.getRuntime().availableProcessors(), 1, 1024),
                    line.has("--number") ? PackSettings.Naming.NUMBER : PackSettings.Naming.KEEP,
                    policy.equals(FailurePolicy.failFast())
                            ? policy
                            : policy.quarantine(item -> leftOut.add(item.cause().getMessage())),
                    format,
                    List.of(),
                    range(line));
        } catch (IllegalArgumentException wrong) {
            throw new UsageException(String.valueOf(wrong.getMessage()));
        }
    }

    private static PackSettings.Range range(CommandLine line) throws UsageException {
        String by = line.text("--shard-by").orElse("output");
        if (!by.equals("input") && !by.equals("output")) {
            throw new UsageException("--shard-by must be output or input but was '" + by + "'");
        }
        if (by.equals("input") && line.text("--size").isPresent()) {
            throw new UsageException(
                    "--size does not go with --shard-by input: places of the dataset say what is in a shard");
        }
        return by.equals("input") ? PackSettings.Range.INPUT : PackSettings.Range.OUTPUT;
    }

    /// A folder for this destination alone: what lies in it says which shards were sent.
    private static Path staging(CommandLine line, RunArguments arguments, String given)
            throws UsageException, IOException {
        Optional<String> named = line.text("--staging");
        if (named.isPresent()) {
            return arguments.outsideDataset("--staging", named.get());
        }
        String hash =
                UUID.nameUUIDFromBytes(given.getBytes(StandardCharsets.UTF_8)).toString();
        Path folder = AccessArguments.cacheFolder().resolve("packing").resolve(hash);
        Files.createDirectories(folder, SafeFolders.ownFolder());
        return folder;
    }

    /// @throws UsageException if shards can't be sent to where they are to go
    private static void requireWritable(PackSettings settings, Storage storage) throws UsageException, IOException {
        if (settings.isSent()) {
            try {
                storage.requireWritable(settings.to());
            } catch (StorageException no) {
                throw new UsageException("--to: " + no.getMessage());
            }
        }
    }

    private ShardInput shards(
            Storage storage, Location location, PackSettings settings, CommandLine line, BufferPool pool)
            throws UsageException, IOException {
        List<Location> locations = Shards.locations(storage, location);
        for (Location each : locations) {
            if (each.parent().resolve("same").equals(settings.to().resolve("same"))) {
                throw new UsageException(
                        "--to must be another folder than that of the shards that are read, but " + each + " is in it");
            }
        }
        ShardOptions options = ShardOptions.defaults()
                .columns(line.text("--columns").map(given -> given.split(",")).orElse(new String[0]));
        Optional<RowFilter> where = RunArguments.filter(line);
        options = where.isPresent() ? options.where(where.get()) : options;
        ShardStream<ShardSample> stream = Shards.open(storage, location, options, pool);
        stream = line.has("--shuffle")
                ? stream.shuffled(seed(line)).interleaved(INTERLEAVED).window(WINDOW)
                : stream;
        return ShardInput.of(stream, locations, options, storage);
    }

    private int packFiles(LabeledFiles files, Storage storage, PackSettings settings, CommandLine line, BufferPool pool)
            throws UsageException, IOException {
        if (files.leftOut().files() > 0) {
            terminal.err().println("jspdl: left out files that are not images: " + files.leftOut());
        }
        Sampler order =
                line.has("--shuffle") ? Samplers.shuffled(files.size(), seed(line)) : Samplers.sequential(files.size());
        FileInput input = new FileInput(files, order, storage, pool, 1L << 32);
        Optional<PackFormat> format = settings.format();
        return format.isPresent()
                ? pack(
                        new FileRows(input, format.get()),
                        settings.format(format.get(), files.classes()),
                        storage,
                        line,
                        files.classes())
                : pack(input, settings, storage, line, files.classes());
    }

    private static long seed(CommandLine line) throws UsageException {
        return line.number("--seed", 0, Long.MIN_VALUE, Long.MAX_VALUE);
    }

    private int pack(PackInput<?> input, PackSettings settings, Storage storage, CommandLine line, List<String> classes)
            throws UsageException, IOException {
        Optional<Recompression> smaller = recompression(line);
        if (smaller.isEmpty()) {
            return packed(input, settings, storage, line, classes);
        }
        try (BufferPool pool = BufferPool.unbounded("images to make smaller");
                RecompressedInput<?> recompressed = RecompressedInput.of(input, smaller.get(), pool)) {
            return packed(recompressed, settings, storage, line, classes);
        }
    }

    private static Optional<Recompression> recompression(CommandLine line) throws UsageException {
        boolean all = line.text("--quality").isPresent();
        if (!all && line.text("--resize").isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new Recompression(
                line.text("--resize").isPresent()
                        ? OptionalInt.of(line.integer("--resize", 1, 1, 1 << 16))
                        : OptionalInt.empty(),
                line.integer("--quality", 90, 1, 100),
                all ? Recompression.Which.ALL : Recompression.Which.LARGER));
    }

    private int packed(
            PackInput<?> input, PackSettings settings, Storage storage, CommandLine line, List<String> classes)
            throws IOException {
        PackResult result;
        ProgressLine progress = progress(line, "Packing", input.source().size().orElse(0));
        try {
            result = ShardPacker.pack(input, settings, storage, progress::report);
        } finally {
            progress.clear();
        }
        leftOut.forEach(reason -> terminal.err().println("jspdl: left out " + reason));
        if (!result.complete()) {
            terminal.err()
                    .println("jspdl: interrupted with " + Figures.count(result.shards())
                            + " shards complete; the same command goes on");
            return Main.INTERRUPTED;
        }
        if (!classes.isEmpty()) {
            byte[] names = (String.join("\n", classes) + "\n").getBytes(StandardCharsets.UTF_8);
            storage.put(settings.to().resolve(settings.prefix() + "-classes.txt"), MemorySegment.ofArray(names));
        }
        terminal.out()
                .println(Figures.count(result.samples()) + " samples, " + Figures.bytes(result.bytes()) + ", in "
                        + Figures.count(result.shards()) + (result.shards() == 1 ? " shard" : " shards")
                        + (result.found() == 0
                                ? ""
                                : ", " + Figures.count(result.found()) + " of which were complete before")
                        + (leftOut.isEmpty() ? "" : "; " + Figures.count(leftOut.size()) + " left out"));
        if (line.has("--verify")) {
            verify(input, settings, storage, line, result.samples());
        }
        terminal.out().println(result.pattern());
        return Main.DONE;
    }

    private void verify(PackInput<?> input, PackSettings settings, Storage storage, CommandLine line, long samples)
            throws IOException {
        ProgressLine progress = progress(line, "Verifying", samples);
        LongConsumer report = progress::report;
        try {
            ShardCheck.check(input, settings, storage, report);
        } finally {
            progress.clear();
        }
        terminal.out().println("verified: every sample was read again and is as it was packed");
    }

    private ProgressLine progress(CommandLine line, String task, long total) {
        return line.has("--no-progress")
                ? ProgressLine.silent(terminal)
                : ProgressLine.of(terminal, task, "samples", total);
    }
}
