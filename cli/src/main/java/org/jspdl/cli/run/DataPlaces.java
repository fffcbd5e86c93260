package org.jspdl.cli.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspdl.data.cache.CacheNotes;
import org.jspdl.data.cache.CacheSetup;
import org.jspdl.data.storage.Location;
import org.jspdl.observe.text.Figures;

/// Where the data of a run comes from and what keeps it, for a person, before the run. Immutable.
///
/// @param lines       without ends
/// @param memoryBytes the limits of all caches in memory
record DataPlaces(List<String> lines, long memoryBytes) {
    /// Nothing is known.
    static final DataPlaces UNKNOWN = new DataPlaces(List.of(), 0);

    DataPlaces {
        lines = List.copyOf(lines);
    }

    /// What is known of `sources` now: what is in their caches, and which peers are found.
    static DataPlaces of(List<CacheNotes.Source> sources) {
        List<String> lines = new ArrayList<>();
        long memory = 0;
        for (CacheNotes.Source source : sources) {
            line(lines, "from", source.data().toString());
            if (source.cache().isEmpty()) {
                line(lines, "kept in", "no cache: " + read(source.data()));
                continue;
            }
            CacheSetup setup = source.cache().get().setup();
            memory += setup.folder().isEmpty() ? setup.limitBytes() : 0;
            cache(lines, setup);
            setup.peers().ifPresent(peers -> line(lines, "asked before", asked(peers)));
            setup.served().ifPresent(served -> line(lines, "served", served(served)));
        }
        return new DataPlaces(lines, memory);
    }

    private static String read(Location data) {
        return data.isRemote()
                ? "each epoch reads it from there; --cache, or 'cache' in a plan, keeps it"
                : "each epoch reads it again; what a list names on other machines, too";
    }

    private static void cache(List<String> lines, CacheSetup setup) {
        String limit = Figures.bytes(setup.limitBytes());
        if (setup.folder().isEmpty()) {
            line(lines, "kept in", "memory outside the heap, for this run alone: at most " + limit);
            line(lines, "when full", "what is in stays, and the rest is read from there in each epoch");
        } else {
            line(
                    lines,
                    "kept in",
                    setup.folder().get() + ", for all processes of this machine: " + Figures.bytes(setup.heldBytes())
                            + " of at most " + limit);
            setup.freeBytes().ifPresent(free -> line(lines, "room", room(setup, free)));
            line(
                    lines,
                    "when full",
                    "shards that are needed last go first, files that are in stay; what no run of now has used goes"
                            + " before both");
        }
        line(lines, "compared", "with the store: never again; with local files: by size and time of change");
    }

    private static String room(CacheSetup setup, long free) {
        String left = Figures.bytes(free) + " are free on its disk";
        return setup.limitBytes() - setup.heldBytes() > free
                ? left + ", LESS than it may still take: the disk would be full first (--cache-size)"
                : left;
    }

    private static String asked(CacheSetup.Peers peers) {
        return String.join(", ", peers.addresses()) + ": "
                + (peers.machines() == 0
                        ? "no machine is found yet"
                        : Figures.counted(peers.machines(), "other machine", "other machines"))
                + ", at most " + peers.patience().toMillis() + " ms each, then the store"
                + (peers.hasToken() ? "" : "; WITHOUT a token, JSPDL_CACHE_TOKEN is not set");
    }

    private static String served(CacheSetup.Served served) {
        return "at " + served.host() + ":" + served.port() + " to "
                + (served.hasToken() ? "those that have the token" : "all who can reach it, without a token")
                + (served.here() ? "" : ", by another process of this machine");
    }

    private static void line(List<String> lines, String name, String text) {
        lines.add(String.format(Locale.ROOT, "  %-16s %s", name, text));
    }
}
