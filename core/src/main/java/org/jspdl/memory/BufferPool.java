package org.jspdl.memory;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import jdk.jfr.FlightRecorder;
import org.jspdl.internal.Arguments;
import org.jspecify.annotations.Nullable;

/// Long-lived off-heap memory under a byte limit, handed out as leases and reused.
///
/// A block that comes back is kept for the next lease of its size. Memory is asked for only when no idle block
/// fits, and idle blocks of other sizes are freed before the limit is exceeded. A pool without a limit lends blocks of
/// up to twice the size that is needed, or leases of many sizes would each keep blocks of their own. It frees idle
/// blocks before it would hold a quarter more than was ever out at once, where the new block is of 1 MiB or more: for
/// smaller ones that would cost more than it saves. Leases are safe to open and close from any thread. The owner of the
/// pool closes it after the last lease: closing a pool with leases out throws and names them, and their memory is then
/// freed as they return.
public final class BufferPool implements AutoCloseable {
    /// The alignment of every lease in bytes: one cache line.
    public static final long ALIGNMENT = 64;

    /// Blocks that are worth freeing others for.
    private static final long LARGE_BYTES = 1 << 20;
    /// What a pool without a limit may hold, as part of the most that was out at once.
    private static final double MOST_HELD = 1.25;

    private final String name;
    private final long limitBytes;
    private final SlabProvider provider;
    private final boolean checked;
    private final ReentrantLock lock = new ReentrantLock();
    private final List<ArrayDeque<Block>> idle = new ArrayList<>(SizeClasses.COUNT);
    private final int[] leasedBlocks = new int[SizeClasses.COUNT];
    private long heldBytes;
    private long leasedBytes;
    /// What blocks take that are out, and the most they have taken.
    private long outBytes;

    private long peakOutBytes;
    private long peakHeldBytes;
    private int outstanding;
    private int turns;
    private boolean closed;

    /// A piece of memory of one size class.
    record Block(int sizeClass, MemorySegment segment, Runnable release, boolean kept) {}

    /// @param checked whether its memory is checked as [CheckedMemory] says
    BufferPool(String name, long limitBytes, SlabProvider provider, boolean checked) {
        Arguments.atLeastOne("limitBytes", limitBytes);
        this.name = name;
        this.limitBytes = limitBytes;
        this.provider = provider;
        this.checked = checked;
        for (int i = 0; i < SizeClasses.COUNT; i++) {
            idle.add(new ArrayDeque<>(2));
        }
    }

    /// A pool of ordinary native memory that never holds more than `limitBytes`.
    public static BufferPool create(String name, long limitBytes) {
        return create(name, limitBytes, SlabProvider.nativeMemory());
    }

    /// A pool over `provider`, which the pool uses but does not own.
    public static BufferPool create(String name, long limitBytes, SlabProvider provider) {
        BufferPool pool = new BufferPool(name, limitBytes, provider, CheckedMemory.isOn());
        LivePools.add(pool);
        return pool;
    }

    /// A pool of ordinary native memory without a limit of its own: for memory that something else bounds, such as
    /// the buffers of a pipeline or a byte budget.
    public static BufferPool unbounded(String name) {
        return create(name, Long.MAX_VALUE);
    }

    /// A pool over `provider` without a limit of its own.
    public static BufferPool unbounded(String name, SlabProvider provider) {
        return create(name, Long.MAX_VALUE, provider);
    }

    /// Memory of exactly `byteSize` bytes with undefined content, owned by the caller.
    ///
    /// @throws PoolExhaustedException if the limit leaves no room; never waits
    public Lease lease(long byteSize) {
        Arguments.notNegative("byteSize", byteSize);
        lock.lock();
        try {
            if (closed) {
                throw new IllegalStateException("pool '" + name + "' is closed");
            }
            int sizeClass = byteSize > Math.min(limitBytes, SizeClasses.LARGEST) ? -1 : SizeClasses.indexOf(byteSize);
            Block block = sizeClass < 0 ? null : idleBlock(sizeClass);
            if (block == null) {
                block = allocate(sizeClass, byteSize);
            }
            lend(block, byteSize);
            if (checked) {
                CheckedMemory.fill(block.segment(), turns++);
            }
            return new Lease(this, block, byteSize, checked);
        } finally {
            lock.unlock();
        }
    }

    /// A lease of memory that lies elsewhere and has content, which saves copying it: it counts as memory of this
    /// pool until the lease is closed, which releases `slab`. Empty for a pool over a provider of its own, whose
    /// memory may be of a kind that somebody relies on.
    ///
    /// @param slab of which [SlabProvider.Slab#kept] does not matter; the caller's still if there is no lease
    /// @throws PoolExhaustedException if the limit leaves no room; never waits
    public Optional<Lease> adopt(SlabProvider.Slab slab) {
        long byteSize = slab.segment().byteSize();
        if (provider != SlabProvider.nativeMemory() || byteSize > SizeClasses.LARGEST) {
            return Optional.empty();
        }
        lock.lock();
        try {
            if (closed) {
                throw new IllegalStateException("pool '" + name + "' is closed");
            }
            if (byteSize > limitBytes - heldBytes) {
                freeIdle(byteSize - (limitBytes - heldBytes));
            }
            if (byteSize > limitBytes - heldBytes) {
                throw new PoolExhaustedException(exhausted(byteSize, byteSize));
            }
            heldBytes += byteSize;
            peakHeldBytes = Math.max(peakHeldBytes, heldBytes);
            Block block = new Block(SizeClasses.indexOf(byteSize), slab.segment(), slab.release(), false);
            lend(block, byteSize);
            return Optional.of(new Lease(this, block, byteSize, checked));
        } finally {
            lock.unlock();
        }
    }

    /// An idle block of the class; else, as nothing is refused for it in a pool without a limit, of up to twice its
    /// size.
    private @Nullable Block idleBlock(int sizeClass) {
        Block block = idle.get(sizeClass).pollLast();
        int largest = limitBytes == Long.MAX_VALUE ? Math.min(sizeClass + SizeClasses.STEPS, SizeClasses.COUNT - 1) : 0;
        for (int i = sizeClass + 1; block == null && i <= largest; i++) {
            block = idle.get(i).pollLast();
        }
        return block;
    }

    private void lend(Block block, long byteSize) {
        outstanding++;
        leasedBytes += byteSize;
        leasedBlocks[block.sizeClass()]++;
        outBytes += block.segment().byteSize();
        peakOutBytes = Math.max(peakOutBytes, outBytes);
    }

    private Block allocate(int sizeClass, long byteSize) {
        long blockSize = sizeClass < 0 ? byteSize : SizeClasses.sizeOf(sizeClass);
        if (sizeClass >= 0 && heldBytes + blockSize > limitBytes) {
            freeIdle(heldBytes + blockSize - limitBytes);
        }
        if (sizeClass < 0 || heldBytes + blockSize > limitBytes) {
            throw new PoolExhaustedException(exhausted(byteSize, blockSize));
        }
        if (limitBytes == Long.MAX_VALUE && blockSize >= LARGE_BYTES) {
            long most = (long) (MOST_HELD * Math.max(peakOutBytes, outBytes + blockSize));
            freeIdle(heldBytes + blockSize - most);
        }
        SlabProvider.Slab slab = provider.allocate(blockSize);
        heldBytes += blockSize;
        peakHeldBytes = Math.max(peakHeldBytes, heldBytes);
        if (FlightRecorder.isInitialized()) {
            PoolGrowthEvent.emit(name, blockSize, heldBytes, limitBytes);
        }
        return new Block(sizeClass, slab.segment(), slab.release(), slab.kept());
    }

    void release(Block block, long byteSize) {
        lock.lock();
        try {
            outstanding--;
            leasedBytes -= byteSize;
            leasedBlocks[block.sizeClass()]--;
            outBytes -= block.segment().byteSize();
            if (checked) {
                CheckedMemory.fill(block.segment(), turns++);
            }
            if (closed || !block.kept()) {
                free(block);
            } else {
                idle.get(block.sizeClass()).addLast(block);
            }
        } finally {
            lock.unlock();
        }
    }

    /// Frees idle blocks, the largest first, until `bytes` are free or none is left; none if it is not positive.
    private void freeIdle(long bytes) {
        long target = heldBytes - bytes;
        for (int i = SizeClasses.COUNT - 1; i >= 0 && heldBytes > target; i--) {
            ArrayDeque<Block> blocks = idle.get(i);
            while (heldBytes > target && !blocks.isEmpty()) {
                free(blocks.pollLast());
            }
        }
    }

    private void free(Block block) {
        heldBytes -= block.segment().byteSize();
        block.release().run();
    }

    private String exhausted(long byteSize, long blockSize) {
        StringBuilder holders = new StringBuilder(128);
        holders.append(String.format(
                Locale.ROOT,
                "pool '%s' cannot lease %,d bytes (a block of %,d): its limit is %,d bytes, %,d are held, %,d leased in %,d leases.",
                name,
                byteSize,
                blockSize,
                limitBytes,
                heldBytes,
                leasedBytes,
                outstanding));
        for (int i = SizeClasses.COUNT - 1; i >= 0; i--) {
            if (leasedBlocks[i] > 0) {
                holders.append(String.format(
                        Locale.ROOT, "%n  %,d in blocks of %,d bytes", leasedBlocks[i], SizeClasses.sizeOf(i)));
            }
        }
        return holders.append(System.lineSeparator())
                .append("  Raise the limit, lower the concurrency or the batch size, or close leases sooner.")
                .toString();
    }

    /// The name given at creation.
    public String name() {
        return name;
    }

    /// The most bytes this pool may hold, idle blocks included; [Long#MAX_VALUE] if it is unbounded.
    public long limitBytes() {
        return limitBytes;
    }

    /// Bytes taken from the provider at this moment, idle blocks included.
    public long heldBytes() {
        return read(() -> heldBytes);
    }

    /// The most bytes that were held at any moment.
    public long peakHeldBytes() {
        return read(() -> peakHeldBytes);
    }

    /// Bytes of the leases that are out, as they were asked for.
    public long leasedBytes() {
        return read(() -> leasedBytes);
    }

    /// Bytes that all open pools of this process hold, idle blocks included.
    public static long heldByAllPools() {
        return LivePools.list().stream().mapToLong(BufferPool::heldBytes).sum();
    }

    /// How many leases are out.
    public int outstanding() {
        return (int) read(() -> outstanding);
    }

    private long read(java.util.function.LongSupplier field) {
        lock.lock();
        try {
            return field.getAsLong();
        } finally {
            lock.unlock();
        }
    }

    /// Frees the idle blocks of all open pools of this process, where memory is scarce. Later leases ask for memory
    /// again.
    public static void trimAllPools() {
        LivePools.list().forEach(BufferPool::trim);
    }

    private void trim() {
        lock.lock();
        try {
            freeIdle(heldBytes);
        } finally {
            lock.unlock();
        }
    }

    /// Frees every idle block and refuses further leases; closing again is harmless.
    ///
    /// @throws IllegalStateException if leases are still out; their blocks are freed when they are closed
    @Override
    public void close() {
        lock.lock();
        try {
            if (retire() && outstanding > 0) {
                throw new IllegalStateException(String.format(
                        Locale.ROOT,
                        "pool '%s' was closed with %,d leases of %,d bytes still out",
                        name,
                        outstanding,
                        leasedBytes));
            }
        } finally {
            lock.unlock();
        }
    }

    /// Closes the pool where its leases go on: their blocks are freed when they are closed. Whether it was open.
    public boolean retire() {
        lock.lock();
        try {
            if (closed) {
                return false;
            }
            closed = true;
            LivePools.remove(this);
            freeIdle(heldBytes);
            return true;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public String toString() {
        String limit = limitBytes == Long.MAX_VALUE ? "" : " of " + limitBytes;
        return "BufferPool[" + name + ", " + heldBytes() + limit + " bytes held, " + outstanding() + " leases out]";
    }
}
