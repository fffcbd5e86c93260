package org.jspdl.data.shards;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspdl.data.dataset.DatasetException;
import org.jspdl.data.shards.filter.PartitionFolders;
import org.jspdl.data.storage.Location;

/// What the names of the folders above a shard say of its samples: `year=2026/lang=de/part-0.parquet`, as Hive, Spark
/// and DuckDB write partitioned tables. Each is a field of text, unless the shard has a field of that name.
///
/// See [PartitionFolders] for which folders count. What stands for null is no field.
record FolderValues(Map<String, MemorySegment> fields) {
    static FolderValues of(Location shard) {
        Map<String, MemorySegment> fields = new LinkedHashMap<>();
        PartitionFolders.of(shard)
                .forEach((name, value) -> value.ifPresent(text -> {
                    // samples outlive the reader of their shard, and share these few bytes
                    MemorySegment bytes =
                            Arena.ofAuto().allocate(Math.max(1, text.length)).asSlice(0, text.length);
                    fields.put(name, bytes.copyFrom(MemorySegment.ofArray(text)));
                }));
        return new FolderValues(Collections.unmodifiableMap(fields));
    }

    /// Those that are wanted.
    FolderValues wanted(ShardOptions options) {
        Map<String, MemorySegment> wanted = new LinkedHashMap<>(fields);
        wanted.keySet().removeIf(name -> !options.wants(name));
        return new FolderValues(Collections.unmodifiableMap(wanted));
    }

    /// What is read of the shard itself.
    ///
    /// @throws DatasetException if that is nothing
    ShardOptions without(ShardOptions options) throws DatasetException {
        String[] others = options.columns().stream()
                .filter(column -> !fields.containsKey(column))
                .toArray(String[]::new);
        if (others.length == 0 && !options.columns().isEmpty()) {
            throw new DatasetException(
                    "the columns " + options.columns() + " are names of folders alone; add a field of the shards");
        }
        return others.length == options.columns().size()
                ? options
                : options.absent() ? options.columnsIfPresent(others) : options.columns(others);
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
