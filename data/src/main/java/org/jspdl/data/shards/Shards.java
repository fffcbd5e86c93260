package org.jspdl.data.shards;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.TreeSet;
import org.jspdl.data.dataset.DatasetException;
import org.jspdl.data.dataset.FileKind;
import org.jspdl.data.dataset.Manifest;
import org.jspdl.data.index.DatasetIndex;
import org.jspdl.data.index.ShardFolder;
import org.jspdl.data.internal.text.BracePattern;
import org.jspdl.data.internal.text.GlobPattern;
import org.jspdl.data.storage.FileNames;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StorageException;
import org.jspdl.input.FormatException;
import org.jspdl.memory.BufferPool;
import org.jspdl.providers.Providers;
import org.jspdl.source.Even;
import org.jspdl.source.ShardStream;
import org.jspdl.source.Source;

/// Opens shards of any format from any storage. The format is told by the end of the name.
public final class Shards {
    /// How far [#areMeant] looks into a folder, so that it costs little for one with millions of files.
    private static final int DEEPEST = 2;
    private static final int MOST_FOLDERS = 3;
    private static final int MOST_LOOKED_AT = 64;

    private Shards() {}

    /// The samples of many shards, one after the other; mix them by what [ShardStream] offers.
    ///
    /// @param pattern a location with braces, such as `s3://bucket/train-{0000..0127}.tar`; or a folder, whose
    ///     shards are read in the order of their names; or the index of a dataset, such as
    ///     `https://host/train.shards.json`
    /// @param pool    what samples are put into
    public static ShardStream<ShardSample> open(Storage storage, String pattern, ShardOptions options, BufferPool pool)
            throws IOException {
        return open(storage, Location.of(pattern), options, pool);
    }

    /// As [#open(Storage, String, ShardOptions, BufferPool)].
    public static ShardStream<ShardSample> open(
            Storage storage, Location pattern, ShardOptions options, BufferPool pool) throws IOException {
        return open(storage, locations(storage, pattern), options, pool);
    }

    /// The samples of the shards at `locations`, one shard after the other. Folders called `name=value` directly
    /// above a shard are fields of text of its samples.
    public static ShardStream<ShardSample> open(
            Storage storage, List<Location> locations, ShardOptions options, BufferPool pool) throws IOException {
        List<Source<ShardSample>> shards = new ArrayList<>();
        List<ShardFormat> formats = formats();
        ShardCatalog catalog = new ShardCatalog(storage, locations, pool);
        for (Location location : locations) {
            FolderValues folders = FolderValues.of(location);
            folders.check(options);
            ShardFile file = catalog.file(location, options);
            shards.add(catalog.add(file, formatOf(file, formats), folders.wanted(options)));
        }
        ShardStream<ShardSample> stream =
                ShardStream.of(shards).named(ShardNames.listed(locations)).telling(catalog);
        return options.where().map(filter -> stream.choosing("where " + filter)).orElse(stream);
    }

    /// The samples of one shard.
    ///
    /// @throws StorageException if no format has such a name
    public static Source<ShardSample> shard(Storage storage, String location, ShardOptions options, BufferPool pool)
            throws IOException {
        return shard(storage, Location.of(location), options, pool);
    }

    /// As [#shard(Storage, String, ShardOptions, BufferPool)]. As for many shards, folders called `name=value`
    /// directly above it are fields of its samples.
    public static Source<ShardSample> shard(Storage storage, Location location, ShardOptions options, BufferPool pool)
            throws IOException {
        return shard(new ShardFile(storage, location, options, pool));
    }

    /// The same of a shard whose numbers of classes must mean what they mean in `first`, the first of those that
    /// are read together: where it names classes, `first` is asked for its names.
    public static Source<ShardSample> shard(
            Storage storage, Location location, Location first, ShardOptions options, BufferPool pool)
            throws IOException {
        if (first.equals(location)) {
            return shard(storage, location, options, pool);
        }
        ShardCatalog catalog = new ShardCatalog(storage, List.of(first), pool);
        ShardFile asked = catalog.file(first, ShardOptions.defaults());
        catalog.add(asked, formatOf(asked), FolderValues.of(first));
        return shard(catalog.file(location, options));
    }

    private static Source<ShardSample> shard(ShardFile file) throws IOException {
        FolderValues folders = FolderValues.of(file.location());
        folders.check(file.options());
        return folders.fields().isEmpty()
                ? formatOf(file).open(file)
                : new ShardCatalog(file.storage(), List.of(file.location()), file.pool())
                        .add(file, formatOf(file), folders.wanted(file.options()));
    }

    /// What `rank` of `worldSize` ranks reads of a stream of shards.
    ///
    /// For [Even#COUNT], shards that do not say how many samples they have are read at once to be counted; what is
    /// found is kept for later runs in [the folder for notes][org.jspdl.data.storage.StorageOptions#notesFolder()],
    /// as long as a shard stays as it is.
    ///
    /// @param even how ranks match
    /// @throws DatasetException if there is nothing for some ranks
    public static ShardStream<ShardSample> share(ShardStream<ShardSample> stream, int rank, int worldSize, Even even)
            throws IOException {
        ShardStream<ShardSample> share = stream.shard(rank, worldSize).even(even);
        if (worldSize > 1 && even == Even.COUNT) {
            share = share.counted();
        }
        if (worldSize > 1 && even.drops() && share.size().orElse(1) == 0) {
            throw new DatasetException("the shards have fewer samples than there are ranks (" + worldSize + ")");
        }
        return share;
    }

    /// A stream whose epochs are shuffled: over all shards, in blocks of `block` neighbors, if all are indexed tar
    /// files, see [ShardStream#blocks]; else `interleave` shards are read at a time. Both are mixed in windows.
    ///
    /// @param block 0 to read whole shards in any case
    public static ShardStream<ShardSample> shuffled(
            ShardStream<ShardSample> stream, long seed, int interleave, int window, int block) {
        ShardStream<ShardSample> mixed =
                stream.shuffled(seed).interleaved(interleave).window(window);
        return block > 0 && stream.canUseBlocks() ? mixed.blocks(block) : mixed;
    }

    /// What one shard holds, whose location is given as text.
    public static ShardSummary inspect(Storage storage, String location, BufferPool pool) throws IOException {
        return inspect(storage, Location.of(location), pool);
    }

    /// What one shard holds.
    public static ShardSummary inspect(Storage storage, Location location, BufferPool pool) throws IOException {
        ShardFile file = new ShardFile(storage, location, ShardOptions.defaults(), pool);
        try {
            return formatOf(file).inspect(file);
        } catch (FormatException damaged) {
            throw damaged.withSource(file.shown());
        }
    }

    /// The shards that a pattern means: its braces expanded, or what lies in the folder.
    ///
    /// @throws StorageException if the folder has no shards
    /// @throws DatasetException if the braces mean nothing
    public static List<Location> locations(Storage storage, Location pattern) throws IOException {
        if (pattern.isRemote()) {
            storage.object(pattern).close(); // costs nothing, and says at once that there is no such storage
        }
        if (DatasetIndex.isIndex(pattern)) {
            return indexed(storage, pattern);
        }
        List<Location> expanded = expanded(pattern);
        if (expanded.stream().anyMatch(Shards::isGlob)) {
            List<Location> found = new ArrayList<>();
            for (Location each : expanded) {
                found.addAll(isGlob(each) ? matching(storage, each) : List.of(each));
            }
            return List.copyOf(found);
        }
        if (expanded.size() > 1 || (isShard(pattern) && !isLocalFolder(pattern))) {
            return expanded;
        }
        List<ShardFormat> formats = formats();
        List<Location> found = ShardFolder.all(storage, pattern, file -> formatName(file, formats));
        if (found.isEmpty()) {
            throw new StorageException(StorageException.Kind.MISSING, pattern, "the folder has no shards; " + known());
        }
        return found;
    }

    /// The shards of a dataset whose index is given: the way to read one from a web server, which lists nothing.
    private static List<Location> indexed(Storage storage, Location index) throws IOException {
        try (BufferPool pool = BufferPool.unbounded("index of a dataset")) {
            List<Location> shards = DatasetIndex.read(storage, index, pool).shards().stream()
                    .map(shard -> index.parent().resolve(shard.name()))
                    .toList();
            if (shards.isEmpty()) {
                throw new StorageException(StorageException.Kind.MISSING, index, "the index has no shards");
            }
            return shards;
        }
    }

    private static List<Location> matching(Storage storage, Location pattern) throws IOException {
        GlobPattern glob = GlobPattern.of(pattern.text());
        List<ShardFormat> formats = formats();
        boolean hidden = ShardFolder.isHidden(pattern.text(), glob.folder().length());
        List<Location> found = ShardFolder.matching(
                storage,
                Location.of(glob.folder()),
                glob.depth(),
                hidden,
                file -> isShard(file, formats) && glob.matches(file.text()));
        if (found.isEmpty()) {
            throw new StorageException(StorageException.Kind.MISSING, pattern, "no shard matches; " + known());
        }
        return found;
    }

    /// Whether a location is a pattern, and no local file that is called so. Web servers have no listings, and a
    /// `?` begins a query there.
    private static boolean isGlob(Location location) {
        if (location.scheme().startsWith("http") || !GlobPattern.is(location.text())) {
            return false;
        }
        try {
            return location.isRemote() || !Files.exists(location.path());
        } catch (StorageException noPath) {
            return true;
        }
    }

    private static boolean isLocalFolder(Location location) throws StorageException {
        return !location.isRemote() && Files.isDirectory(location.path());
    }

    /// What the fields of the first of some shards mean.
    public static ShardSchema schema(Storage storage, Location location, BufferPool pool) throws IOException {
        ShardFile file = new ShardFile(storage, location, ShardOptions.defaults(), pool);
        try {
            return formatOf(file).schema(file);
        } catch (FormatException damaged) {
            throw damaged.withSource(file.shown());
        }
    }

    private static List<Location> expanded(Location pattern) throws DatasetException {
        try {
            return BracePattern.expand(pattern.text()).stream()
                    .map(Location::of)
                    .toList();
        } catch (IllegalArgumentException wrong) {
            throw new DatasetException(String.valueOf(wrong.getMessage()), wrong);
        }
    }

    /// Whether `location` names shards, or is a local folder with shards in it or in its first sub-folders. JSON
    /// lines count only by their own name, and arrays not in sub-folders: in folders of samples those describe or
    /// are them.
    public static boolean areMeant(Location location) throws IOException {
        if (DatasetIndex.isIndex(location)) {
            return true;
        }
        if (location.isRemote() || isGlob(location)) {
            return isShard(location) || isGlob(location);
        }
        Path path;
        try {
            path = location.path();
        } catch (StorageException noPath) {
            return isShard(location);
        }
        return Files.isDirectory(path) ? hasShards(path, 0, formats()) : isShard(location);
    }

    private static boolean hasShards(Path folder, int depth, List<ShardFormat> formats) throws IOException {
        TreeSet<String> others = new TreeSet<>();
        try (DirectoryStream<Path> inside = Files.newDirectoryStream(folder)) {
            int seen = 0;
            for (Path each : inside) {
                Location name = Location.of(each);
                boolean one = depth > 0 && name.endsWith(".npy", ".npz");
                if (!one && isShard(name, formats) && !Manifest.isManifest(name)) {
                    return true;
                }
                String called = FileNames.name(each);
                if (others.size() < MOST_LOOKED_AT
                        && !FileNames.isHidden(called)
                        && !FileKind.IMAGE.isCalledAsSample(called)) {
                    others.add(called);
                }
                if (depth > 0 && ++seen == MOST_LOOKED_AT) {
                    break;
                }
            }
        } catch (DirectoryIteratorException | AccessDeniedException unreadable) {
            return false; // reading it as a folder of files says why
        }
        if (depth == DEEPEST) {
            return false;
        }
        int folders = 0;
        for (String each : others) {
            Path below = FileNames.resolve(folder, each);
            if (folders < MOST_FOLDERS && Files.isDirectory(below)) {
                folders++;
                if (hasShards(below, depth + 1, formats)) {
                    return true;
                }
            }
        }
        return false;
    }

    /// Whether a location is called as a shard is.
    public static boolean isShard(Location location) {
        return isShard(location, formats());
    }

    private static boolean isShard(Location location, List<ShardFormat> formats) {
        return !formatName(location, formats).isEmpty();
    }

    private static String formatName(Location location, List<ShardFormat> formats) {
        for (ShardFormat format : formats) {
            if (format.reads(location)) {
                return format.name();
            }
        }
        return "";
    }

    private static ShardFormat formatOf(ShardFile file) throws StorageException {
        return formatOf(file, formats());
    }

    private static ShardFormat formatOf(ShardFile file, List<ShardFormat> formats) throws StorageException {
        for (ShardFormat format : formats) {
            if (format.reads(file.location())) {
                if (file.options().where().isPresent() && !format.filters()) {
                    throw new StorageException(
                            StorageException.Kind.UNSUPPORTED,
                            file.location(),
                            "rows of " + format.name() + " cannot be filtered by `where`, only those of Parquet; leave"
                                    + " samples out in the pipeline");
                }
                return format;
            }
        }
        throw new StorageException(
                StorageException.Kind.UNSUPPORTED, file.location(), "no format has this name; " + known());
    }

    private static String known() {
        TreeSet<String> names = new TreeSet<>();
        formats().forEach(format -> names.add(format.name()));
        return "the formats are " + String.join(", ", names) + ". Parquet comes with the module jspdl-parquet.";
    }

    private static List<ShardFormat> formats() {
        List<ShardFormat> formats = new ArrayList<>(List.of(new JsonLinesFormat(), new ArrayFormat()));
        formats.addAll(Providers.of(
                ShardFormat.class, ServiceLoader.load(ShardFormat.class, ShardFormat.class.getClassLoader())));
        return formats;
    }
}
