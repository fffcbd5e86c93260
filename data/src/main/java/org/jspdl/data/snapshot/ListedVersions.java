package org.jspdl.data.snapshot;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.stream.Stream;
import org.jspdl.data.storage.ListedObject;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.ObjectVersion;
import org.jspdl.data.storage.Storage;

/// Versions by the names of objects, in a table of two numbers for each: names are hashes of 64 bits, of which ten
/// million collide with a chance of 3 in a million, and then have no version.
final class ListedVersions {
    private static final int LEAST = 1 << 10;
    private static final long NO_NAME = 0;

    private long[] names = new long[LEAST];
    private long[] versions = new long[LEAST];
    private int count;

    /// Takes note of all objects below a folder.
    void list(Storage storage, Location folder) throws IOException {
        try (Stream<ListedObject> listed = storage.list(folder)) {
            for (Iterator<ListedObject> each = listed.iterator(); each.hasNext(); ) {
                ListedObject object = each.next();
                long version = ObjectVersion.hash(object.version());
                if (version != ObjectVersion.UNKNOWN) {
                    add(name(object.location()), version);
                }
            }
        } catch (UncheckedIOException unlisted) {
            throw unlisted.getCause();
        }
    }

    private static long name(Location location) {
        long hash = ObjectVersion.hash(location.text());
        return hash == NO_NAME ? 1 : hash;
    }

    private void add(long name, long version) {
        if (count * 5L > names.length * 3L) {
            grow();
        }
        int at = place(name);
        if (names[at] == NO_NAME) {
            names[at] = name;
            versions[at] = version;
            count++;
        } else {
            versions[at] = ObjectVersion.UNKNOWN;
        }
    }

    private void grow() {
        long[] oldNames = names;
        long[] oldVersions = versions;
        names = new long[Math.multiplyExact(oldNames.length, 2)];
        versions = new long[names.length];
        for (int i = 0; i < oldNames.length; i++) {
            if (oldNames[i] != NO_NAME) {
                int at = place(oldNames[i]);
                names[at] = oldNames[i];
                versions[at] = oldVersions[i];
            }
        }
    }

    /// Where a name is, or belongs.
    private int place(long name) {
        int mask = names.length - 1;
        int at = (int) (name ^ (name >>> 32)) & mask;
        while (names[at] != NO_NAME && names[at] != name) {
            at = (at + 1) & mask;
        }
        return at;
    }

    /// The version of an object; [ObjectVersion#UNKNOWN] if none was listed.
    long version(Location location) {
        int at = place(name(location));
        return names[at] == NO_NAME ? ObjectVersion.UNKNOWN : versions[at];
    }
}
