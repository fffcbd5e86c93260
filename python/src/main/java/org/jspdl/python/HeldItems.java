package org.jspdl.python;

import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;

/// What lies in slots that the trainer may still see: kept until it has let go of every slot. Thread-safe.
final class HeldItems {
    private final AtomicReferenceArray<Entry> slots;
    private final AtomicInteger count = new AtomicInteger();

    HeldItems(int slots) {
        this.slots = new AtomicReferenceArray<>(slots);
    }

    private record Entry(AtomicInteger left, Runnable letGo) {}

    /// Keeps what lies in `used` until all of them are released; then runs `letGo`.
    void hold(Set<Integer> used, Runnable letGo) {
        if (used.isEmpty()) {
            letGo.run();
            return;
        }
        Entry entry = new Entry(new AtomicInteger(used.size()), letGo);
        count.addAndGet(used.size());
        used.forEach(slot -> slots.set(slot, entry));
    }

    /// The trainer has let go of `slot`.
    void release(int slot) {
        Entry entry = slots.getAndSet(slot, null);
        if (entry != null) {
            count.decrementAndGet();
            if (entry.left.decrementAndGet() == 0) {
                entry.letGo.run();
            }
        }
    }

    /// The trainer is gone, and sees nothing any more.
    void releaseAll() {
        for (int slot = 0; slot < slots.length(); slot++) {
            release(slot);
        }
    }

    /// How many slots the trainer holds.
    int count() {
        return count.get();
    }
}
