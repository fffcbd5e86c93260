package org.jspdl.device;

import java.util.concurrent.atomic.AtomicBoolean;

/// Memory that knows how it is freed.
final class OwnedMemory implements DeviceMemory {
    private final long address;
    private final long byteSize;
    private final Runnable free;
    private final AtomicBoolean closed = new AtomicBoolean();

    OwnedMemory(long address, long byteSize, Runnable free) {
        this.address = address;
        this.byteSize = byteSize;
        this.free = free;
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
            free.run();
        }
    }

    @Override
    public String toString() {
        return "DeviceMemory[" + byteSize + " bytes" + (closed.get() ? ", closed]" : "]");
    }
}
