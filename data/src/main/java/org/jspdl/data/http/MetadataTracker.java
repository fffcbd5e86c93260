package org.jspdl.data.http;

import org.jspdl.data.storage.StorageException.Kind;
import org.jspecify.annotations.Nullable;

/// What the responses so far told about an object. Thread-safe.
final class MetadataTracker {
    private volatile @Nullable ObjectMetadata known;

    @Nullable
    ObjectMetadata known() {
        return known;
    }

    String version() {
        ObjectMetadata metadata = known;
        return metadata == null ? "" : metadata.version();
    }

    /// Takes note of another response.
    ///
    /// @throws UnexpectedResponseException if it belongs to another version of the object
    synchronized ObjectMetadata learn(long size, String version) throws UnexpectedResponseException {
        ObjectMetadata before = known;
        ObjectMetadata now = new ObjectMetadata(size, version);
        if (before == null) {
            known = now;
        } else if (!before.equals(now)) {
            throw UnexpectedResponseException.permanent(Kind.CHANGED, "the object was replaced while it was read");
        }
        return now;
    }
}
