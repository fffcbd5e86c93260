package org.jspdl.data.storage;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspdl.data.storage.StorageException.Kind;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Lease;

/// Versions of objects as numbers that are kept in large amounts, and compared. Quotes, which some listings leave out,
/// don't count.
public final class ObjectVersion {
    /// What is known of an object whose storage tells no version.
    public static final long UNKNOWN = 0;

    private static final long BASIS = 0xcbf2_9ce4_8422_2325L;
    private static final long PRIME = 0x100_0000_01b3L;

    private ObjectVersion() {}

    /// The version of a local file, as [StoredObject#version] tells it: its size and the time of its last change.
    public static String ofFile(Path file) throws IOException {
        return of(Files.readAttributes(file, BasicFileAttributes.class));
    }

    static String of(BasicFileAttributes attributes) {
        return attributes.size() + "-" + attributes.lastModifiedTime().toMillis();
    }

    /// A version as 64 bits, by FNV-1a; [#UNKNOWN] for the empty one.
    public static long hash(String version) {
        String plain = version.startsWith("W/") ? version.substring(2) : version;
        plain = plain.replace("\"", "");
        if (plain.isEmpty()) {
            return UNKNOWN;
        }
        long hash = BASIS;
        for (byte each : plain.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (each & 0xff)) * PRIME;
        }
        return hash == UNKNOWN ? 1 : hash;
    }

    /// Of a local file what the disk says now: it may be written to while it is open.
    private static String now(StoredObject object) throws IOException {
        Location location = object.location();
        if (location.isRemote()) {
            return object.version();
        }
        try {
            return ofFile(location.anyPath());
        } catch (StorageException noPath) {
            throw noPath;
        } catch (IOException gone) {
            throw new StorageException(Kind.CHANGED, location, "was listed, and is gone or replaced: " + gone, gone);
        }
    }

    /// Makes sure that an object that was read is of the version that was listed.
    ///
    /// @param listed its hash, or [#UNKNOWN]
    /// @throws StorageException if it is another
    public static void require(StoredObject object, long listed) throws IOException {
        if (listed == UNKNOWN) {
            return;
        }
        String version = now(object);
        if (hash(version) != listed) {
            throw new StorageException(
                    Kind.CHANGED,
                    object.location(),
                    "has changed since the dataset was listed (its version is now " + version
                            + "), and what comes of it would not be of one snapshot: start again, with the dataset as it"
                            + " is now");
        }
    }

    /// Reads an object that must be of the version that was listed.
    ///
    /// @param listed its hash, or [#UNKNOWN]
    /// @throws StorageException if it is another or gone, also where that is why it can't be read
    public static Lease readAll(Storage storage, Location location, BufferPool pool, long limitBytes, long listed)
            throws IOException {
        try (StoredObject object = storage.object(location)) {
            Lease lease = object.readAll(pool, limitBytes);
            try {
                require(object, listed);
                return lease;
            } catch (Throwable other) {
                lease.close();
                throw other;
            }
        } catch (IOException unread) {
            throw reason(location, listed, unread);
        }
    }

    /// Why an object could not be read: that it has changed or gone since it was listed, which is no failure of its
    /// own, or what was thrown. Of objects in stores their reads say that they have changed.
    ///
    /// @param listed its hash, or [#UNKNOWN]
    public static IOException reason(Location location, long listed, IOException thrown) {
        if (listed == UNKNOWN || (thrown instanceof StorageException known && known.kind() == Kind.CHANGED)) {
            return thrown;
        }
        if (thrown instanceof StorageException missing && missing.kind() == Kind.MISSING) {
            return new StorageException(
                    Kind.CHANGED, location, "was listed, and is gone: " + missing.getMessage(), missing);
        }
        if (location.isRemote()) {
            return thrown;
        }
        try {
            if (hash(ofFile(location.anyPath())) == listed) {
                return thrown;
            }
        } catch (IOException unknown) {
            thrown.addSuppressed(unknown);
            return thrown;
        }
        return new StorageException(
                Kind.CHANGED,
                location,
                "has changed since the dataset was listed, and cannot be read as it is: " + thrown.getMessage(),
                thrown);
    }
}
