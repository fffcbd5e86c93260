package org.jspdl.data.storage;

/// What a storage did so far. Counters of one moment, each correct by itself.
///
/// @param reads     reads that were asked for
/// @param requests  requests sent to other machines for them, repeated ones included; for local files, the reads
/// @param retries   requests that repeated a failed one
/// @param hedged    requests that were sent a second time because the first was slow
/// @param throttled answers that asked us to slow down: 429 and 503
/// @param damaged   answers that were truncated, or not what was asked for
/// @param bytes     bytes received and kept
public record StorageStats(
        long reads, long requests, long retries, long hedged, long throttled, long damaged, long bytes) {
    /// Before the first read.
    public static final StorageStats NONE = new StorageStats(0, 0, 0, 0, 0, 0, 0);

    /// Both together.
    public StorageStats plus(StorageStats other) {
        return new StorageStats(
                reads + other.reads,
                requests + other.requests,
                retries + other.retries,
                hedged + other.hedged,
                throttled + other.throttled,
                damaged + other.damaged,
                bytes + other.bytes);
    }
}
