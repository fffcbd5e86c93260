package org.jspdl.data.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import org.jspdl.data.storage.ByteRange;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StorageException;
import org.jspdl.data.storage.StoredObject;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Lease;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Files that the operating system mounts from elsewhere, behind a cache; and words that name no cache.
class LocalFilesInCachesTest {
    @TempDir
    Path folder;

    private static String text(Lease lease) {
        try (lease) {
            return new String(lease.segment().toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "disk"})
    void aFileThatHasChangedIsReadAnewAndOneThatIsGoneIsMissing(String kind) throws IOException {
        Path file = Files.writeString(folder.resolve("a.txt"), "before");
        Files.setLastModifiedTime(file, FileTime.fromMillis(1_000_000));
        try (Storage storage = Storage.open();
                ByteCache cache = kind.equals("disk")
                        ? DiskCache.open(folder.resolve("cache"), 4 << 20)
                        : MemoryCache.create(4 << 20);
                BufferPool pool = BufferPool.create("test", 1 << 20)) {
            CachedStorage cached = CachedStorage.of(storage, cache);
            for (int i = 0; i < 2; i++) {
                assertReads(cached, file, "before", pool);
            }
            assertThat(cache.stats().hits()).isEqualTo(3);
            Files.writeString(file, "after!");
            Files.setLastModifiedTime(file, FileTime.fromMillis(2_000_000));

            assertReads(cached, file, "after!", pool);
            long hits = cache.stats().hits();
            assertReads(CachedStorage.of(storage, cache), file, "after!", pool);

            assertThat(cache.stats().hits()).as("it is kept again").isEqualTo(hits + 3);
            Files.delete(file);
            assertThatThrownBy(() -> assertReads(cached, file, "after!", pool))
                    .isInstanceOfSatisfying(
                            StorageException.class,
                            failure -> assertThat(failure.kind()).isEqualTo(StorageException.Kind.MISSING));
            assertThat(pool.outstanding()).isZero();
        }
    }

    private static void assertReads(CachedStorage cached, Path file, String content, BufferPool pool)
            throws IOException {
        try (StoredObject object = cached.object(Location.of(file))) {
            assertThat(text(object.readAll(pool, 100))).isEqualTo(content);
        }
        try (StoredObject object = cached.object(Location.of(file))) {
            assertThat(text(object.read(2, 3, pool))).isEqualTo(content.substring(2, 5));
            assertThat(text(object.read(List.of(new ByteRange(1, 1)), pool).getFirst()))
                    .isEqualTo(content.substring(1, 2));
        }
    }

    @Test
    void aTokenIsTakenWithoutTheEndOfItsLineAndNeverShown() throws IOException {
        Map<String, String> said = Map.of("folder", "memory", "peers", "http://127.0.0.1:1");
        try (OpenedCache cache = OpenedCache.open(said, folder, Map.of("JSPDL_CACHE_TOKEN", "right\r\n"))) {
            assertThat(cache.setup().peers().orElseThrow().hasToken()).isTrue();
        }
        for (String token : new String[] {"se cret", "secr\u00e9t", "sec\nret"}) {
            assertThatThrownBy(() -> OpenedCache.open(said, folder, Map.of("JSPDL_CACHE_TOKEN", token)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("letters, digits and signs of ASCII")
                    .hasMessageNotContaining(token);
            assertThatThrownBy(() -> CacheServerOptions.at(0).token(token)).hasMessageNotContaining(token);
        }
    }

    @Test
    void aLinkIntoTheDatasetIsWithinIt() throws IOException {
        Path data = Files.createDirectories(folder.resolve("data"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), data);

        assertThatThrownBy(() -> OpenedCache.requireOutside(
                        Map.of("folder", link.resolve("new/cache").toString()), folder, Location.of(data)))
                .hasMessageContaining("outside of the dataset");
        OpenedCache.requireOutside(Map.of("folder", "data-cache"), folder, Location.of(data));
        OpenedCache.requireOutside(Map.of("folder", "data"), folder, Location.of("s3://bucket/data"));
        OpenedCache.requireOutside(Map.of("folder", "memory"), folder, Location.of(data));
    }
}
