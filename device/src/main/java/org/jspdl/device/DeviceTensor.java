package org.jspdl.device;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.memory.Tensor;

/// Elements of one type in one shape, row-major and contiguous, in the memory of a device.
///
/// The owner closes it when the device no longer works with it, or with [#closeAfter] before that; the memory is then
/// used for a later batch. May be used from any thread.
public final class DeviceTensor implements AutoCloseable {
    private final ElementType type;
    private final Shape shape;
    private final long address;
    private final DeviceSlot slot;
    private final AtomicBoolean closed = new AtomicBoolean();

    DeviceTensor(ElementType type, Shape shape, long address, DeviceSlot slot) {
        this.type = type;
        this.shape = shape;
        this.address = address;
        this.slot = slot;
    }

    /// The type of every element.
    public ElementType type() {
        return type;
    }

    /// The extents, outermost first.
    public Shape shape() {
        return shape;
    }

    /// The device that holds it.
    public Device device() {
        return slot.ring().device();
    }

    /// Where the elements begin, in the device's address space, once they are there: waits for their copy.
    ///
    /// @throws IllegalStateException if the tensor was closed
    /// @throws DeviceException if the copy, or anything else on the device, failed
    public long address() {
        requireOpen();
        slot.awaitCopied();
        return address;
    }

    /// Where the elements begin. Does not wait: whatever is queued in `stream` after this call does.
    ///
    /// @param stream the `CUstream` or `cudaStream_t` that will read them; 0 is the default stream
    /// @throws IllegalStateException if the tensor was closed
    public long addressOn(long stream) {
        requireOpen();
        slot.holdBack(stream);
        return address;
    }

    /// Whether the elements are there, so that [#address] would not wait.
    public boolean isReady() {
        requireOpen();
        return slot.isCopied();
    }

    /// A copy in host memory from `pool`, owned by the caller; waits for it.
    ///
    /// What the caller's own streams write into this tensor must have ended. From a pool of pinned memory it is
    /// fastest.
    public Tensor toHost(BufferPool pool) {
        requireOpen();
        Tensor host = Tensor.allocate(type, shape, pool);
        try {
            if (shape.elements() > 0) {
                DeviceStream downloads = slot.ring().downloads();
                slot.holdBack(downloads.handle());
                downloads.copyToHost(address, host.segment());
                downloads.synchronize();
                slot.awaitCopied(); // reached by now: releases the source
            }
            return host;
        } catch (Throwable failure) {
            host.close();
            throw failure;
        }
    }

    /// Waits, unless closed, until the host's memory is no longer read.
    void awaitSource() {
        if (!closed.get()) {
            slot.awaitCopied();
        }
    }

    private void requireOpen() {
        if (closed.get()) {
            throw new IllegalStateException("the device tensor " + type + " " + shape + " was already closed");
        }
    }

    /// Releases the memory. Nothing that runs or is queued on the device may use it any more.
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            slot.closed();
        }
    }

    /// Releases the memory as soon as everything queued in `stream` so far has ended, without waiting for that.
    ///
    /// @param stream the `CUstream` or `cudaStream_t` that uses this tensor; 0 is the default stream
    public void closeAfter(long stream) {
        if (closed.compareAndSet(false, true)) {
            slot.closedAfter(stream);
        }
    }

    @Override
    public String toString() {
        return "DeviceTensor[" + type + " " + shape + " on "
                + device().properties().label() + (closed.get() ? ", closed]" : "]");
    }
}
