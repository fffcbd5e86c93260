package org.jspdl.python;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Lease;
import org.jspdl.memory.SlabProvider;
import org.jspdl.python.ring.FileMemory;
import org.jspdl.python.ring.FreeSlots;

/// The memory that both processes have mapped, in slots of one size.
///
/// As a [SlabProvider] it gives whole slots to pools, so that what is decoded into their leases is where the trainer
/// sees it. It never waits there: when slots are short it gives ordinary memory, which is copied when it is handed
/// over. Such copies must not wait for batches that wait for them: a trainer may keep half of the slots for as long as
/// it likes, so pools get so many of the others before their batches are handed over that one is left for a copy. The
/// lowest slot is given out first, which keeps the memory in use small; what a trainer has kept for a while and
/// then let go of goes back to the system, once it is known that nobody has the memory pinned. Thread-safe.
final class SharedSlots implements SlabProvider, AutoCloseable {
    /// Slots that only [#take] gives out.
    private static final int RESERVED = 1;

    private final Arena arena;
    private final MemorySegment memory;
    private final long slotBytes;
    private final BufferPool beside = BufferPool.unbounded("beside the ring");
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition freed = lock.newCondition();
    private final FreeSlots free;
    private final Predicate<MemorySegment> giveBack;
    private final long[] usedBytes;
    /// Which slots pools have for batches that are not handed over yet, how many those are, and how many at most.
    private final boolean[] ahead;

    private final int mostAhead;
    private int aheadCount;
    private long slabsBeside;
    private long waitNanos;
    private boolean givesBack;

    private SharedSlots(
            Arena arena,
            MemorySegment memory,
            int slots,
            long slotBytes,
            LongSupplier clock,
            Predicate<MemorySegment> giveBack) {
        this.arena = arena;
        this.memory = memory;
        this.slotBytes = slotBytes;
        this.giveBack = giveBack;
        this.free = new FreeSlots(slots, clock);
        this.usedBytes = new long[slots];
        this.ahead = new boolean[slots];
        this.mostAhead = slots - slots / 2 - RESERVED;
    }

    /// Maps `file`, which must have room for all slots.
    static SharedSlots map(Path file, int slots, long slotBytes) throws IOException {
        return map(file, slots, slotBytes, System::nanoTime, FileMemory::giveBack);
    }

    /// @param clock    nanoseconds, from anywhere
    /// @param giveBack has the system take memory back; whether it did
    static SharedSlots map(Path file, int slots, long slotBytes, LongSupplier clock, Predicate<MemorySegment> giveBack)
            throws IOException {
        Arena arena = Arena.ofShared();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            long size = Math.multiplyExact(slots, slotBytes);
            if (channel.size() < size) {
                throw new IOException("the ring has " + channel.size() + " bytes where " + size + " were agreed on");
            }
            return new SharedSlots(
                    arena,
                    channel.map(FileChannel.MapMode.READ_WRITE, 0, size, arena),
                    slots,
                    slotBytes,
                    clock,
                    giveBack);
        } catch (Throwable failure) {
            arena.close();
            throw failure;
        }
    }

    @Override
    public Slab allocate(long byteSize) {
        lock.lock();
        try {
            if (byteSize <= slotBytes && free.size() > RESERVED && aheadCount < mostAhead) {
                int slot = pop(byteSize);
                ahead[slot] = true;
                aheadCount++;
                return new Slab(memory.asSlice(offset(slot), byteSize), () -> release(slot), false);
            }
            slabsBeside++;
        } finally {
            lock.unlock();
        }
        Lease lease = beside.lease(byteSize);
        return new Slab(lease.segment(), lease::close, false);
    }

    /// Whether [#take] would wait.
    boolean isShort() {
        lock.lock();
        try {
            return free.size() == 0;
        } finally {
            lock.unlock();
        }
    }

    /// A slot of the caller's, who releases it; waits for one if none is free.
    int take() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            if (free.size() == 0) {
                long began = System.nanoTime();
                try {
                    while (free.size() == 0) {
                        freed.await();
                    }
                } finally {
                    waitNanos += System.nanoTime() - began;
                }
            }
            return pop(0);
        } finally {
            lock.unlock();
        }
    }

    private int pop(long byteSize) {
        int slot = free.take();
        usedBytes[slot] = byteSize;
        return slot;
    }

    void release(int slot) {
        int unneeded;
        lock.lock();
        try {
            passed(slot);
            free.put(slot);
            freed.signal();
            unneeded = givesBack ? free.takeUnneeded() : -1;
        } finally {
            lock.unlock();
        }
        if (unneeded >= 0) {
            boolean gone =
                    giveBack.test(memory.asSlice(offset(unneeded), slotBytes)); // without the lock: a millisecond
            lock.lock();
            try {
                free.putUnneeded(unneeded, gone);
                givesBack &= gone;
                freed.signal();
            } finally {
                lock.unlock();
            }
        }
    }

    /// From here on memory of slots that are not needed goes back to the system: nobody has it pinned, so that a
    /// device could go on reading what it was.
    void giveBackUnneeded() {
        lock.lock();
        try {
            givesBack = true;
        } finally {
            lock.unlock();
        }
    }

    /// Says that a batch in `slots` is handed over: they are the trainers', until those let go.
    void handedOver(Set<Integer> slots) {
        lock.lock();
        try {
            slots.forEach(this::passed);
        } finally {
            lock.unlock();
        }
    }

    private void passed(int slot) {
        if (ahead[slot]) {
            ahead[slot] = false;
            aheadCount--;
        }
    }

    /// The slot that holds all of `bytes`; negative if none does.
    int slotOf(MemorySegment bytes) {
        long offset = bytes.isNative() ? bytes.address() - memory.address() : -1;
        return offset >= 0 && offset < memory.byteSize() ? (int) (offset / slotBytes) : -1;
    }

    /// Where `bytes`, which lie in a slot, begin.
    long offsetOf(MemorySegment bytes) {
        return bytes.address() - memory.address();
    }

    /// Where `slot` begins.
    long offset(int slot) {
        return slot * slotBytes;
    }

    /// Reserves `byteSize` bytes behind what is used of a slot that the caller may write to.
    ///
    /// @return where they begin, as an offset in the ring; negative if the slot has not so much room
    long append(int slot, long byteSize) {
        long begin = (usedBytes[slot] + BufferPool.ALIGNMENT - 1) & -BufferPool.ALIGNMENT;
        if (begin + byteSize > slotBytes) {
            return -1;
        }
        usedBytes[slot] = begin + byteSize;
        return offset(slot) + begin;
    }

    /// The memory at `offset`.
    MemorySegment at(long offset, long byteSize) {
        return memory.asSlice(offset, byteSize);
    }

    int slots() {
        return usedBytes.length;
    }

    long slotBytes() {
        return slotBytes;
    }

    /// What happened so far.
    Figures figures() {
        lock.lock();
        try {
            return new Figures(free.size(), free.least(), slabsBeside, waitNanos);
        } finally {
            lock.unlock();
        }
    }

    /// Ends the mapping, once nobody uses it.
    @Override
    public void close() {
        beside.close();
        arena.close();
    }

    /// What a ring has done.
    ///
    /// @param free        slots that are free now
    /// @param leastFree   the fewest that ever were
    /// @param slabsBeside how often a pool was given ordinary memory because slots were short or too small
    /// @param waitNanos   how long copies waited for a slot
    record Figures(int free, int leastFree, long slabsBeside, long waitNanos) {}
}
