package org.jspdl.data.http;

import java.util.Locale;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.StorageException;
import org.jspdl.data.storage.StorageException.Kind;
import org.jspecify.annotations.Nullable;

/// What the responses so far told about an object. Thread-safe.
final class MetadataTracker {
    private volatile @Nullable ObjectMetadata known;
    private volatile long expected = -1;

    /// Says how large the object is by its index.
    void expect(long bytes) {
        expected = bytes;
    }

    /// How large the object is, if that is known without a request; else -1.
    long size() {
        ObjectMetadata metadata = known;
        return metadata == null ? expected : metadata.size();
    }

    @Nullable
    ObjectMetadata known() {
        return known;
    }

    String version() {
        ObjectMetadata metadata = known;
        return metadata == null ? "" : metadata.version();
    }

    /// Takes note of what several responses tell together.
    ObjectMetadata learn(Location object, long size, String version) throws StorageException {
        try {
            return learn(size, version);
        } catch (UnexpectedResponseException contradiction) {
            throw new StorageException(contradiction.kind(), object, contradiction.reason());
        }
    }

    /// Takes note of another response.
    ///
    /// @throws UnexpectedResponseException if it belongs to another version of the object
    synchronized ObjectMetadata learn(long size, String version) throws UnexpectedResponseException {
        ObjectMetadata before = known;
        ObjectMetadata now = new ObjectMetadata(size, version);
        if (before == null && expected >= 0 && expected != size) {
            throw UnexpectedResponseException.permanent(
                    Kind.CHANGED,
                    String.format(
                            Locale.ROOT,
                            "has %,d bytes, but the index of the dataset says %,d; make the index again with 'jspdl"
                                    + " index'",
                            size,
                            expected));
        }
        if (before == null) {
            known = now;
        } else if (!before.equals(now)) {
            throw UnexpectedResponseException.permanent(Kind.CHANGED, "the object was replaced while it was read");
        }
        return now;
    }
}
