package org.jspdl.pipeline.internal.lineage;

import org.jspecify.annotations.Nullable;

/// A batch whose elements are under way one by one.
public interface ElementBatch {
    /// What the batch comes from.
    Lineage whole();

    /// Puts an element in its place.
    void set(int index, Object value);

    /// Takes an element out again; null if it isn't there. Of several threads one gets it.
    @Nullable
    Object remove(int index);

    /// Records that an element was skipped, before its [#missing]. Called with the ledger's lock held.
    void failed(FailureCount count);

    /// Records that nothing more comes for an element. Takes no lock, because the ledger calls it with its own
    /// held.
    void missing(int index);
}
