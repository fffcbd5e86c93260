package org.jspdl.pipeline.internal.compute;

import org.jspecify.annotations.Nullable;

/// The compute pool that runs share unless they ask for threads of their own: one thread for each processor.
///
/// Static on purpose: runs that know nothing of each other must not use more threads together than the machine has
/// processors. The threads end with the last open run.
public final class SharedComputePool {
    private static final Object LOCK = new Object();
    private static @Nullable ComputePool pool;
    private static int users;

    private SharedComputePool() {}

    public static ComputePool acquire() {
        synchronized (LOCK) {
            if (pool == null) {
                pool = new ComputePool("jspdl-compute", Runtime.getRuntime().availableProcessors());
            }
            users++;
            return pool;
        }
    }

    public static void release() {
        ComputePool last;
        synchronized (LOCK) {
            users--;
            if (users > 0) {
                return;
            }
            last = pool;
            pool = null;
        }
        if (last != null) {
            last.close();
        }
    }
}
