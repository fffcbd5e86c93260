package org.jspdl.device.cuda;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspdl.device.DeviceEvent;

/// A `CUevent` without timing.
final class CudaEvent implements DeviceEvent {
    private final CudaDevice device;
    private final long handle;
    private final AtomicBoolean closed = new AtomicBoolean();

    CudaEvent(CudaDevice device, long handle) {
        this.device = device;
        this.handle = handle;
    }

    @Override
    public void record(long stream) {
        long event = handle();
        device.within("mark a stream", () -> device.driver().recordEvent(event, stream));
    }

    @Override
    public void holdBack(long stream) {
        long event = handle();
        device.within("let a stream wait", () -> device.driver().waitEvent(stream, event));
    }

    @Override
    public boolean isReached() {
        long event = handle();
        int result = device.resultOf(() -> device.driver().queryEvent(event));
        if (result != CudaErrors.NOT_READY) {
            device.check(result, "finish a copy");
        }
        return result == CudaErrors.SUCCESS;
    }

    @Override
    public void await() {
        long event = handle();
        device.within("finish a copy", () -> device.driver().synchronizeEvent(event));
    }

    private long handle() {
        if (closed.get()) {
            throw new IllegalStateException("the event was closed");
        }
        return handle;
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            device.within("close an event", () -> device.driver().destroyEvent(handle));
        }
    }
}
