package org.jspdl.parquet;

import org.jspdl.data.shards.ShardOptions;

/// The bytes of the decompressed pages that are held at once, over all columns of a row group. One thread.
final class PageBudget {
    private final ShardOptions options;
    private long held;

    PageBudget(ShardOptions options) {
        this.options = options;
    }

    /// Counts a page of `bytes` in place of one of `before`.
    ///
    /// @return `bytes`
    /// @throws org.jspdl.input.FormatException if the pages would come to more than a sample may have
    int replace(int before, int bytes) {
        held = options.within(held - before, bytes, "the pages of one row of Parquet");
        return bytes;
    }
}
