package org.jspdl.device.cuda;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspdl.device.DeviceStream;

/// A `CUstream`.
final class CudaStream implements DeviceStream {
    private final CudaDevice device;
    private final long handle;
    private final AtomicBoolean closed = new AtomicBoolean();

    CudaStream(CudaDevice device, long handle) {
        this.device = device;
        this.handle = handle;
    }

    @Override
    public void copyToDevice(MemorySegment from, long toAddress) {
        CudaDevice.requireNative(from);
        long stream = handle();
        device.within(
                "copy " + from.byteSize() + " bytes to the device",
                () -> device.driver().copyToDevice(toAddress, from, stream));
    }

    @Override
    public void copyToHost(long fromAddress, MemorySegment to) {
        CudaDevice.requireNative(to);
        if (to.isReadOnly()) {
            throw new IllegalArgumentException("the target of a copy is read-only");
        }
        long stream = handle();
        device.within(
                "copy " + to.byteSize() + " bytes from the device",
                () -> device.driver().copyToHost(to, fromAddress, stream));
    }

    @Override
    public void synchronize() {
        long stream = handle();
        device.within("finish a stream", () -> device.driver().synchronizeStream(stream));
    }

    @Override
    public long handle() {
        if (closed.get()) {
            throw new IllegalStateException("the stream was closed");
        }
        return handle;
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            device.within("close a stream", () -> device.driver().destroyStream(handle));
        }
    }
}
