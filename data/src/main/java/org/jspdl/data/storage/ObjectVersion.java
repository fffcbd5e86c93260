package org.jspdl.data.storage;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

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
            throw new StorageException(
                    StorageException.Kind.CHANGED, location, "was listed, and is gone or replaced: " + gone, gone);
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
                    StorageException.Kind.CHANGED,
                    object.location(),
                    "has changed since the dataset was listed (its version is now " + version
                            + "), and what comes of it would not be of one snapshot: start again, with the dataset as it"
                            + " is now");
        }
    }
}
