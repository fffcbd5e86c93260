package org.jspdl.testkit;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspdl.device.DeviceMemory;

/// Memory of a [FakeDevice].
final class FakeMemory implements DeviceMemory {
    private final long address;
    private final long byteSize;
    private final Runnable release;
    private final AtomicBoolean closed = new AtomicBoolean();

    FakeMemory(long address, long byteSize, Runnable release) {
        this.address = address;
        this.byteSize = byteSize;
        this.release = release;
    }

    @Override
    public long address() {
        return address;
    }

    @Override
    public long byteSize() {
        return byteSize;
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            release.run();
        }
    }
}
