package org.jspdl.data.index;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import org.jspdl.data.storage.Location;
import org.jspdl.files.SafeFolders;
import org.jspdl.json.JsonException;
import org.jspdl.json.JsonReader;
import org.jspdl.json.JsonWriter;

/// How many samples remote shards had in earlier runs, in a file for each dataset below a folder of this user. A number
/// holds as long as the version (an entity tag, or size and time) of what told it. Thread-safe.
///
/// Losing it costs requests, no more: a file that is damaged, or cannot be written, counts as none. Of two processes
/// that save at once the later one wins.
public final class KnownSizes {
    private static final long LARGEST = 1L << 28;

    private final Path file;
    private final Map<String, Known> known = new ConcurrentHashMap<>();
    private volatile boolean changed;

    private record Known(String version, long samples) {}

    private KnownSizes(Path file) {
        this.file = file;
    }

    /// What is known of the dataset that `shard` belongs to.
    ///
    /// @param folder made when something is saved
    public static KnownSizes of(Path folder, Location shard) {
        KnownSizes sizes = new KnownSizes(folder.resolve(hash(shard.parent().key()) + ".json"));
        try {
            if (Files.isRegularFile(sizes.file) && Files.size(sizes.file) <= LARGEST) {
                sizes.parse(JsonReader.utf8(Files.readAllBytes(sizes.file)));
            }
        } catch (IOException | JsonException damaged) {
            sizes.known.clear();
        }
        return sizes;
    }

    private static String hash(String key) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, 20);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private void parse(JsonReader json) {
        json.beginObject();
        while (json.hasNext()) {
            String key = json.nextName();
            json.beginArray();
            known.put(key, new Known(json.nextString(), json.nextLong()));
            json.endArray();
        }
        json.endObject();
        json.endDocument();
    }

    /// How many samples a shard has, if what told it still has this version.
    public OptionalLong samples(Location shard, String version) {
        Known found = known.get(shard.key());
        return found != null && !version.isEmpty() && found.version().equals(version)
                ? OptionalLong.of(found.samples())
                : OptionalLong.empty();
    }

    /// Takes note of a shard.
    public void learn(Location shard, String version, long samples) {
        if (!version.isEmpty()) {
            changed = true;
            known.put(shard.key(), new Known(version, samples));
        }
    }

    /// Writes what was learned; the file appears whole or not at all.
    public void save() {
        if (!changed) {
            return;
        }
        JsonWriter json = JsonWriter.compact().beginObject();
        known.forEach((key, each) ->
                json.beginArray(key).value(each.version()).value(each.samples()).endArray());
        try {
            Path folder = file.toAbsolutePath().getParent();
            if (SafeFolders.hasModes() && folder != null) {
                SafeFolders safe = SafeFolders.ofThisUser();
                safe.make(folder);
                safe.makeOwn(folder);
            }
            Path part = Files.createTempFile(folder, "sizes-", ".part");
            try {
                Files.writeString(part, json.endObject().document(), StandardOpenOption.WRITE);
                Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(part);
            }
            changed = false;
        } catch (IOException unwritable) {
            System.getLogger(KnownSizes.class.getName())
                    .log(System.Logger.Level.DEBUG, "sizes of shards cannot be kept in " + file, unwritable);
        }
    }
}
