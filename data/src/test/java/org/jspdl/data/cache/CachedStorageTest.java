package org.jspdl.data.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.jspdl.data.storage.ByteRange;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StorageException;
import org.jspdl.data.storage.StoredObject;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Lease;
import org.jspdl.testkit.storage.Faults;
import org.jspdl.testkit.storage.ObjectContent;
import org.jspdl.testkit.storage.ObjectServer;
import org.junit.jupiter.api.Test;

class CachedStorageTest {

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
