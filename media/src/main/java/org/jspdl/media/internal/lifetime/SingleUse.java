package org.jspdl.media.internal.lifetime;

import java.util.function.Function;
import org.jspdl.media.internal.natives.UnclearedMemory;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Tensor;

/// Memory for one tensor: a pool that ends with it.
public final class SingleUse {
    private SingleUse() {}

    /// What `work` makes of a pool called `name`; its memory is freed when the tensor is closed.
    public static Tensor tensor(String name, Function<BufferPool, Tensor> work) {
        return tensor(BufferPool.unbounded(name), work);
    }

    /// The same over memory that nobody has cleared, for tensors of some megabytes that native code fills.
    public static Tensor largeTensor(String name, Function<BufferPool, Tensor> work) {
        return tensor(BufferPool.unbounded(name, UnclearedMemory.INSTANCE), work);
    }

    private static Tensor tensor(BufferPool pool, Function<BufferPool, Tensor> work) {
        try {
            return work.apply(pool);
        } finally {
            pool.retire();
        }
    }
}
