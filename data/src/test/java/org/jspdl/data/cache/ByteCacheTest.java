package org.jspdl.data.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Optional;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Lease;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.jspdl.source.Samplers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What both caches promise.
class ByteCacheTest {
    private static final int ENTRIES = 1_000;
    private static final int SIZE = 4_000;
    private static final long BLOCK = 4_096;

    @TempDir
    Path folder;

    private ByteCache cache(String kind, long budget) throws IOException {
        return kind.equals("memory") ? MemoryCache.create(budget) : DiskCache.open(folder, budget);
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "disk"})
    void ofADatasetLargerThanTheCacheEachShuffledEpochFindsTheSameShare(String kind) throws Exception {
        long budget = 350 * BLOCK;
        try (ByteCache cache = cache(kind, budget);
                Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocate(SIZE);
            epoch(cache, bytes, 0);
            assertThat(cache.stats().hits()).isZero();
            long before = 0;
            for (int epoch = 1; epoch <= 3; epoch++) {
                epoch(cache, bytes, epoch);
                assertThat(cache.stats().hits() - before)
                        .as("hits of epoch " + epoch)
                        .isEqualTo(350);
                before = cache.stats().hits();
            }
            assertThat(cache.stats().bytes()).isEqualTo(budget);
            assertThat(cache.stats().stored()).isEqualTo(350);
            assertThat(cache.stats().hitRate()).isEqualTo(3 * 350 / (4.0 * ENTRIES));
        }
    }

    private static void epoch(ByteCache cache, MemorySegment bytes, long epoch) throws Exception {
        Cursor<Long> order = Samplers.shuffled(ENTRIES, 1).open(epoch, Position.START);
        while (order.advance()) {
            String key = "s3://bucket/" + order.item();
            if (cache.get(key, bytes)) {
                assertThat(bytes.get(ValueLayout.JAVA_BYTE, 17))
                        .isEqualTo(order.item().byteValue());
            } else {
                bytes.fill(order.item().byteValue());
                cache.offer(key, bytes);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "disk"})
    void givesCopiesThatBelongToTheCaller(String kind) throws IOException {
        try (ByteCache cache = cache(kind, 1 << 20);
                BufferPool pool = BufferPool.create("test", 1 << 20);
                Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocate(5);
            bytes.copyFrom(MemorySegment.ofArray(new byte[] {1, 2, 3, 4, 5}));
            cache.offer("key", bytes);
            bytes.fill((byte) 0);

            for (int i = 0; i < 2; i++) {
                try (Lease lease = cache.get("key", pool).orElseThrow()) {
                    assertThat(lease.segment().toArray(ValueLayout.JAVA_BYTE)).containsExactly(1, 2, 3, 4, 5);
                    lease.segment().fill((byte) 9);
                }
            }
            assertThat(cache.get("other", pool)).isEqualTo(Optional.empty());
            assertThat(cache.get("key", arena.allocate(4))).isFalse();
            assertThat(cache.stats().hits()).isEqualTo(2);
            assertThat(cache.stats().misses()).isEqualTo(2);
        }
    }

    @Test
    void aFullCacheStillFindsRoomForWhatFits() throws IOException {
        try (ByteCache cache = cache("disk", 10 * BLOCK);
                Arena arena = Arena.ofConfined()) {
            cache.offer("large", arena.allocate(8 * BLOCK));
            cache.offer("too large", arena.allocate(3 * BLOCK));
            cache.offer("small", arena.allocate(100));

            assertThat(cache.get("too large", arena.allocate(3 * BLOCK))).isFalse();
            assertThat(cache.get("small", arena.allocate(100))).isTrue();
            assertThat(cache.stats().refused()).isEqualTo(1);
        }
    }
}
