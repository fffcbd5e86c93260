package org.jspdl.spark.internal;

import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaSparkContext;
import org.jspdl.data.shards.pack.PackSettings;
import org.jspdl.data.shards.pack.StagedShards;
import org.jspdl.data.shards.pack.WrittenShard;
import org.jspdl.data.storage.ListedObject;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StorageException;

/// Shards in an object store, which renames nothing. Attempts send what they wrote below a hidden name, `.jspdl`, in
/// the target; when all are there, tasks copy the shards that count to their names, which only then are known, and the
/// driver sends the index last. So a job that fails leaves nothing that anybody reads, and each attempt is by itself.
/// A driver that is killed while shards get their names leaves some without an index.
///
/// What a killed job left hidden is removed by the next one with the same target; two at a time disturb each other.
/// Immutable; goes to the executors.
///
/// @param options where and what
/// @param id      of the job, which no other has
public record StoredShards(WriteOptions options, String id) implements Serializable {
    private static final System.Logger LOG = System.getLogger(StoredShards.class.getName());
    private static final String HIDDEN = ".jspdl";

    private Location target() {
        return Location.of(options.folder());
    }

    private Location hidden() {
        return target().resolve(HIDDEN);
    }

    private Location attempt(String name) {
        return hidden().resolve(id).resolve(name);
    }

    /// Whether something is in the folder beside what jobs hide.
    public static boolean isThere(Location folder) throws IOException {
        try (Storage storage = Storage.open();
                Stream<ListedObject> listed = storage.list(folder)) {
            String hidden = folder.resolve(HIDDEN).text() + "/";
            return listed.anyMatch(each -> !each.location().text().startsWith(hidden));
        } catch (UncheckedIOException unlisted) {
            throw unlisted.getCause();
        }
    }

    /// Before any attempt begins.
    ///
    /// @throws IOException if it can't be written to
    public void begin() throws IOException {
        try (Storage storage = Storage.open()) {
            storage.requireWritable(target());
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
        try (Arena arena = Arena.ofShared();
                FileChannel channel = FileChannel.open(file)) {
            storage.put(to, channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena));
        }
    }

    /// One shard that gets its name.
    ///
    /// @param folder of the attempt
    /// @param shard  with its number
    private record Named(String folder, WrittenShard shard) implements Serializable {}

    /// Gives all shards their names, numbered in the order of the parts, and then sends the index.
    ///
    /// @throws IOException if there are none, or one can't be copied
    public void commit(JavaSparkContext context, List<StagedShards.Part> parts) throws IOException {
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
            throw new IOException("there are no rows to write to " + target());
        }
        context.parallelize(named, named.size()).foreach(this::name); // a task each, for one that fails is made again
        index(named);
        try {
            end();
        } catch (StorageException remains) { // such as where nobody may delete: the dataset is complete nevertheless
            LOG.log(Level.WARNING, "what " + hidden() + " holds could not be removed, and is of no more use", remains);
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
                put(storage, copy, target().resolve(to.get(i)));
                Files.delete(copy);
            }
        } finally {
            StagedShards.remove(folder);
        }
    }

    private void index(List<Named> named) throws IOException {
        Path folder = Files.createTempDirectory("jspdl-index-");
        try (Storage storage = Storage.open()) {
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
            List<Path> files = WrittenShard.index(
                    settings, named.stream().map(Named::shard).toList());
            Path dataset = folder.resolve(options.prefix() + ".shards.json");
            for (Path file : files) {
                if (!file.equals(dataset)) {
                    put(storage, file, target().resolve(String.valueOf(file.getFileName())));
                }
            }
            put(storage, dataset, target().resolve(String.valueOf(dataset.getFileName())));
        } finally {
            StagedShards.remove(folder);
        }
    }

    /// Removes what is hidden.
    public void end() throws IOException {
        try (Storage storage = Storage.open()) {
            remove(storage);
        }
    }

    private void remove(Storage storage) throws IOException {
        List<Location> hidden;
        try (Stream<ListedObject> listed = storage.list(hidden())) {
            hidden = listed.map(ListedObject::location).toList();
        } catch (UncheckedIOException unlisted) {
            throw unlisted.getCause();
        }
        for (Location each : hidden) {
            storage.delete(each);
        }
    }
}
