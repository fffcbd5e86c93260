package org.jspdl.data.shards.filter;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import org.jspdl.data.storage.Location;

/// What the names of the folders above a shard say of its samples: `year=2026/lang=de/part-0.parquet`, as Hive, Spark
/// and DuckDB write partitioned tables.
///
/// Only folders directly above the shard count, up to the first that is called otherwise. `%2F` and the like are
/// decoded.
public final class PartitionFolders {
    private static final Set<String> NULLS = Set.of("__HIVE_DEFAULT_PARTITION__", "NULL");

    private PartitionFolders() {}

    /// The values by the names of their columns, from the outermost folder; empty for what Hive and DuckDB (`NULL`)
    /// write for null.
    public static SequencedMap<String, Optional<byte[]>> of(Location shard) {
        String[] names = shard.name().split("/");
        Deque<String> folders = new ArrayDeque<>();
        for (int i = names.length - 2; i >= 0 && names[i].indexOf('=') > 0; i--) {
            folders.addFirst(names[i]);
        }
        SequencedMap<String, Optional<byte[]>> values = new LinkedHashMap<>();
        for (String folder : folders) {
            int equals = folder.indexOf('=');
            String value = folder.substring(equals + 1);
            values.put(
                    new String(decoded(folder.substring(0, equals)), StandardCharsets.UTF_8),
                    NULLS.contains(value) ? Optional.empty() : Optional.of(decoded(value)));
        }
        return values;
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
}
