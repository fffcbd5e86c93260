package org.jspdl.cli.run;

import java.util.Locale;
import java.util.Optional;
import org.jspdl.data.cache.CacheStats;
import org.jspdl.data.cache.CachedStorage;
import org.jspdl.data.cache.PeerStats;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StorageStats;
import org.jspdl.observe.text.Figures;

/// What it took to read the files of a run.
///
/// @param cache empty without one
/// @param peers empty if no other machine's cache was asked
record Reading(StorageStats storage, Optional<CacheStats> cache, Optional<PeerStats> peers) {

    static Reading of(Storage storage) {
        return storage instanceof CachedStorage cached
                ? new Reading(storage.stats(), Optional.of(cached.cacheStats()), cached.peerStats())
                : new Reading(storage.stats(), Optional.empty(), Optional.empty());
    }

    /// One line; empty if nothing was repeated.
    String repeated() {
        return storage.retries() == 0
                ? ""
                : Figures.count(storage.retries()) + " of " + Figures.count(storage.requests()) + " requests";
    }

    static String text(PeerStats peers) {
        String trouble = peers.refused() + peers.failed() == 0
                ? ""
                : "; " + Figures.count(peers.failed()) + " were not answered in time, " + Figures.count(peers.refused())
                        + " answers were refused";
        return Figures.bytes(peers.bytes()) + " in " + Figures.count(peers.hits()) + " of "
                + Figures.count(peers.requests()) + " requests" + trouble;
    }

    static String text(CacheStats cache) {
        String trouble = cache.failed() + cache.damaged() == 0
                ? ""
                : ", " + Figures.count(cache.failed()) + " could not be written, " + Figures.count(cache.damaged())
                        + " were damaged";
        return String.format(
                Locale.ROOT,
                "%.1f %% of %s reads   (%s of %s used%s)",
                100 * cache.hitRate(),
                Figures.count(cache.hits() + cache.misses()),
                Figures.bytes(cache.bytes()),
                Figures.bytes(cache.budgetBytes()),
                trouble);
    }
}
