package org.jspdl.data.cache;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Whose caches are asked before a store is, and how. Immutable.
///
/// @param peers    addresses such as `http://trainer-3:7070`, or `dns:///trainers:7070` for a name with an address for
///     each machine, which is looked up again every 5 s
/// @param token    what requests carry; empty for none
/// @param patience how long a peer may take to begin its answer; all peers together are asked for about as long
/// @param slowest  bytes a second that an answer comes with at least, or it is given up
public record CachePeersOptions(List<String> peers, Optional<String> token, Duration patience, long slowest) {
    /// @throws IllegalArgumentException if a value makes no sense, which it names
    public CachePeersOptions {
        peers = List.copyOf(peers);
        if (peers.isEmpty()) {
            throw new IllegalArgumentException("peers must name at least one address");
        }
        CacheServerOptions.requireToken(token);
        if (!patience.isPositive() || patience.compareTo(Duration.ofMinutes(1)) > 0) {
            throw new IllegalArgumentException("patience must be above 0 and at most 1 minute but was " + patience);
        }
        if (slowest < 1) {
            throw new IllegalArgumentException("slowest must be at least 1 but was " + slowest);
        }
    }

    /// A quarter of a second for the beginning of an answer, and 20 MB/s from there on; no token.
    public static CachePeersOptions of(List<String> peers) {
        return new CachePeersOptions(peers, Optional.empty(), Duration.ofMillis(250), 20_000_000);
    }

    /// The same with another token.
    public CachePeersOptions token(String other) {
        return new CachePeersOptions(peers, Optional.of(other), patience, slowest);
    }

    /// The same with another patience.
    public CachePeersOptions patience(Duration other) {
        return new CachePeersOptions(peers, token, other, slowest);
    }

    /// The same with another least speed, in bytes a second.
    public CachePeersOptions slowest(long bytesPerSecond) {
        return new CachePeersOptions(peers, token, patience, bytesPerSecond);
    }

    /// Without the token.
    @Override
    public String toString() {
        return "CachePeersOptions[" + String.join(", ", peers) + ", patience " + patience + "]";
    }
}
