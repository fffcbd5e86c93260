package org.jspdl.cli.settings;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspdl.cli.arguments.CommandLine;
import org.jspdl.cli.arguments.UsageException;
import org.jspdl.cli.compare.DataLoaderRun;
import org.jspdl.cli.run.Baseline;
import org.jspdl.cli.run.PictureSettings;
import org.jspdl.cli.run.RunSettings;
import org.jspdl.data.image.ImageLoaderOptions;
import org.jspdl.data.shards.filter.RowFilter;
import org.jspdl.data.storage.FailureReasons;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.StorageException;
import org.jspdl.media.image.Isolation;
import org.jspdl.pipeline.FailurePolicy;
import org.jspdl.pipeline.Order;
import org.jspdl.plan.record.SkipList;
import org.jspdl.source.Even;

/// Reads the options of `jspdl run`.
///
/// @param line what was given
public record RunArguments(CommandLine line) {
    private static final int MOST_BATCH = 65_536;
    private static final int MOST_WORKERS = 1024;
    /// Of the sample dataset: the first is one of compiling, the last shows the speed after it.
    private static final long SAMPLE_EPOCHS = 4;
    private static final String AUTO = "auto";
    private static final List<String> OUTPUTS = List.of("--json", "--report", "--trace", "--preview", "--record");
    private static final long PROBATION = 100;
    /// Options that change which images are loaded or what becomes of them in a way that `dataloader.py` does not.
    private static final List<String> NOT_COMPARED = List.of(
            "--where",
            "--crop",
            "--flip",
            "--color-jitter",
            "--rank",
            "--world-size",
            "--max-failures",
            "--record",
            "--skip-list");

    /// What the run was asked for.
    public RunSettings settings() throws UsageException {
        int worldSize = line.integer("--world-size", 1, 1, 1_000_000);
        int rank = line.integer("--rank", 0, 0, Integer.MAX_VALUE);
        if (rank >= worldSize) {
            throw new UsageException("--rank must be below --world-size (" + worldSize + ") but was " + rank);
        }
        PictureSettings picture = new PictureArguments(line).settings();
        ImageLoaderOptions defaults = ImageLoaderOptions.defaults();
        ImageLoaderOptions loading = defaults.image(picture.spec())
                .jpeg(picture.jpeg())
                .isolation(isolation(defaults.isolation()))
                .batchSize(line.integer("--batch-size", defaults.batchSize(), 1, MOST_BATCH))
                .order(line.choice("--order", defaults.order(), Order.class))
                .shard(rank, worldSize)
                .even(line.choice("--even", defaults.even(), Even.class))
                .seed(line.number("--seed", defaults.seed(), Long.MIN_VALUE, Long.MAX_VALUE))
                .failures(failures());
        loading = filter(line).map(loading::where).orElse(loading);
        loading = line.has("--shuffle") ? loading.shuffle(loading.seed()) : loading;
        loading = line.text("--workers").orElse(AUTO).equals(AUTO)
                ? loading.autoWorkers()
                : loading.workers(line.integer("--workers", defaults.workers(), 1, MOST_WORKERS));
        long epochs = line.operand().isPresent() && !line.has("--compare") ? 1 : SAMPLE_EPOCHS;
        return new RunSettings(picture, loading, line.number("--epochs", epochs, 1, Long.MAX_VALUE));
    }

    /// Which rows of shards are read.
    public static Optional<RowFilter> filter(CommandLine line) throws UsageException {
        try {
            return line.text("--where").map(RowFilter::parse);
        } catch (IllegalArgumentException wrong) {
            throw new UsageException("--where: " + wrong.getMessage());
        }
    }

    private Isolation isolation(Isolation otherwise) throws UsageException {
        return new Isolation(
                line.choice("--isolation", otherwise.scope(), Isolation.Scope.class),
                line.duration("--decode-deadline", otherwise.deadline()));
    }

    public FailurePolicy failures() throws UsageException {
        String given = line.text("--max-failures").orElse("0");
        boolean percent = given.endsWith("%");
        try {
            if (percent) {
                double rate = Double.parseDouble(given.substring(0, given.length() - 1)) / 100;
                if (rate > 0 && rate <= 1) {
                    return FailurePolicy.skipRate(rate, PROBATION);
                }
            } else {
                long count = Long.parseLong(given);
                if (count >= 0) {
                    return count == 0 ? FailurePolicy.failFast() : FailurePolicy.skip(count);
                }
            }
        } catch (NumberFormatException notANumber) {
            // reported below, as for a number out of range
        }
        throw new UsageException(
                "--max-failures must be a number of files, or a percentage above 0% and at most 100%, but was '" + given
                        + "'");
    }

    /// Where `--json` says that the document goes; empty without it, and for standard output.
    public Optional<Path> json() throws UsageException {
        return isStandardOutput(line) ? Optional.empty() : writable("--json");
    }

    /// Whether `--json` asks for the document on standard output.
    public static boolean isStandardOutput(CommandLine line) {
        return line.text("--json").filter("-"::equals).isPresent();
    }

    /// What `--baseline` names, read before the run, which may take long.
    ///
    /// @throws UsageException if it cannot be read, or is no report of a run that came to its end
    public Optional<Baseline> baseline() throws UsageException {
        Optional<String> given = line.text("--baseline");
        if (given.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(Baseline.read(localPath("--baseline", given.get())));
        } catch (IllegalArgumentException unusable) {
            throw new UsageException("--baseline: " + unusable.getMessage());
        } catch (IOException unreadable) {
            throw new UsageException("--baseline cannot be read: " + FailureReasons.withFile(unreadable));
        }
    }

    /// The Python of `--compare`, if one is given.
    ///
    /// @throws UsageException if it has no PyTorch, or does not load what the other options say
    public Optional<DataLoaderRun> compare() throws UsageException, IOException, InterruptedException {
        Optional<String> python = line.text("--compare");
        if (python.isEmpty()) {
            return Optional.empty();
        }
        for (String option : NOT_COMPARED) {
            if (line.has(option)) {
                throw new UsageException(
                        option + " cannot be given with --compare, whose DataLoader loads a whole folder"
                                + " and crops the middle of each image");
            }
        }
        if (line.operand().isPresent()
                && !Files.isDirectory(folder(line.operand().get()))) {
            throw new UsageException(
                    "--compare loads a folder of images, one sub-folder for each class, but was given '"
                            + line.operand().get() + "'");
        }
        DataLoaderRun peer = new DataLoaderRun(python.get());
        String problem = peer.problem();
        if (!problem.isEmpty()) {
            throw new UsageException("--compare: " + problem);
        }
        return Optional.of(peer);
    }

    private Path folder(String given) throws UsageException {
        return localPath("DATASET of --compare", given);
    }

    /// The folder of `--record`, if one is given.
    public Optional<Path> record() throws UsageException {
        Optional<String> given = line.text("--record");
        return given.isPresent() ? Optional.of(outsideDataset("--record", given.get())) : Optional.empty();
    }

    /// The steps and samples that `--skip-list` names.
    ///
    /// @throws UsageException if it is no such list
    public SkipList skipList() throws UsageException {
        Optional<String> given = line.text("--skip-list");
        if (given.isEmpty()) {
            return SkipList.NONE;
        }
        Path file = localPath("--skip-list", given.get());
        try {
            return SkipList.of(file);
        } catch (IOException unreadable) {
            throw new UsageException("--skip-list cannot be read: " + FailureReasons.withFile(unreadable));
        } catch (IllegalArgumentException noList) {
            throw new UsageException("--skip-list: " + noList.getMessage());
        }
    }

    /// Where `option` says a file shall be written.
    ///
    /// @throws UsageException if that cannot be: it should be known before the work, not after it
    public Optional<Path> writable(String option) throws UsageException {
        Optional<String> given = line.text(option);
        if (given.isEmpty()) {
            return Optional.empty();
        }
        if (given.get().equals("-")) {
            throw new UsageException(option + " writes a file, and not to standard output as --json - does; write ./-"
                    + " for a file of that name");
        }
        return Optional.of(checked(option, localPath(option, given.get())));
    }

    /// The same, and `otherwise` where the option is not given.
    public Path writable(String option, Path otherwise) throws UsageException {
        Optional<Path> given = writable(option);
        return given.isPresent() ? given.get() : checked(option, otherwise);
    }

    private Path checked(String option, Path file) throws UsageException {
        Path folder = file.toAbsolutePath().getParent();
        String wrong = Files.isDirectory(file)
                ? "it is a folder"
                : folder == null || !Files.isDirectory(folder)
                        ? "there is no such folder"
                        : !Files.isWritable(Files.exists(file) ? file : folder) ? unwritable(folder) : "";
        if (wrong.isEmpty()) {
            wrong = clash(option, file);
        }
        if (!wrong.isEmpty()) {
            throw new UsageException(option + " cannot be written to " + file + ": " + wrong);
        }
        return file;
    }

    private static String unwritable(Path folder) {
        try {
            return Files.getFileStore(folder).isReadOnly() ? "the file system is read-only" : "permission denied";
        } catch (IOException unknown) {
            return "permission denied";
        }
    }

    /// What `file` would replace that the same command needs: empty if nothing.
    private String clash(String option, Path file) throws UsageException {
        for (String other : OUTPUTS) {
            Optional<String> given = other.equals(option) ? Optional.empty() : line.text(other);
            if (given.isPresent() && whole(localPath(other, given.get())).equals(whole(file))) {
                return other + " names the same file";
            }
        }
        Optional<String> dataset = line.operand();
        return Files.exists(file)
                        && dataset.isPresent()
                        && !location(dataset.get()).isRemote()
                        && whole(file).startsWith(whole(localPath("DATASET", dataset.get())))
                ? "it is a file of the dataset"
                : "";
    }

    /// Where a path leads, links resolved as far as it is there.
    private static Path whole(Path path) {
        Path absolute = path.toAbsolutePath();
        for (Path there = absolute; there != null; there = there.getParent()) {
            try {
                return there.toRealPath().resolve(there.relativize(absolute)).normalize();
            } catch (IOException missing) {
                // what is above it may be there
            }
        }
        return absolute.normalize();
    }

    /// The local folder for what a command makes of its dataset, in which that must not be: it would be part of the
    /// dataset the next time.
    ///
    /// @throws UsageException if `given`, the value of `option`, lies within the dataset, or is no local path
    public Path outsideDataset(String option, String given) throws UsageException {
        Path folder = localPath(option, given);
        Optional<String> dataset = line.operand();
        if (dataset.isPresent() && !location(dataset.get()).isRemote()) {
            Path read = localPath("DATASET", dataset.get());
            if (Files.isDirectory(read) && whole(folder).startsWith(whole(read))) {
                throw new UsageException(option + " must be outside of the dataset, or what is written would be read as"
                        + " part of it, but " + folder + " is within " + read);
            }
        }
        return folder;
    }

    /// As [#writable], for a picture, which is a PNG file.
    public Optional<Path> picture(String option) throws UsageException {
        Optional<Path> file = writable(option);
        if (file.isPresent() && !file.get().toString().toLowerCase(Locale.ROOT).endsWith(".png")) {
            throw new UsageException(
                    option + " draws a PNG file: its name must end with .png but was '" + file.get() + "'");
        }
        if (file.isPresent()) {
            Path _ = outsideDataset(option, file.get().toString()); // where it would be one of the images
        }
        return file;
    }

    /// The local path that `given`, the value of `option`, says.
    ///
    /// @throws UsageException if it says a place in other storage: nothing is written there
    public Path localPath(String option, String given) throws UsageException {
        if (given.isEmpty()) {
            throw new UsageException(option + " is an empty word, where it should name a file or a folder");
        }
        try {
            Path path = Location.of(given).path();
            if (given.startsWith("~") && !Files.exists(path.getName(0))) {
                throw new UsageException(option + ": '" + given + "' begins with ~, which the shell replaces only at"
                        + " the beginning of a word without quotes; write the path of your home folder");
            }
            return path;
        } catch (StorageException notLocal) {
            throw new UsageException(option + " must be a local path, but was '" + Location.of(given) + "': "
                    + FailureReasons.of(notLocal, Location.of(given)));
        }
    }

    /// A path, or a location in other storage.
    public Location location(String given) throws UsageException {
        Location location = Location.of(given);
        return location.isRemote() ? location : Location.of(localPath("DATASET", given));
    }
}
