package org.jspdl.data.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspdl.data.storage.ByteRange;
import org.jspdl.data.storage.ListedObject;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StorageException;
import org.jspdl.data.storage.StorageStats;
import org.jspdl.data.storage.StoredObject;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Lease;
import org.jspdl.testkit.storage.Faults;
import org.jspdl.testkit.storage.ObjectContent;
import org.jspdl.testkit.storage.ObjectServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CachedStorageTest {
    @TempDir
    Path folder;

    private static byte[] bytes(Lease lease) {
        try (lease) {
            return lease.segment().toArray(ValueLayout.JAVA_BYTE);
        }
    }

    @Test
    void whatWasReadOnceIsNotAskedForAgain() throws IOException {
        byte[] content = new byte[500_000];
        ObjectContent.seeded(1, content.length).copy(0, content);
        try (ObjectServer server = ObjectServer.start(Faults.none());
                Storage storage = Storage.open();
                ByteCache cache = MemoryCache.create(4 << 20);
                BufferPool pool = BufferPool.create("test", 4 << 20)) {
            server.put("/a", ObjectContent.of(content));
            StoredObject object = CachedStorage.of(storage, cache).object(server.url("/a"));
            List<ByteRange> ranges = List.of(new ByteRange(10, 20), new ByteRange(300_000, 5));
            List<ByteRange> more = List.of(new ByteRange(10, 20), new ByteRange(7, 3), new ByteRange(300_000, 5));
            for (int i = 0; i < 3; i++) {
                assertThat(bytes(object.readAll(pool, 1 << 20))).isEqualTo(content);
                object.read(ranges, pool).forEach(Lease::close);
            }
            assertThat(server.counts().requests()).isEqualTo(3);

            List<Lease> leases = object.read(more, pool);

            for (int i = 0; i < more.size(); i++) {
                int offset = (int) more.get(i).offset();
                assertThat(bytes(leases.get(i))).isEqualTo(java.util.Arrays.copyOfRange(content, offset, (int)
                        more.get(i).end()));
            }
            assertThat(server.counts().requests()).isEqualTo(4);
            assertThatThrownBy(() -> object.readAll(pool, 1_000))
                    .isInstanceOf(StorageException.class)
                    .hasMessageContaining("more than the 1,000 allowed");
        }
    }

    /// The cache has the beginning of one version, and the storage the rest of another.
    @ParameterizedTest
    @ValueSource(strings = {"memory", "disk"})
    void partsOfTwoVersionsAreNeverGivenForOneObject(String kind) throws IOException {
        byte[] old = new byte[1000];
        byte[] now = new byte[1000];
        java.util.Arrays.fill(now, (byte) 1);
        try (ObjectServer server = ObjectServer.start(Faults.none());
                Storage storage = Storage.open();
                ByteCache cache = kind.equals("disk") ? DiskCache.open(folder, 4 << 20) : MemoryCache.create(4 << 20);
                BufferPool pool = BufferPool.create("test", 4 << 20)) {
            server.put("/a", ObjectContent.of(old));
            StoredObject before = CachedStorage.of(storage, cache).object(server.url("/a"));
            before.read(0, 100, pool).close();
            before.read(List.of(new ByteRange(100, 100)), pool).forEach(Lease::close);
            server.put("/a", ObjectContent.of(now));
            CachedStorage cached = CachedStorage.of(storage, cache);
            StoredObject torn = cached.object(server.url("/a"));
            assertThat(bytes(torn.read(0, 100, pool))).containsOnly(0); // as before: objects are taken to never change

            assertChanged(() -> torn.read(200, 100, pool));
            assertChanged(() -> torn.read(List.of(new ByteRange(100, 100), new ByteRange(400, 5)), pool));
            assertChanged(() -> torn.readAll(pool, 1000));
            assertChanged(torn::size);

            StoredObject again = cached.object(server.url("/a"));
            assertThat(bytes(again.read(0, 100, pool))).containsOnly(1);
            again.read(List.of(new ByteRange(100, 100), new ByteRange(200, 50)), pool)
                    .forEach(lease -> assertThat(bytes(lease)).containsOnly(1));
            long asked = server.counts().requests();
            assertThat(bytes(again.read(0, 100, pool))).containsOnly(1);
            assertThat(server.counts().requests()).isEqualTo(asked);
            assertThat(pool.outstanding()).isZero();
        }
    }

    private static void assertChanged(ThrowingCallable read) {
        assertThatThrownBy(read)
                .isInstanceOfSatisfying(
                        StorageException.class,
                        failure -> assertThat(failure.kind()).isEqualTo(StorageException.Kind.CHANGED))
                .hasMessageContaining("was replaced since parts of it were read or kept in the cache");
    }

    /// Another server of the same kind, and the same reading storage behind it.
    private record OnServer(Storage storage, String name) implements Storage {
        @Override
        public StoredObject object(Location location) throws IOException {
            return storage.object(location);
        }

        @Override
        public Stream<ListedObject> list(Location location) throws IOException {
            return storage.list(location);
        }

        @Override
        public String server(Location location) {
            return name;
        }

        @Override
        public StorageStats stats() {
            return storage.stats();
        }

        @Override
        public void close() {}
    }

    @Test
    void anObjectOfAnotherServerIsAnotherObjectThoughItIsCalledTheSame() throws IOException {
        byte[] one = new byte[100];
        byte[] other = {1, 2, 3};
        try (ObjectServer server = ObjectServer.start(Faults.none());
                Storage storage = Storage.open();
                ByteCache cache = MemoryCache.create(4 << 20);
                BufferPool pool = BufferPool.create("test", 4 << 20)) {
            for (String name : List.of("", "http://minio-1:9000", "http://minio-2:9000", "", "http://minio-1:9000")) {
                Storage here = CachedStorage.of(new OnServer(storage, name), cache);
                byte[] content = name.contains("2") ? other : one;
                server.put("/a", ObjectContent.of(content));
                assertThat(bytes(here.object(server.url("/a")).readAll(pool, 1_000)))
                        .isEqualTo(content);
            }
            assertThat(server.counts().requests()).as("one for each server").isEqualTo(3);
        }
    }

    /// As in hf://datasets/a/b@v2/x and abfss://container@account/x.
    @Test
    void shardsMakeRoomByTheirNextUseWhateverTheirNamesHold() throws IOException {
        try (ObjectServer server = ObjectServer.start(Faults.none());
                Storage storage = Storage.open();
                DiskCache cache = DiskCache.open(folder, 2 * 4_096);
                BufferPool pool = BufferPool.create("test", 4 << 20)) {
            CachedStorage cached = CachedStorage.of(storage, cache);
            List<Location> order = new ArrayList<>();
            for (int shard : new int[] {0, 1, 2, 1, 2, 1, 0}) {
                server.put("/b@v2/" + shard, ObjectContent.of(new byte[100]));
                order.add(Location.of("http://localhost:" + server.port() + "/b@v2/" + shard));
            }
            cached.announce(this, order);
            for (Location each : order) {
                try (Closeable _ = cached.use(this, each)) {
                    cached.object(each).readAll(pool, 1_000).close();
                }
            }
            assertThat(cache.stats().evicted()).isPositive();
            assertThat(server.counts().requests())
                    .as("the best that any policy can do")
                    .isEqualTo(4);
        }
    }

    /// An object may be called like a range of another, and an address be signed anew.
    @Test
    void noObjectIsTakenForARangeOfAnotherOrForAnotherQuery() throws IOException {
        byte[] content = new byte[100];
        ObjectContent.seeded(1, content.length).copy(0, content);
        byte[] other = new byte[10];
        try (ObjectServer server = ObjectServer.start(Faults.none());
                Storage storage = Storage.open();
                ByteCache cache = MemoryCache.create(4 << 20);
                BufferPool pool = BufferPool.create("test", 4 << 20)) {
            server.put("/a", ObjectContent.of(content));
            for (String name : List.of("/a@0+10", "/0+10@a")) {
                server.put(name, ObjectContent.of(other));
                CachedStorage cached = CachedStorage.of(storage, cache);
                assertThat(bytes(cached.object(server.url(name)).readAll(pool, 100)))
                        .isEqualTo(other);
                assertThat(bytes(cached.object(server.url("/a")).read(0, 10, pool)))
                        .isEqualTo(java.util.Arrays.copyOf(content, 10));
            }
            CachedStorage cached = CachedStorage.of(storage, cache);
            long before = server.counts().requests();
            for (String query : List.of("?v=1", "?v=2", "?v=1")) {
                cached.object(server.url("/a") + query).readAll(pool, 100).close();
            }
            assertThat(server.counts().requests() - before).isEqualTo(2);
        }
    }
}
