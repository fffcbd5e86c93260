package org.jspdl.device;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// The slots of one transfer: taken for a batch, released with it, never more than at the beginning.
final class SlotRing {
    /// Rounding for device memory, so that batches of almost the same size share a slot.
    private static final long GRANULE = 64 << 10;

    private final Device device;
    private final DeviceStream uploads;
    private final DeviceStream downloads;
    private final List<DeviceSlot> all = new CopyOnWriteArrayList<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition free = lock.newCondition();
    private final ArrayDeque<DeviceSlot> idle = new ArrayDeque<>();
    private long largestBytes;
    private long waitedNanos;
    private boolean closed;

    private SlotRing(Device device, DeviceStream uploads, DeviceStream downloads) {
        this.device = device;
        this.uploads = uploads;
        this.downloads = downloads;
    }

    static SlotRing open(Device device, int slots) {
        DeviceStream uploads = device.openStream();
        SlotRing ring;
        try {
            ring = new SlotRing(device, uploads, device.openStream());
        } catch (Throwable failure) {
            uploads.close();
            throw failure;
        }
        try {
            for (int i = 0; i < slots; i++) {
                ring.all.add(DeviceSlot.create(ring, device));
            }
        } catch (Throwable failure) {
            ring.idle.addAll(ring.all);
            ring.close();
            throw failure;
        }
        ring.idle.addAll(ring.all);
        return ring;
    }

    Device device() {
        return device;
    }

    DeviceStream uploads() {
        return uploads;
    }

    DeviceStream downloads() {
        return downloads;
    }

    /// A slot of at least `byteSize` bytes, ready to be written by the stream of uploads; waits for one.
    DeviceSlot take(long byteSize) throws InterruptedException {
        all.forEach(DeviceSlot::releaseIfCopied);
        DeviceSlot slot;
        long capacity;
        lock.lockInterruptibly();
        try {
            long start = System.nanoTime();
            while (idle.isEmpty() && !closed) {
                free.await();
            }
            waitedNanos += System.nanoTime() - start;
            requireOpen();
            slot = idle.removeFirst();
            largestBytes = Math.max(largestBytes, (byteSize + GRANULE - 1) / GRANULE * GRANULE);
            capacity = largestBytes;
        } finally {
            lock.unlock();
        }
        try {
            slot.prepare(device, capacity, uploads.handle());
            return slot;
        } catch (DeviceOutOfMemoryException full) {
            release(slot);
            throw outOfMemory(capacity, full);
        } catch (Throwable failure) {
            release(slot);
            throw failure;
        }
    }

    private DeviceOutOfMemoryException outOfMemory(long byteSize, DeviceOutOfMemoryException cause) {
        DeviceMemoryUse use = device.memoryUse();
        DeviceOutOfMemoryException failure = new DeviceOutOfMemoryException(String.format(
                Locale.ROOT,
                "%s has no room for a batch of %,d bytes: %,d of %,d are free. This transfer has %d slots of that size;"
                        + " use fewer slots or smaller batches, or let the framework reserve less.",
                device.properties().label(),
                byteSize,
                use.freeBytes(),
                use.totalBytes(),
                all.size()));
        failure.initCause(cause);
        return failure;
    }

    void release(DeviceSlot slot) {
        boolean last;
        lock.lock();
        try {
            if (!closed) {
                idle.addLast(slot);
                free.signal();
                return;
            }
            all.remove(slot);
            last = all.isEmpty();
        } finally {
            lock.unlock();
        }
        try {
            slot.destroy();
        } finally {
            if (last) {
                closeStreams();
            }
        }
    }

    long waitedNanos() {
        lock.lock();
        try {
            return waitedNanos;
        } finally {
            lock.unlock();
        }
    }

    long heldBytes() {
        lock.lock();
        try {
            return all.stream().mapToLong(DeviceSlot::heldBytes).sum();
        } finally {
            lock.unlock();
        }
    }

    /// How many slots are taken.
    int out() {
        lock.lock();
        try {
            return all.size() - idle.size();
        } finally {
            lock.unlock();
        }
    }

    void requireOpen() {
        if (closed) {
            throw new IllegalStateException(
                    "the transfer to " + device.properties().label() + " was closed");
        }
    }

    /// Frees the idle slots; those that are out are freed as they return. Returns how many are.
    int close() {
        List<DeviceSlot> idleOnes;
        int out;
        lock.lock();
        try {
            if (closed) {
                return 0;
            }
            closed = true;
            idleOnes = List.copyOf(idle);
            idle.clear();
            all.removeAll(idleOnes);
            out = all.size();
            free.signalAll();
        } finally {
            lock.unlock();
        }
        try {
            DeviceTransfer.forAll(idleOnes, DeviceSlot::destroy);
        } finally {
            if (out == 0) {
                closeStreams();
            }
        }
        return out;
    }

    private void closeStreams() {
        try (uploads;
                downloads) {
            uploads.synchronize();
        }
    }
}
