package org.jspdl.data.shards.pack;

/// What lies in the folder after packing.
///
/// @param shards   how many
/// @param samples  in all of them
/// @param bytes    of the shards, without their indexes
/// @param found    shards that were complete before, and left as they were
/// @param complete whether all of the input is packed; not if the work was interrupted
/// @param pattern  what reads them: a location with braces
public record PackResult(long shards, long samples, long bytes, long found, boolean complete, String pattern) {}
