package org.jspdl.spark;

import java.io.Serializable;
import java.nio.file.Path;
import org.jspdl.data.shards.pack.StagedShards;

/// Where a job writes, as the driver tells its tasks.
///
/// @param options where and what
/// @param id      of the job
record JobFolder(WriteOptions options, String id) implements Serializable {
    /// Where the shards are in the end.
    Path target() {
        return Path.of(options.folder());
    }

    /// The place where the job's attempts write.
    StagedShards staged() {
        return new StagedShards(options.settings(target()), options.overwrites(), id);
    }
}
