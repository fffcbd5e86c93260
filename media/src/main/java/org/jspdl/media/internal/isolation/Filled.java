package org.jspdl.media.internal.isolation;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Lease;
import org.jspdl.memory.Shape;
import org.jspdl.memory.SlabProvider;
import org.jspdl.memory.Tensor;

/// A tensor that a helper filled, in memory that is shared with it. Used by the thread that calls.
public final class Filled {
    private final ElementType type;
    private final Shape shape;
    private final MemorySegment elements;
    private final Supplier<Optional<Runnable>> keep;

    /// @param keep keeps the memory beyond the call and returns what gives it back; empty if it has to be copied
    Filled(ElementType type, Shape shape, MemorySegment elements, Supplier<Optional<Runnable>> keep) {
        this.type = type;
        this.shape = shape;
        this.elements = elements;
        this.keep = keep;
    }

    /// The elements, valid during the call.
    public MemorySegment elements() {
        return elements;
    }

    /// A tensor that counts as memory of `pool` and is the caller's: the elements where they are, if they can stay
    /// there, else a copy.
    public Tensor tensor(BufferPool pool) {
        Optional<Runnable> kept = keep.get();
        if (kept.isEmpty()) {
            return copy(pool);
        }
        Runnable giveBack = kept.get();
        boolean adopted = false;
        try {
            Optional<Lease> lease = pool.adopt(new SlabProvider.Slab(elements, giveBack, false));
            adopted = lease.isPresent();
            return adopted ? Tensor.over(type, shape, lease.get()) : copy(pool);
        } finally {
            if (!adopted) {
                giveBack.run();
            }
        }
    }

    private Tensor copy(BufferPool pool) {
        Tensor tensor = Tensor.allocate(type, shape, pool);
        tensor.segment().copyFrom(elements);
        return tensor;
    }
}
