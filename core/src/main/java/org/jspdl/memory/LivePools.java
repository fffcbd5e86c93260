package org.jspdl.memory;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;

/// The pools that are open in this process, for leak checks and for the memory they hold together.
///
/// Static on purpose: neither has another way to find the pools. Weak, so that it keeps none
/// alive.
final class LivePools {
    private static final Set<BufferPool> POOLS =
            Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    private LivePools() {}

    static void add(BufferPool pool) {
        POOLS.add(pool);
    }

    static void remove(BufferPool pool) {
        POOLS.remove(pool);
    }

    static List<BufferPool> list() {
        synchronized (POOLS) {
            return new ArrayList<>(POOLS);
        }
    }
}
