package org.jspdl.data.shards;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspdl.data.dataset.DatasetException;
import org.jspdl.data.shards.filter.PartitionFolders;
import org.jspdl.data.storage.Location;

/// What the names of the folders above a shard say of its samples: `year=2026/lang=de/part-0.parquet`, as Hive, Spark
/// and DuckDB write partitioned tables. Each is a field of text, unless the shard has a field of that name.
///
/// See [PartitionFolders] for which folders count. What stands for null is no field.
///
/// @param names of all of them, also those that stand for null
record FolderValues(Map<String, MemorySegment> fields, Set<String> names) {
    static FolderValues of(Location shard) {
        Map<String, MemorySegment> fields = new LinkedHashMap<>();
        Map<String, Optional<byte[]>> folders = PartitionFolders.of(shard);
        folders.forEach((name, value) -> value.ifPresent(text -> {
            // samples outlive the reader of their shard, and share these few bytes
            MemorySegment bytes =
                    Arena.ofAuto().allocate(Math.max(1, text.length)).asSlice(0, text.length);
            fields.put(name, bytes.copyFrom(MemorySegment.ofArray(text)));
        }));
        return new FolderValues(Collections.unmodifiableMap(fields), folders.keySet());
    }

    /// Those that are wanted.
    FolderValues wanted(ShardOptions options) {
        Map<String, MemorySegment> wanted = new LinkedHashMap<>(fields);
        wanted.keySet().removeIf(name -> !options.wants(name));
        return new FolderValues(Collections.unmodifiableMap(wanted), names);
    }

    /// Refuses to read nothing of the shard itself.
    ///
    /// @throws DatasetException if all columns are names of folders
    void check(ShardOptions options) throws DatasetException {
        if (!options.columns().isEmpty() && names.containsAll(options.columns())) {
            throw new DatasetException(
                    "the columns " + options.columns() + " are names of folders alone; add a field of the shards");
        }
    }

    /// Adds the fields that the sample lacks.
    void addTo(ShardSample sample) {
        fields.forEach((name, value) -> {
            if (!sample.has(name)) {
                sample.with(name, value);
            }
        });
    }
}
