package org.jspdl.device.internal.cuda;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspdl.device.DeviceMemory;

/// Memory from `cuMemAlloc`.
final class CudaMemory implements DeviceMemory {
    private final CudaDevice device;
    private final long address;
    private final long byteSize;
    private final AtomicBoolean closed = new AtomicBoolean();

    CudaMemory(CudaDevice device, long address, long byteSize) {
        this.device = device;
        this.address = address;
        this.byteSize = byteSize;
    }

    @Override
    public long address() {
        if (closed.get()) {
            throw new IllegalStateException("the device memory of " + byteSize + " bytes was already freed");
        }
        return address;
    }

    @Override
    public long byteSize() {
        return byteSize;
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            device.within("free " + byteSize + " bytes", () -> device.driver().free(address));
        }
    }

    @Override
    public String toString() {
        return "DeviceMemory[" + byteSize + " bytes" + (closed.get() ? ", closed]" : "]");
    }
}
