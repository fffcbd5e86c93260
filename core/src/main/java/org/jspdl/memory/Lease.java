package org.jspdl.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// The right to use one piece of pooled off-heap memory until it is closed.
///
/// A lease has exactly one owner, who closes it from any thread. Closing returns the memory to its pool, once; closing
/// again is harmless. The content is undefined when the lease begins. After closing, [#segment] throws; a segment kept
/// from before must not be used, because the memory may already belong to somebody else.
public final class Lease implements AutoCloseable {
    private static final VarHandle BLOCK;

    static {
        try {
            BLOCK = MethodHandles.lookup().findVarHandle(Lease.class, "block", BufferPool.Block.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final @Nullable BufferPool pool;
    private final MemorySegment segment;
    /// How long the segment may be used, where memory is checked.
    private final @Nullable Arena life;
    private BufferPool.@Nullable Block block;

    Lease(@Nullable BufferPool pool, BufferPool.Block block, long byteSize, boolean checked) {
        this.pool = pool;
        this.block = block;
        MemorySegment whole = block.segment();
        MemorySegment part = whole.byteSize() == byteSize ? whole : whole.asSlice(0, byteSize);
        this.life = checked ? Arena.ofShared() : null;
        this.segment = life == null ? part : CheckedMemory.within(life, part);
    }

    /// A lease over memory that belongs to no pool, such as a framework's.
    ///
    /// @param segment as long and as aligned as it is
    /// @param release frees the memory; called once, when the lease is closed
    public static Lease adopt(MemorySegment segment, Runnable release) {
        return new Lease(null, new BufferPool.Block(-1, segment, release, false), segment.byteSize(), false);
    }

    /// The leased bytes: exactly [#byteSize] of them, aligned to 64 bytes if they come from a pool.
    ///
    /// @throws IllegalStateException if the lease was closed
    public MemorySegment segment() {
        if (block == null) {
            throw new IllegalStateException("the lease of " + byteSize() + " bytes was already closed");
        }
        return segment;
    }

    /// How many bytes were asked for.
    public long byteSize() {
        return segment.byteSize();
    }

    /// Whether the memory has been released.
    public boolean isClosed() {
        return block == null;
    }

    @Override
    public void close() {
        BufferPool.Block returned = (BufferPool.Block) BLOCK.getAndSet(this, null);
        if (returned != null && life != null) {
            life.close();
        }
        if (returned != null && pool != null) {
            pool.release(returned, byteSize());
        } else if (returned != null) {
            returned.release().run();
        }
    }

    @Override
    public String toString() {
        return "Lease[" + byteSize() + " bytes" + (isClosed() ? ", closed]" : "]");
    }
}
