package org.jspdl.spark.internal;

import java.io.Serializable;
import java.nio.file.Path;
import org.jspdl.data.shards.pack.StagedShards;

/// Where a job writes, as the driver tells its tasks.
///
/// @param options where and what
/// @param id      of the job
public record JobFolder(WriteOptions options, String id) implements Serializable {
    /// Where the shards are in the end.
    public Path target() {
        return Path.of(options.folder());
    }

    /// The place where the job's attempts write.
    public StagedShards staged() {
        return new StagedShards(options.settings(target()), options.overwrites(), id);
    }
}
