package org.jspdl.data.index;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspdl.data.storage.FileNames;
import org.jspdl.data.storage.ListedObject;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StorageException;
import org.jspdl.memory.BufferPool;

/// Which files of a folder are the shards of a dataset: a folder that holds samples twice, or only some of those that
/// its index names, is refused, since nobody would notice while it is read.
///
/// Whoever names the files themselves, by braces or a pattern, gets these; only the same shard in two forms is refused.
///
/// Jobs that write to an object store hide what they write below [#UNFINISHED] in the folder until its index is there.
/// Shards beside something hidden, without an index, are those of a job that is under way or was killed: refused, too.
public final class ShardFolder {
    /// Tables that Hugging Face's `datasets` derived from those beside them, in all its forms: also one of several
    /// processes.
    private static final Pattern DERIVED = Pattern.compile("cache-[0-9a-f]{8,64}(_\\d+_of_\\d+)?\\.arrow");
    /// What jobs hide in a folder, until all shards and their index have their names.
    public static final String UNFINISHED = ".jspdl";

    private static final Pattern COMPRESSED = Pattern.compile("\\.(gz|zst|zstd)$");

    /// What a shard may end with that an index names without it.
    private static final List<String> FORMS = List.of("", ".zstd", ".zst", ".gz");

    private ShardFolder() {}

    /// The shards in a folder and the folders in it, ordered by name, without what is hidden.
    ///
    /// @param format what a file is called as; empty for no shard
    /// @throws StorageException if these cannot be the shards of one dataset
    public static List<Location> all(Storage storage, Location folder, Function<Location, String> format)
            throws IOException {
        Map<String, List<Location>> shards = new TreeMap<>();
        List<Location> indexes = new ArrayList<>();
        for (Location file :
                listed(storage, folder, Integer.MAX_VALUE, false, any -> isIndex(any) || isShard(any, format))) {
            if (isIndex(file)) {
                indexes.add(file);
            } else {
                shards.computeIfAbsent(format.apply(file), _ -> new ArrayList<>())
                        .add(file);
            }
        }
        if (shards.size() > 1) {
            throw unclear(folder, shards);
        }
        List<Location> found = shards.values().stream().findFirst().orElse(List.of());
        requireOnce(found);
        for (Location index : indexes) {
            requireAll(index, named(storage, index, found), found);
        }
        return List.copyOf(found);
    }

    private static boolean isShard(Location file, Function<Location, String> format) {
        return !format.apply(file).isEmpty() && !DERIVED.matcher(fileName(file)).matches();
    }

    /// Of the indexes of datasets those that cost no request: shards elsewhere are asked for anyway.
    private static boolean isIndex(Location file) {
        return fileName(file).equals(StreamingIndex.NAME) || (DatasetIndex.isIndex(file) && !file.isRemote());
    }

    private static List<Location> named(Storage storage, Location index, List<Location> found) throws IOException {
        if (found.isEmpty()) {
            return List.of();
        }
        if (DatasetIndex.isIndex(index)) {
            try (BufferPool pool = BufferPool.unbounded("index of a dataset")) {
                return DatasetIndex.read(storage, index, pool).shards().stream()
                        .map(shard -> index.parent().resolve(shard.name()))
                        .toList();
            }
        }
        return found.getFirst().name().contains(".mds") ? StreamingIndex.shards(storage, index) : List.of();
    }

    /// The files in a folder that are wanted, ordered by name.
    ///
    /// @param hidden whether hidden files and folders are looked at, too
    /// @throws StorageException if one of them is there in two forms
    public static List<Location> matching(Storage storage, Location folder, boolean hidden, Predicate<Location> wanted)
            throws IOException {
        return matching(storage, folder, Integer.MAX_VALUE, hidden, wanted);
    }

    /// The same, of those that do not lie deep.
    ///
    /// @param depth  how many folders further down they may lie: what lies deeper is not looked at
    /// @param hidden whether hidden files and folders are looked at, too
    /// @throws StorageException if one of them is there in two forms
    public static List<Location> matching(
            Storage storage, Location folder, int depth, boolean hidden, Predicate<Location> wanted)
            throws IOException {
        List<Location> found = listed(storage, folder, depth, hidden, wanted);
        requireOnce(found);
        return found;
    }

    private static List<Location> listed(
            Storage storage, Location folder, int depth, boolean hidden, Predicate<Location> wanted)
            throws IOException {
        int root = folder.name().length();
        UnfinishedFolders unfinished = new UnfinishedFolders();
        try (Stream<ListedObject> listed = storage.list(
                folder,
                within -> isEntered(within, depth)
                        && (hidden || !FileNames.isOfSystem(within.substring(within.lastIndexOf('/') + 1))))) {
            List<Location> found = listed.map(ListedObject::location)
                    .peek(unfinished::saw)
                    .filter(file -> wanted.test(file) && (hidden || !isHidden(file.name(), root)))
                    .sorted()
                    .toList();
            unfinished.requireNone(found);
            return found;
        } catch (UncheckedIOException unlisted) {
            throw unlisted.getCause();
        }
    }

    /// Whether wanted files, or notes of unfinished jobs beside them, may lie in a folder.
    private static boolean isEntered(String within, int depth) {
        int notes = ("/" + within + "/").indexOf("/" + UNFINISHED + "/");
        String beside = notes < 0 ? within : within.substring(0, Math.max(0, notes - 1));
        long folders =
                beside.isEmpty() ? 0 : beside.chars().filter(c -> c == '/').count() + 1;
        return folders <= depth;
    }

    /// Whether a name from a character on, or that of a folder in it, begins with a dot, as a copy that a program
    /// keeps, or is not done with; or is a folder that systems keep.
    public static boolean isHidden(String name, int from) {
        return Stream.of(name.substring(Math.min(from, name.length())).split("/"))
                .anyMatch(FileNames::isHidden);
    }

    /// A shard and the same compressed, as programs leave them that unpack what they have fetched.
    private static void requireOnce(List<Location> shards) throws StorageException {
        Map<String, Location> seen = new HashMap<>();
        for (Location shard : shards) {
            String plain = COMPRESSED.matcher(shard.text()).replaceFirst("").replaceFirst("\\.tgz$", ".tar");
            Location other = seen.putIfAbsent(plain, shard);
            if (other != null && !other.equals(shard)) {
                throw new StorageException(
                        StorageException.Kind.UNSUPPORTED,
                        shard,
                        fileName(shard) + " is there as " + fileName(other)
                                + ", too, and every sample would come twice; remove one of"
                                + " them, or name the shards, such as '*" + ending(fileName(other)) + "'");
            }
        }
    }

    private static void requireAll(Location index, List<Location> named, List<Location> found) throws StorageException {
        Set<String> there = found.stream().map(Location::text).collect(Collectors.toSet());
        List<Location> missing = named.stream()
                .filter(shard -> FORMS.stream().noneMatch(form -> there.contains(shard.text() + form)))
                .toList();
        if (!missing.isEmpty()) {
            throw new StorageException(
                    StorageException.Kind.MISSING,
                    index,
                    "the index names " + named.size() + " shards, of which " + missing.size()
                            + " are not there, such as " + fileName(missing.getFirst())
                            + "; to read a part, name its shards by a pattern");
        }
    }

    private static StorageException unclear(Location folder, Map<String, List<Location>> shards) {
        String example = fileName(shards.values().iterator().next().getFirst());
        return new StorageException(
                StorageException.Kind.UNSUPPORTED,
                folder,
                "the folder has shards of several formats, " + counts(shards) + "; name those of one, such as '"
                        + folder + "/*" + ending(example) + "'");
    }

    private static String counts(Map<String, List<Location>> shards) {
        return shards.entrySet().stream()
                .map(each -> each.getKey() + " (" + each.getValue().size() + ")")
                .collect(Collectors.joining(", "));
    }

    /// What the names of such shards end with, `.tar.gz` of `train-000.tar.gz`.
    private static String ending(String name) {
        Matcher compressed = COMPRESSED.matcher(name);
        int end = compressed.find() ? compressed.start() : name.length();
        return name.substring(Math.max(0, name.lastIndexOf('.', end - 1)));
    }

    private static String fileName(Location file) {
        return file.name().substring(file.name().lastIndexOf('/') + 1);
    }
}
