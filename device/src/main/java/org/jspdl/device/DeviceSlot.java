package org.jspdl.device;

import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspdl.memory.Tensor;
import org.jspecify.annotations.Nullable;

/// The device memory of one batch, used again and again, with the marks that say when.
///
/// While it is taken, its tensors share it; the last one to be closed releases it to the ring.
final class DeviceSlot {
    private final SlotRing ring;
    /// Set behind the copies into this slot.
    private final DeviceEvent copied;
    /// Set by the consumer, behind the last use of this slot.
    private final DeviceEvent used;
    private final ReentrantLock lock = new ReentrantLock();
    /// Host tensors whose copies may still run.
    private List<Tensor> sources = List.of();
    private volatile @Nullable DeviceMemory memory;
    private boolean useMarked;
    private int tensors;

    private DeviceSlot(SlotRing ring, DeviceEvent copied, DeviceEvent used) {
        this.ring = ring;
        this.copied = copied;
        this.used = used;
    }

    static DeviceSlot create(SlotRing ring, Device device) {
        DeviceEvent copied = device.newEvent();
        try {
            return new DeviceSlot(ring, copied, device.newEvent());
        } catch (Throwable failure) {
            copied.close();
            throw failure;
        }
    }

    SlotRing ring() {
        return ring;
    }

    /// Makes the slot ready to be written by `stream`: at least `byteSize` bytes, behind the last use.
    void prepare(Device device, long byteSize, long stream) {
        awaitCopied();
        DeviceMemory held = memory;
        if (held != null && held.byteSize() >= byteSize) {
            if (useMarked) {
                used.holdBack(stream);
            }
        } else {
            free();
            memory = device.allocate(byteSize);
        }
        useMarked = false;
    }

    long address() {
        DeviceMemory held = memory;
        if (held == null) {
            throw new IllegalStateException("the slot has no memory yet");
        }
        return held.address();
    }

    long heldBytes() {
        DeviceMemory held = memory;
        return held == null ? 0 : held.byteSize();
    }

    /// The copies of `hosts`, and everything else the stream has to do for this slot, are queued.
    void queued(long stream, List<Tensor> hosts, int newTensors) {
        lock.lock();
        try {
            tensors = newTensors;
            copied.record(stream);
            sources = hosts;
        } finally {
            lock.unlock();
        }
    }

    boolean isCopied() {
        return copied.isReached();
    }

    /// Waits for the copies, then releases their sources.
    void awaitCopied() {
        try {
            copied.await();
        } finally {
            releaseSources();
        }
    }

    /// Releases the sources if their copies have ended; called while the slot may belong to anybody.
    void releaseIfCopied() {
        List<Tensor> read = List.of();
        lock.lock();
        try {
            if (!sources.isEmpty() && copied.isReached()) {
                read = sources;
                sources = List.of();
            }
        } finally {
            lock.unlock();
        }
        read.forEach(Tensor::close);
    }

    private void releaseSources() {
        List<Tensor> read;
        lock.lock();
        try {
            read = sources;
            sources = List.of();
        } finally {
            lock.unlock();
        }
        read.forEach(Tensor::close);
    }

    /// Lets `stream` wait for the copies.
    void holdBack(long stream) {
        copied.holdBack(stream);
    }

    /// One tensor is no longer used, by anything that runs or is queued.
    void closed() {
        lock.lock();
        try {
            tensors--;
            if (tensors > 0) {
                return;
            }
        } finally {
            lock.unlock();
        }
        ring.release(this);
    }

    /// One tensor is no longer used once everything queued in `stream` so far has ended.
    void closedAfter(long stream) {
        lock.lock();
        try {
            if (useMarked) {
                used.holdBack(stream); // one mark stands for all tensors: it must lie behind the earlier ones
            }
            used.record(stream);
            useMarked = true;
        } finally {
            lock.unlock();
        }
        closed();
    }

    private void free() {
        DeviceMemory held = memory;
        if (held != null) {
            if (useMarked) {
                used.await();
            }
            memory = null;
            held.close();
        }
    }

    /// Frees everything, after the last copy and the last use.
    void destroy() {
        try (copied;
                used) {
            try {
                awaitCopied();
            } finally {
                free();
            }
        }
    }
}
