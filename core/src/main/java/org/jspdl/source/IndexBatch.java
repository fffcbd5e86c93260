package org.jspdl.source;

import java.util.Arrays;

/// The items of one batch, by index.
///
/// @param indices the items; not to be changed
/// @param length  none of them is longer: what to pad to, so that a bucket's batches have one shape; of a balanced
///     batch, the budget that all of them fit into together
public record IndexBatch(long[] indices, int length) {
    /// How many items there are.
    public int size() {
        return indices.length;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof IndexBatch batch && batch.length == length && Arrays.equals(batch.indices, indices);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(indices) + length;
    }

    @Override
    public String toString() {
        return "batch of " + indices.length + " up to length " + length;
    }
}
