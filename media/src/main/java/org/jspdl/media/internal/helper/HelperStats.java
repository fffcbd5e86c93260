package org.jspdl.media.internal.helper;

/// What a pool has seen.
///
/// @param started  processes that were started
/// @param crashed  those that ended while they were called
/// @param overran  those that exceeded their deadline
/// @param mostWait the longest that a caller waited for a helper after one was lost, in nanoseconds
public record HelperStats(long started, long crashed, long overran, long mostWait) {}
