package org.jspdl.media.internal.lifetime;

import java.util.function.Function;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Tensor;

/// Memory for one tensor: a pool that ends with it.
public final class SingleUse {
    private SingleUse() {}

    /// What `work` makes of a pool called `name`; its memory is freed when the tensor is closed.
    public static Tensor tensor(String name, Function<BufferPool, Tensor> work) {
        BufferPool pool = BufferPool.unbounded(name);
        try {
            return work.apply(pool);
        } finally {
            retire(pool);
        }
    }

    /// Closes a pool whose one lease may be out.
    private static void retire(BufferPool pool) {
        try {
            pool.close();
        } catch (IllegalStateException leased) {
            assert pool.outstanding() == 1 : leased;
        }
    }
}
