package org.jspdl.memory;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

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

    private final BufferPool pool;
    private final MemorySegment segment;
    private BufferPool.@org.jspecify.annotations.Nullable Block block;

    Lease(BufferPool pool, BufferPool.Block block, long byteSize) {
        this.pool = pool;
        this.block = block;
        this.segment = block.segment().byteSize() == byteSize
                ? block.segment()
                : block.segment().asSlice(0, byteSize);
    }

    /// The leased bytes: exactly [#byteSize] of them, aligned to 64 bytes.
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

    /// Whether the memory has been given back.
    public boolean isClosed() {
        return block == null;
    }

    @Override
    public void close() {
        BufferPool.Block returned = (BufferPool.Block) BLOCK.getAndSet(this, null);
        if (returned != null) {
            pool.giveBack(returned, byteSize());
        }
    }

    @Override
    public String toString() {
        return "Lease[" + byteSize() + " bytes" + (isClosed() ? ", closed]" : "]");
    }
}
