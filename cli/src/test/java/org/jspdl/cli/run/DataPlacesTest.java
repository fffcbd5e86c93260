package org.jspdl.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspdl.data.cache.CacheNotes;
import org.jspdl.data.cache.OpenedCache;
import org.jspdl.data.storage.Location;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is told before a run of where its data comes from.
class DataPlacesTest {
    private static final Location STORE = Location.of("s3://bucket/train-000.tar");

    @TempDir
    Path folder;

    private static String text(DataPlaces places) {
        return String.join("\n", places.lines()).replaceAll(" +", " ");
    }

    @Test
    void withoutACacheEachEpochReadsAllAgain() {
        DataPlaces places = DataPlaces.of(List.of(
                new CacheNotes.Source(STORE, Optional.empty()),
                new CacheNotes.Source(Location.of("photos"), Optional.empty())));

        assertThat(text(places))
                .isEqualTo(
                        " from s3://bucket/train-000.tar\n kept in no cache: each epoch reads it from there; --cache,"
                                + " or 'cache' in a plan, keeps it\n from photos\n kept in no cache: each epoch reads it"
                                + " again; what a list names on other machines, too");
        assertThat(places.memoryBytes()).isZero();
    }

    @Test
    void aFolderIsToldWithItsSizeItsRoomItsPeersAndWhomItServes() throws IOException {
        Map<String, String> said = Map.of(
                "folder",
                "kept",
                "size",
                "900T",
                "serve",
                "0",
                "listen",
                "127.0.0.1",
                "peers",
                "http://a:1 http://b:1",
                "patience",
                "1s");
        try (OpenedCache cache = OpenedCache.open(said, folder, Map.of())) {
            String text = text(DataPlaces.of(List.of(new CacheNotes.Source(STORE, Optional.of(cache)))));

            assertThat(text)
                    .contains("kept in " + folder.resolve("kept") + ", for all processes of this machine: ")
                    .contains(" of at most 943,718,400.0 MiB")
                    .containsPattern("room \\S+ \\S+ are free on its disk, LESS than it may still take")
                    .contains("when full shards that are needed last go first, files that are in stay")
                    .contains("compared with the store: never again; with local files: by size and time of change")
                    .contains("asked before http://a:1, http://b:1: 2 other machines, at most 1000 ms each, then the"
                            + " store; WITHOUT a token")
                    .contains("served at 127.0.0.1:"
                            + cache.server().orElseThrow().port() + " to all who can reach it, without a token");
        }
    }

    @Test
    void aCacheInMemoryCountsAndATokenIsToldOfButNotShown() throws IOException {
        Map<String, String> said = Map.of("folder", "memory", "size", "5M", "peers", "http://a:1");
        try (OpenedCache cache = OpenedCache.open(said, folder, Map.of("JSPDL_CACHE_TOKEN", "secret"))) {
            DataPlaces places = DataPlaces.of(List.of(new CacheNotes.Source(STORE, Optional.of(cache))));

            assertThat(places.memoryBytes()).isEqualTo(5 << 20);
            assertThat(text(places))
                    .contains("kept in memory outside the heap, for this run alone: at most 5.0 MiB")
                    .contains("asked before http://a:1: 1 other machine, at most 250 ms each, then the store")
                    .doesNotContain("WITHOUT", "secret", "room");
        }
    }
}
