package org.jspdl.spark.internal;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspdl.data.index.ShardFolder;
import org.jspdl.data.storage.ListedObject;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StorageException;
import org.jspdl.data.storage.StoredObject;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Lease;

/// The names that a job gives to objects in its target, the index last, listed in a hidden object before the first is
/// given. So a job that fails takes back its own, and one that was killed is found out by the next: its names are there
/// without the last of them.
///
/// @param target folder of the shards
/// @param id     of the job
record GivenNames(Location target, String id) {
    private static final String LIST = "names";
    private static final long MOST_BYTES = 256L << 20;

    /// Where jobs hide what they write.
    static Location hidden(Location target) {
        return target.resolve(ShardFolder.UNFINISHED);
    }

    /// All below a folder; nothing where there is no such folder, as stores have no empty ones.
    static List<Location> listed(Storage storage, Location folder) throws IOException {
        try (Stream<ListedObject> listed = storage.list(folder)) {
            return listed.map(ListedObject::location).toList();
        } catch (UncheckedIOException unlisted) {
            return none(requireNonNull(unlisted.getCause()));
        } catch (StorageException unlisted) {
            return none(unlisted);
        }
    }

    private static List<Location> none(IOException failure) throws IOException {
        if (failure instanceof StorageException unlisted && unlisted.kind() == StorageException.Kind.MISSING) {
            return List.of();
        }
        throw failure;
    }

    /// What is in a folder beside what jobs hide there, and what those that were killed named.
    static List<Location> others(Storage storage, Location target) throws IOException {
        List<Location> all = listed(storage, target);
        Set<Location> left = left(storage, target, all);
        String hidden = hidden(target).text() + "/";
        return all.stream()
                .filter(each -> !each.text().startsWith(hidden) && !left.contains(each))
                .toList();
    }

    /// Deletes what jobs that were killed have named.
    static void removeLeft(Storage storage, Location target) throws IOException {
        List<Location> all = listed(storage, target);
        Set<Location> left = left(storage, target, all);
        for (Location each : all) {
            if (left.contains(each)) {
                storage.delete(each);
            }
        }
    }

    private static Set<Location> left(Storage storage, Location target, List<Location> all) throws IOException {
        Set<Location> left = new HashSet<>();
        String hidden = hidden(target).text() + "/";
        for (Location each : all) {
            if (each.text().startsWith(hidden) && each.name().endsWith("/" + LIST)) {
                List<Location> names = text(storage, each)
                        .lines()
                        .filter(name -> name.indexOf('/') < 0)
                        .map(target::resolve)
                        .toList();
                if (!names.isEmpty() && !all.contains(names.getLast())) {
                    left.addAll(names);
                }
            }
        }
        return left;
    }

    private static String text(Storage storage, Location list) throws IOException {
        try (BufferPool pool = BufferPool.unbounded("names of shards");
                StoredObject object = storage.object(list);
                Lease content = object.readAll(pool, MOST_BYTES)) {
            return new String(content.segment().toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
        }
    }

    private Location list() {
        return hidden(target).resolve(id).resolve(LIST);
    }

    /// Before the first name is given.
    void begin(Storage storage, List<String> names) throws IOException {
        byte[] lines = names.stream().collect(Collectors.joining("\n")).getBytes(StandardCharsets.UTF_8);
        storage.put(list(), MemorySegment.ofArray(lines));
    }

    /// Sends an object to its name.
    @FunctionalInterface
    interface Sending {
        void send(Location name) throws IOException;
    }

    /// Gives a name, unless the job has ended meanwhile: a task may outlive it.
    ///
    /// @throws IOException if it has; then there is no such name
    void give(Storage storage, String name, Sending sending) throws IOException {
        Location given = target.resolve(name);
        sending.send(given);
        try (StoredObject object = storage.object(list())) {
            object.size();
        } catch (StorageException ended) {
            if (ended.kind() == StorageException.Kind.MISSING) {
                storage.delete(given);
                throw new IOException("the job has ended before " + given + " was sent, which was removed", ended);
            }
            throw ended;
        }
    }

    /// Takes all names back; tasks that still give some take back theirs.
    void undo(Storage storage, List<String> names) throws IOException {
        storage.delete(list());
        for (String name : names.reversed()) { // the index first, by which readers know the rest
            storage.delete(target.resolve(name));
        }
    }
}
