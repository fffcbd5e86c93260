package org.jspdl.data.shards;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// What a shard holds.
///
/// @param format  the name of its format
/// @param samples how many
/// @param bytes   the bytes of all fields
/// @param fields  what the samples consist of
/// @param traits  what else the format knows of the shard, in order: such as the row groups of Parquet
public record ShardSummary(
        String format, long samples, long bytes, List<FieldSummary> fields, SequencedMap<String, String> traits) {
    /// A summary without traits.
    public ShardSummary(String format, long samples, long bytes, List<FieldSummary> fields) {
        this(format, samples, bytes, fields, new LinkedHashMap<>());
    }

    /// What is known of one field.
    ///
    /// @param name    as in [ShardSample]
    /// @param kind    what it holds, if the format says so; empty if not
    /// @param samples how many samples have it
    /// @param bytes   all of them together, as stored; -1 if unknown
    public record FieldSummary(String name, String kind, long samples, long bytes) {}
}
