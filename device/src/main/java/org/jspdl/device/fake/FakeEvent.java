package org.jspdl.device.fake;

import org.jspdl.device.DeviceEvent;
import org.jspdl.device.DeviceException;
import org.jspecify.annotations.Nullable;

/// A mark in a [FakeStream]: reached when as many actions have run as were queued when it was set. Guarded by the
/// device's lock.
final class FakeEvent implements DeviceEvent {
    private final FakeDevice device;
    private @Nullable FakeStream stream;
    private long mark;
    private boolean closed;

    FakeEvent(FakeDevice device) {
        this.device = device;
    }

    @Override
    public void record(long handle) {
        device.locked(() -> {
            requireOpen();
            FakeStream marked = device.stream(handle);
            mark = marked.queued();
            stream = marked;
        });
    }

    @Override
    public void holdBack(long handle) {
        device.locked(() -> {
            requireOpen();
            FakeStream marked = stream;
            long until = mark;
            if (marked != null) {
                device.stream(handle).queue(() -> marked.runUntil(until));
            }
        });
    }

    @Override
    public boolean isReached() {
        boolean[] reached = new boolean[1];
        device.locked(() -> {
            requireOpen();
            reached[0] = stream == null || stream.ran() >= mark;
        });
        return reached[0];
    }

    @Override
    public void await() {
        device.locked(() -> {
            requireOpen();
            if (stream != null) {
                stream.runUntil(mark);
            }
        });
    }

    private void requireOpen() {
        if (closed) {
            throw new DeviceException("the event was closed");
        }
    }

    @Override
    public void close() {
        device.locked(() -> {
            if (!closed) {
                closed = true;
                device.eventClosed();
            }
        });
    }
}
