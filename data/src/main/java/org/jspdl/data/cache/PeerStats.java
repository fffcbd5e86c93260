package org.jspdl.data.cache;

/// What the caches of other machines gave. Counters of one moment, each correct by itself.
///
/// @param requests sent to peers
/// @param hits     pieces that a peer had, each of which the store was not asked for
/// @param bytes    of those pieces
/// @param refused  answers that were not what was asked for, by status, length, checksum or name, and were not used
/// @param failed   requests that were not answered in time, or not at all
public record PeerStats(long requests, long hits, long bytes, long refused, long failed) {}
