package org.jspdl.device.fake;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import org.jspdl.device.DeviceException;
import org.jspdl.device.DeviceStream;
import org.jspdl.device.fake.FakeDevice.Failure;
import org.jspecify.annotations.Nullable;

/// A stream of a [FakeDevice]: actions that wait to be run. Guarded by the device's lock.
final class FakeStream implements DeviceStream {
    private final FakeDevice device;
    private final long handle;
    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
    private long queued;
    private long ran;
    private @Nullable DeviceException failure;
    private boolean closed;

    FakeStream(FakeDevice device, long handle) {
        this.device = device;
        this.handle = handle;
    }

    @Override
    public void copyToDevice(MemorySegment from, long toAddress) {
        device.locked(() -> {
            device.failIfAsked(Failure.QUEUE);
            queue(() -> copy(from, device.memory(toAddress, from.byteSize())));
        });
    }

    @Override
    public void copyToHost(long fromAddress, MemorySegment to) {
        device.locked(() -> {
            device.failIfAsked(Failure.QUEUE);
            queue(() -> copy(device.memory(fromAddress, to.byteSize()), to));
        });
    }

    private void copy(MemorySegment from, MemorySegment to) {
        device.failIfAsked(Failure.COPY);
        to.copyFrom(from);
    }

    /// Queues `action`; returns how many were queued with it.
    long queue(Runnable action) {
        if (closed) {
            throw new DeviceException("stream " + handle + " was closed");
        }
        waiting.addLast(action);
        return ++queued;
    }

    long queued() {
        return queued;
    }

    long ran() {
        return ran;
    }

    /// Runs actions until `count` have run since the beginning; the first failure stays.
    void runUntil(long count) {
        while (ran < count && !waiting.isEmpty()) {
            Runnable action = waiting.removeFirst();
            ran++;
            try {
                action.run();
            } catch (DeviceException failed) {
                if (failure == null) {
                    failure = failed;
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    void runAll() {
        runUntil(queued);
    }

    @Override
    public void synchronize() {
        device.locked(this::runAll);
    }

    @Override
    public long handle() {
        return handle;
    }

    @Override
    public void close() {
        device.locked(() -> {
            if (!closed) {
                closed = true;
                device.streamClosed(this);
            }
        });
    }
}
