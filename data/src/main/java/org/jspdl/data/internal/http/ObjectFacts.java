package org.jspdl.data.internal.http;

import org.jspdl.data.storage.StorageException.Kind;
import org.jspecify.annotations.Nullable;

/// What the answers so far told about an object. Thread-safe.
final class ObjectFacts {
    private volatile @Nullable Facts known;

    /// @param version empty if the server does not say
    record Facts(long size, String version) {}

    @Nullable
    Facts known() {
        return known;
    }

    String version() {
        Facts facts = known;
        return facts == null ? "" : facts.version();
    }

    /// Takes note of another answer.
    ///
    /// @throws Refusal if it belongs to another version of the object
    synchronized Facts learn(long size, String version) throws Refusal {
        Facts before = known;
        Facts now = new Facts(size, version);
        if (before == null) {
            known = now;
        } else if (!before.equals(now)) {
            throw Refusal.forGood(Kind.CHANGED, "the object was replaced while it was read");
        }
        return now;
    }
}
