package org.jspdl.data.shards;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspdl.data.dataset.DatasetException;
import org.jspdl.data.storage.Location;

/// What the names of the folders above a shard say of its samples: `year=2026/lang=de/part-0.parquet`, as Hive, Spark
/// and DuckDB write partitioned tables. Each is a field of text, unless the shard has a field of that name.
///
/// Only folders directly above the shard count, up to the first that is called otherwise. `%2F` and the like are
/// decoded. What Hive and DuckDB (`NULL`) write for null is no field.
record FolderValues(Map<String, MemorySegment> fields) {
    private static final Set<String> NULLS = Set.of("__HIVE_DEFAULT_PARTITION__", "NULL");

    static FolderValues of(Location shard) {
        String[] names = shard.name().split("/");
        Deque<String> folders = new ArrayDeque<>();
        for (int i = names.length - 2; i >= 0 && names[i].indexOf('=') > 0; i--) {
            folders.addFirst(names[i]);
        }
        Map<String, MemorySegment> fields = new LinkedHashMap<>();
        for (String folder : folders) {
            int equals = folder.indexOf('=');
            String value = folder.substring(equals + 1);
            if (!NULLS.contains(value)) {
                byte[] text = decoded(value);
                // samples outlive the reader of their shard, and share these few bytes
                MemorySegment bytes =
                        Arena.ofAuto().allocate(Math.max(1, text.length)).asSlice(0, text.length);
                fields.put(
                        new String(decoded(folder.substring(0, equals)), StandardCharsets.UTF_8),
                        bytes.copyFrom(MemorySegment.ofArray(text)));
            }
        }
        return new FolderValues(Collections.unmodifiableMap(fields));
    }

    private static byte[] decoded(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int length = 0;
        for (int i = 0; i < bytes.length; i++) {
            int high = bytes[i] == '%' && i + 2 < bytes.length ? Character.digit(bytes[i + 1], 16) : -1;
            int low = high >= 0 ? Character.digit(bytes[i + 2], 16) : -1;
            bytes[length++] = low < 0 ? bytes[i] : (byte) (high << 4 | low);
            i += low < 0 ? 0 : 2;
        }
        return Arrays.copyOf(bytes, length);
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
