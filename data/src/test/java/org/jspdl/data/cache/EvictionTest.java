package org.jspdl.data.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.Closeable;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspdl.memory.BufferPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What a full cache on disk keeps: shards of one block each, in orders that are announced epoch by epoch.
class EvictionTest {
    private static final int EPOCHS = 6;
    private static final int BLOCK = 4096;

    @TempDir
    Path folder;

    private final BufferPool pool = BufferPool.create("test", 1 << 20);
    /// A step of a reader takes as long as a test says: what others have announced is looked at now and then.
    private final AtomicLong clock = new AtomicLong();

    @AfterEach
    void close() {
        pool.close();
    }

    private DiskCache open(int blocks) throws Exception {
        return DiskCache.open(folder, (long) blocks * BLOCK, false, clock::get);
    }

    /// The orders of a reader, one for each epoch.
    private static List<List<String>> orders(int shards, long seed) {
        Random random = new Random(seed);
        List<List<String>> orders = new ArrayList<>();
        for (int epoch = 0; epoch <= EPOCHS; epoch++) {
            List<String> order = new ArrayList<>(
                    IntStream.range(0, shards).mapToObj(i -> "shard-" + i).toList());
            Collections.shuffle(order, random);
            orders.add(order);
        }
        return orders;
    }

    /// A reader, one step after the other: whether each was a miss.
    private static final class Reader {
        final List<List<String>> orders;
        int epoch;
        int at;

        Reader(List<List<String>> orders) {
            this.orders = orders;
        }

        boolean isDone() {
            return epoch == EPOCHS;
        }

        String next() {
            return orders.get(epoch).get(at);
        }

        boolean step(DiskCache cache, BufferPool pool) throws Exception {
            if (at == 0) {
                cache.announce(
                        this,
                        Stream.concat(orders.get(epoch).stream(), orders.get(epoch + 1).stream())
                                .toList());
            }
            String shard = next();
            boolean miss;
            try (Closeable _ = cache.use(this, shard)) {
                var hit = cache.get("0+1@" + shard, pool);
                miss = hit.isEmpty();
                hit.ifPresent(lease -> lease.close());
                if (miss) {
                    cache.offer("0+1@" + shard, MemorySegment.ofArray(new byte[100]));
                }
            }
            if (++at == orders.get(epoch).size()) {
                at = 0;
                epoch++;
            }
            return miss;
        }
    }

    /// The fewest misses of any policy for a sequence: on each miss, what is needed last of all is not kept.
    private static int fewestMisses(List<String> sequence, int room) {
        Map<String, TreeSet<Integer>> uses = new HashMap<>();
        for (int i = 0; i < sequence.size(); i++) {
            uses.computeIfAbsent(sequence.get(i), _ -> new TreeSet<>()).add(i);
        }
        Set<String> kept = new HashSet<>();
        int misses = 0;
        for (int i = 0; i < sequence.size(); i++) {
            int now = i;
            if (!kept.add(sequence.get(i))) {
                continue;
            }
            misses++;
            if (kept.size() > room) {
                kept.remove(kept.stream()
                        .max(java.util.Comparator.comparingInt(shard -> {
                            Integer next =
                                    Objects.requireNonNull(uses.get(shard)).higher(now);
                            return next == null ? Integer.MAX_VALUE : next;
                        }))
                        .orElseThrow());
            }
        }
        return misses;
    }

    private static int lruMisses(List<String> sequence, int room) {
        LinkedHashMap<String, Boolean> kept = new LinkedHashMap<>(16, 0.75f, true);
        int misses = 0;
        for (String shard : sequence) {
            if (kept.get(shard) == null) {
                misses++;
                kept.put(shard, true);
                if (kept.size() > room) {
                    kept.remove(kept.keySet().iterator().next());
                }
            }
        }
        return misses;
    }

    @ParameterizedTest
    @CsvSource({"10, 1", "35, 2", "65, 3", "10, 4", "35, 5", "65, 6"})
    void oneReaderMissesHardlyMoreThanAnyPolicyMust(int percent, long seed) throws Exception {
        int shards = 64;
        int room = shards * percent / 100;
        List<List<String>> orders = orders(shards, seed);
        Reader reader = new Reader(orders);
        int misses = 0;
        try (DiskCache cache = open(room)) {
            while (!reader.isDone()) {
                misses += reader.step(cache, pool) ? 1 : 0;
            }
            assertThat(cache.stats().bytes()).isLessThanOrEqualTo((long) room * BLOCK);
        }
        List<String> all = orders.stream().flatMap(List::stream).toList();
        List<String> sequence = all.subList(0, EPOCHS * shards);
        int bound = fewestMisses(sequence, room);
        System.out.printf(
                "cache of %d %%: %d misses, at least %d, LRU %d%n", percent, misses, bound, lruMisses(sequence, room));
        assertThat(misses).isLessThanOrEqualTo((int) Math.floor(1.05 * bound));
    }

    @ParameterizedTest
    @CsvSource({"10, 11, 1", "35, 12, 1", "65, 13, 1", "10, 15, 50", "35, 14, 50", "65, 16, 300"})
    void severalReadersNeverMissMoreThanLru(int percent, long seed, long millisPerStep) throws Exception {
        int shards = 40;
        int room = shards * percent / 100;
        List<Reader> readers = new ArrayList<>();
        List<DiskCache> caches = new ArrayList<>();
        Random pace = new Random(seed);
        List<String> sequence = new ArrayList<>();
        int misses = 0;
        try {
            for (int i = 0; i < 3; i++) {
                readers.add(new Reader(orders(shards, seed * 100 + i)));
                caches.add(open(room));
            }
            while (readers.stream().anyMatch(reader -> !reader.isDone())) {
                int who = pace.nextInt(readers.size());
                clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(millisPerStep));
                if (!readers.get(who).isDone()) {
                    sequence.add(readers.get(who).next());
                    misses += readers.get(who).step(caches.get(who), pool) ? 1 : 0;
                }
            }
        } finally {
            caches.forEach(DiskCache::close);
        }
        int lru = lruMisses(sequence, room);
        System.out.printf("3 readers, cache of %d %%: %d misses, LRU %d%n", percent, misses, lru);
        assertThat(misses).isLessThanOrEqualTo(lru);
    }

    @Test
    void whatNobodyOfNowHasUsedMakesRoomForAnotherDataset() throws Exception {
        try (DiskCache cache = open(10)) {
            for (int i = 0; i < 10; i++) {
                cache.offer("@old-" + i, MemorySegment.ofArray(new byte[100]));
            }
        }
        try (Stream<Path> entries = Files.walk(folder.resolve("entries"))) {
            for (Path entry : entries.filter(Files::isRegularFile).toList()) {
                Files.setLastModifiedTime(
                        entry, FileTime.fromMillis(System.currentTimeMillis() - TimeUnit.HOURS.toMillis(1)));
            }
        }
        try (DiskCache cache = open(10)) {
            cache.get("@old-3", pool).orElseThrow().close();
            for (int i = 0; i < 20; i++) {
                cache.offer("@new-" + i, MemorySegment.ofArray(new byte[100]));
            }

            int hits = 0;
            for (int i = 0; i < 20; i++) {
                var found = cache.get("@new-" + i, pool);
                hits += found.isPresent() ? 1 : 0;
                found.ifPresent(lease -> lease.close());
            }
            assertThat(hits).as("all but the one that was used again").isEqualTo(9);
            cache.get("@old-3", pool).orElseThrow().close();
            assertThat(cache.stats().evicted()).isEqualTo(9);
        }
    }
}
