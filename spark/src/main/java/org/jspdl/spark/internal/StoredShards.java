package org.jspdl.spark.internal;

import java.io.IOException;
import java.io.Serializable;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.api.java.JavaSparkContext;
import org.jspdl.data.shards.pack.PackException;
import org.jspdl.data.shards.pack.PackSettings;
import org.jspdl.data.shards.pack.StagedShards;
import org.jspdl.data.shards.pack.WrittenShard;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StorageException;
import org.jspdl.files.MappedInput;

/// Shards in an object store, which renames nothing. Attempts send what they wrote below a hidden name, `.jspdl`, in
/// the target; when all are there, tasks copy the shards that count to their names, which only then are known, and the
/// driver sends the index last. Each attempt is by itself.
///
/// While shards get their names, [a list of them][GivenNames] lies with what is hidden. A job that fails removes these
/// names again. Of a driver that is killed meanwhile they stay, beside what is hidden and without an index: readers
/// refuse such a folder, and the next job with the same target removes all of it. Two at a time disturb each other.
/// Immutable; goes to the executors.
///
/// @param options where and what
/// @param id      of the job, which no other has
public record StoredShards(WriteOptions options, String id) implements Serializable {
    private static final System.Logger LOG = System.getLogger(StoredShards.class.getName());

    private Location target() {
        return Location.of(options.folder());
    }

    private Location attempt(String name) {
        return GivenNames.hidden(target()).resolve(id).resolve(name);
    }

    private GivenNames names() {
        return new GivenNames(target(), id);
    }

    /// Whether something is in the folder beside what jobs hide, and what a killed one left.
    public static boolean isThere(Location folder) throws IOException {
        try (Storage storage = Storage.open()) {
            return !GivenNames.others(storage, folder).isEmpty();
        }
    }

    /// Before any attempt begins.
    ///
    /// @throws PackException if something is there, since readers would see shards of both
    /// @throws IOException if it can't be written to
    public void begin() throws IOException {
        try (Storage storage = Storage.open()) {
            storage.requireWritable(target());
            if (!GivenNames.others(storage, target()).isEmpty()) {
                throw new PackException(target() + " is there, and not empty; in an object store nothing is"
                        + " overwritten, because readers would see shards of both: write to another folder");
            }
            GivenNames.removeLeft(storage, target());
            remove(storage);
        }
    }

    /// Sends what an attempt has written in a local folder.
    public StagedShards.Part send(Path in, int part, long attempt, Optional<WrittenShard> shard) throws IOException {
        String name = "part-" + part + "-" + attempt;
        if (shard.isPresent()) {
            try (Storage storage = Storage.open()) {
                for (String file : options.settings(in).files(0)) {
                    put(storage, in.resolve(file), attempt(name).resolve(file));
                }
            }
        }
        return new StagedShards.Part(part, name, shard.orElse(null));
    }

    private static void put(Storage storage, Path file, Location to) throws IOException {
        try (MappedInput mapped = MappedInput.open(file)) {
            storage.put(to, mapped.bytes());
            mapped.requireWhole();
        }
    }

    /// One shard that gets its name.
    ///
    /// @param folder of the attempt
    /// @param shard  with its number
    private record Named(String folder, WrittenShard shard) implements Serializable {}

    /// Gives all shards their names, numbered in the order of the parts, and then sends the index.
    ///
    /// @param beside texts of other files, by name
    /// @return the shards
    /// @throws IOException if there are none, or one can't be copied; then nothing has a name
    public List<WrittenShard> commit(
            JavaSparkContext context, List<StagedShards.Part> parts, Map<String, String> beside) throws IOException {
        List<Named> named = new ArrayList<>();
        parts.stream()
                .sorted(Comparator.comparingInt(StagedShards.Part::number))
                .forEach(part -> {
                    WrittenShard shard = part.shard();
                    if (shard != null) {
                        named.add(new Named(part.folder(), shard.as(named.size())));
                    }
                });
        if (named.isEmpty()) {
            throw new PackException("there are no rows to write to " + target());
        }
        Path folder = Files.createTempDirectory("jspdl-index-");
        try (Storage storage = Storage.open()) {
            List<Path> last = last(storage, folder, named, beside);
            List<String> names = new ArrayList<>();
            named.forEach(each -> names.addAll(options.settings(folder).files(each.shard.number())));
            last.forEach(file -> names.add(String.valueOf(file.getFileName())));
            names().begin(storage, names);
            try {
                context.parallelize(named, named.size())
                        .foreach(this::name); // a task each: one that fails is made again
                for (Path file : last) {
                    put(storage, file, target().resolve(String.valueOf(file.getFileName())));
                }
            } catch (Throwable failure) {
                undo(storage, names, failure);
                throw failure;
            }
        } finally {
            StagedShards.remove(folder);
        }
        try {
            end();
        } catch (StorageException remains) { // such as where nobody may delete: the dataset is complete nevertheless
            LOG.log(
                    Level.WARNING,
                    "what is hidden in " + target() + " could not be removed, and is of no more use",
                    remains);
        }
        return named.stream().map(Named::shard).toList();
    }

    private void undo(Storage storage, List<String> names, Throwable because) {
        try {
            names().undo(storage, names);
        } catch (IOException | RuntimeException remains) { // then readers refuse it by what is hidden
            because.addSuppressed(remains);
        }
    }

    private void name(Named shard) throws IOException {
        Path folder = Files.createTempDirectory("jspdl-shard-");
        try (Storage storage = Storage.open()) {
            PackSettings settings = options.settings(folder);
            List<String> from = settings.files(0);
            List<String> to = settings.files(shard.shard.number());
            for (int i = from.size() - 1; i >= 0; i--) { // what lies beside a shard comes before it
                Path copy = folder.resolve(to.get(i));
                StoredCopy.fetch(storage, attempt(shard.folder).resolve(from.get(i)), copy);
                if (i == 0 && Files.size(copy) != shard.shard.bytes()) {
                    throw new IOException("shard " + to.get(i) + " was written with " + shard.shard.bytes()
                            + " bytes and came back with " + Files.size(copy));
                }
                names().give(storage, to.get(i), name -> put(storage, copy, name));
                Files.delete(copy);
            }
        } finally {
            StagedShards.remove(folder);
        }
    }

    /// What is sent behind all shards, made in a local folder: files beside them, and the index of the dataset
    /// last.
    private List<Path> last(Storage storage, Path folder, List<Named> named, Map<String, String> beside)
            throws IOException {
        PackSettings settings = options.settings(folder);
        for (Named each : named) {
            List<String> from = settings.files(0);
            for (int i = 1; i < from.size(); i++) {
                StoredCopy.fetch(
                        storage,
                        attempt(each.folder).resolve(from.get(i)),
                        folder.resolve(settings.files(each.shard.number()).get(i)));
            }
        }
        List<Path> last = new ArrayList<>();
        for (Map.Entry<String, String> file : beside.entrySet()) {
            last.add(Files.writeString(folder.resolve(file.getKey()), file.getValue(), StandardCharsets.UTF_8));
        }
        Path dataset = folder.resolve(options.prefix() + ".shards.json");
        for (Path file :
                WrittenShard.index(settings, named.stream().map(Named::shard).toList())) {
            if (!file.equals(dataset)) {
                last.add(file);
            }
        }
        last.add(dataset);
        return last;
    }

    /// Removes what is hidden.
    public void end() throws IOException {
        try (Storage storage = Storage.open()) {
            remove(storage);
        }
    }

    private void remove(Storage storage) throws IOException {
        for (Location each : GivenNames.listed(storage, GivenNames.hidden(target()))) {
            storage.delete(each);
        }
    }
}
