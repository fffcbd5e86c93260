package org.jspdl.data.cache;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// What an [OpenedCache] is like at a moment. Immutable.
///
/// @param folder     where it is; empty for one in memory
/// @param heldBytes  what is in it, by all processes together
/// @param limitBytes never holds more
/// @param freeBytes  what is free on its disk; empty for one in memory, or if that is not known
/// @param peers      whose caches are asked before the store; empty if none are
/// @param served     how others read it; empty if they do not
public record CacheSetup(
        Optional<Path> folder,
        long heldBytes,
        long limitBytes,
        OptionalLong freeBytes,
        Optional<Peers> peers,
        Optional<Served> served) {

    /// Caches that are asked.
    ///
    /// @param addresses as they were given
    /// @param machines  how many these are, as far as is known now
    /// @param patience  how long one may take to begin its answer
    /// @param hasToken  whether requests carry one
    public record Peers(List<String> addresses, int machines, Duration patience, boolean hasToken) {
        /// Copies the addresses.
        public Peers {
            addresses = List.copyOf(addresses);
        }
    }

    /// How others read a cache.
    ///
    /// @param hasToken whether they need one
    /// @param here     whether this process answers them, and not another of this machine
    public record Served(String host, int port, boolean hasToken, boolean here) {}
}
