package org.jspdl.data.shards;

import java.util.List;

/// What a shard holds.
///
/// @param format  the name of its format
/// @param samples how many
/// @param bytes   the bytes of all fields
/// @param fields  what the samples consist of
public record ShardSummary(String format, long samples, long bytes, List<FieldSummary> fields) {
    /// What is known of one field.
    ///
    /// @param name    as in [ShardSample]
    /// @param kind    what it holds, if the format says so; empty if not
    /// @param samples how many samples have it
    /// @param bytes   all of them together, as stored; -1 if unknown
    public record FieldSummary(String name, String kind, long samples, long bytes) {}
}
