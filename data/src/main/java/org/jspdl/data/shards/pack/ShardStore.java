package org.jspdl.data.shards.pack;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StorageException;
import org.jspdl.data.storage.StoredObject;
import org.jspdl.files.MappedInput;

/// Where complete shards go: they stay in the folder in which they were written, or are sent to another storage.
///
/// @param storage reaches all that is remote
record ShardStore(PackSettings settings, Storage storage) {

    /// Makes sure that shards can be written.
    void require() throws IOException {
        Files.createDirectories(settings.folder());
        if (settings.isSent()) {
            storage.requireWritable(settings.to());
        }
    }

    /// Gives a complete file its name, `file`, and sends it; then it is there whole, or not at all.
    void publish(Path part, Path file) throws IOException {
        if (settings.isSent()) {
            send(part, String.valueOf(file.getFileName()));
        }
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /// The same of a file that is not needed here once it was sent.
    void publishAlone(Path part, Path file) throws IOException {
        if (settings.isSent()) {
            send(part, String.valueOf(file.getFileName()));
            Files.delete(part);
        } else {
            publish(part, file);
        }
    }

    /// Sends a local file.
    void send(Path file, String name) throws IOException {
        try (MappedInput mapped = MappedInput.open(file)) {
            storage.put(settings.to().resolve(name), mapped.bytes());
            mapped.requireWhole();
        }
    }

    /// Whether a shard that was packed before is still there.
    boolean isThere(PackJournal.Packed packed) throws IOException {
        return size(settings.shard(packed.shard())) == packed.bytes()
                && (settings.format().isPresent() || Files.exists(settings.index(packed.shard())));
    }

    /// A file that has a name that a shard could get; of a store elsewhere the first shard alone is looked for.
    Optional<Location> anyShard() throws IOException {
        if (size(settings.shard(0)) >= 0) {
            return Optional.of(settings.shard(0));
        }
        if (!settings.isSent()) {
            try (DirectoryStream<Path> inside = Files.newDirectoryStream(settings.folder())) {
                for (Path each : inside) {
                    if (settings.isShard(String.valueOf(each.getFileName()))) {
                        return Optional.of(Location.of(each));
                    }
                }
            }
        }
        return Optional.empty();
    }

    /// How many bytes an object has; -1 if there is none.
    long size(Location location) throws IOException {
        if (!location.isRemote()) {
            return Files.exists(location.path()) ? Files.size(location.path()) : -1;
        }
        try (StoredObject object = storage.object(location)) {
            return object.size();
        } catch (StorageException absent) {
            if (absent.kind() == StorageException.Kind.MISSING) {
                return -1;
            }
            throw absent;
        }
    }
}
