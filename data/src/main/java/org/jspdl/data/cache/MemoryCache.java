package org.jspdl.data.cache;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Lease;
import org.jspdl.memory.PoolExhaustedException;
import org.jspecify.annotations.Nullable;

/// A cache in memory outside the heap. Reading copies, so that no entry is ever shared with its readers.
///
/// Close it after the last use: a lookup at that moment would read memory that is released.
public final class MemoryCache implements ByteCache {
    private final BufferPool memory;
    private final ConcurrentHashMap<String, Kept> entries = new ConcurrentHashMap<>();
    /// Of other versions than those that took their place: somebody may be reading them.
    private final Queue<Lease> outdated = new ConcurrentLinkedQueue<>();
    private final CacheCounters counters = new CacheCounters();

    private record Kept(String version, Lease bytes) {}

    private MemoryCache(long budgetBytes) {
        this.memory = BufferPool.create("memory cache", budgetBytes);
    }

    /// A cache that never holds more than `budgetBytes`, what its blocks waste included.
    public static MemoryCache create(long budgetBytes) {
        return new MemoryCache(budgetBytes);
    }

    @Override
    public Optional<Lease> get(String key, Predicate<String> version, BufferPool pool) {
        Lease entry = find(key, version);
        if (!counters.found(entry != null) || entry == null) {
            return Optional.empty();
        }
        Lease copy = pool.lease(entry.byteSize());
        copy.segment().copyFrom(entry.segment());
        return Optional.of(copy);
    }

    @Override
    public boolean get(String key, Predicate<String> version, MemorySegment target) {
        Lease entry = find(key, version);
        if (!counters.found(entry != null && entry.byteSize() == target.byteSize()) || entry == null) {
            return false;
        }
        target.copyFrom(entry.segment());
        return true;
    }

    private @Nullable Lease find(String key, Predicate<String> version) {
        Kept entry = entries.get(key);
        if (entry == null || version.test(entry.version)) {
            return entry == null ? null : entry.bytes;
        }
        if (entries.remove(key, entry)) {
            outdated.add(entry.bytes);
        }
        return null;
    }

    @Override
    public void offer(String key, String version, MemorySegment bytes) {
        if (entries.containsKey(key)) {
            return;
        }
        Lease copy;
        try {
            copy = memory.lease(bytes.byteSize());
        } catch (PoolExhaustedException full) {
            counters.refused.increment();
            return;
        }
        copy.segment().copyFrom(bytes);
        if (entries.putIfAbsent(key, new Kept(version, copy)) == null) {
            counters.stored.increment();
        } else {
            copy.close(); // another thread was faster
        }
    }

    @Override
    public CacheStats stats() {
        return counters.snapshot(memory.heldBytes(), memory.limitBytes());
    }

    @Override
    public void close() {
        entries.values().forEach(entry -> entry.bytes.close());
        outdated.forEach(Lease::close);
        entries.clear();
        memory.close();
    }
}
