package org.jspdl.device.fake;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspdl.device.Device;
import org.jspdl.device.DeviceEvent;
import org.jspdl.device.DeviceException;
import org.jspdl.device.DeviceMemory;
import org.jspdl.device.DeviceMemoryUse;
import org.jspdl.device.DeviceOutOfMemoryException;
import org.jspdl.device.DeviceProperties;
import org.jspdl.device.DeviceStream;
import org.jspdl.device.HostRegistration;
import org.jspdl.memory.SlabProvider;

/// A device without hardware, for tests of what copies to one.
///
/// Its memory is ordinary memory. What is queued in a stream happens as late as it may: when an event behind it or the
/// whole stream is waited for, on the thread that waits, or when the test asks for it by [#finish]. So a host buffer
/// that is released too early, or a device buffer that is overwritten too early, shows in the content, every time.
/// Failures are put in by [#failNext]. Closing it throws if something of it was left open.
public final class FakeDevice implements Device {
    private final long memoryBytes;
    private final ReentrantLock lock = new ReentrantLock();
    private final TreeMap<Long, MemorySegment> memory = new TreeMap<>();
    private final TreeMap<Long, Long> pinned = new TreeMap<>();
    private final Map<Long, FakeStream> streams = new HashMap<>();
    private final Map<Failure, DeviceException> failures = new HashMap<>();
    private long handles;
    private int openEvents;
    private int openStreams;
    private long heldBytes;
    private long peakHeldBytes;
    private int allocations;

    /// What can be made to fail.
    public enum Failure {
        /// [Device#allocate].
        ALLOCATE,
        /// Queueing a copy.
        QUEUE,
        /// A copy that was queued before, when it runs.
        COPY
    }

    private FakeDevice(long memoryBytes) {
        this.memoryBytes = memoryBytes;
        streams.put(0L, new FakeStream(this, 0)); // the default stream, which nobody opens
    }

    /// A device with `memoryBytes` of memory.
    public static FakeDevice of(long memoryBytes) {
        return new FakeDevice(memoryBytes);
    }

    /// Lets the next operation of this kind fail with `failure`, once.
    public void failNext(Failure kind, DeviceException failure) {
        locked(() -> failures.put(kind, failure));
    }

    void failIfAsked(Failure kind) {
        DeviceException failure = failures.remove(kind);
        if (failure != null) {
            throw failure;
        }
    }

    /// A stream such as a framework has, for work of its own; the result is its handle.
    public long frameworkStream() {
        lock.lock();
        try {
            return added().handle();
        } finally {
            lock.unlock();
        }
    }

    /// Queues a kernel in `stream`: it runs as late as copies do.
    public void launch(long stream, Runnable kernel) {
        locked(() -> stream(stream).queue(kernel));
    }

    /// Runs everything that is queued in `stream`.
    public void finish(long stream) {
        locked(() -> stream(stream).runAll());
    }

    /// The device's memory at this moment, for a kernel or a test to look at.
    ///
    /// @throws DeviceException if no living allocation holds all of it
    public MemorySegment memory(long address, long byteSize) {
        lock.lock();
        try {
            Map.Entry<Long, MemorySegment> found = memory.floorEntry(address);
            if (found == null
                    || address + byteSize > found.getKey() + found.getValue().byteSize()) {
                throw new DeviceException("illegal access of " + byteSize + " bytes at device address " + address);
            }
            return found.getValue().asSlice(address - found.getKey(), byteSize);
        } finally {
            lock.unlock();
        }
    }

    /// How much memory is allocated.
    public long heldBytes() {
        return memoryBytes - memoryUse().freeBytes();
    }

    /// The most memory that was allocated at once.
    public long peakHeldBytes() {
        lock.lock();
        try {
            return peakHeldBytes;
        } finally {
            lock.unlock();
        }
    }

    /// How often memory was allocated.
    public int allocations() {
        lock.lock();
        try {
            return allocations;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public DeviceProperties properties() {
        return new DeviceProperties(
                0, "fake", "GPU-00000000-0000-0000-0000-000000000000", "0000:00:00", memoryBytes, 0, 0, 1, 2, "0.0");
    }

    @Override
    public DeviceMemoryUse memoryUse() {
        lock.lock();
        try {
            return new DeviceMemoryUse(memoryBytes - heldBytes, memoryBytes);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public SlabProvider pinnedSlabs() {
        return byteSize -> {
            Arena arena = Arena.ofShared();
            MemorySegment slab = arena.allocate(byteSize, 64);
            HostRegistration registration = register(slab);
            return new SlabProvider.Slab(slab, () -> {
                registration.close();
                arena.close();
            });
        };
    }

    @Override
    public HostRegistration register(MemorySegment host) {
        if (!host.isNative()) {
            throw new IllegalArgumentException("memory on the heap cannot be pinned");
        }
        locked(() -> pinned.put(host.address(), host.byteSize()));
        return () -> locked(() -> pinned.remove(host.address()));
    }

    @Override
    public boolean isPinned(MemorySegment host) {
        lock.lock();
        try {
            Map.Entry<Long, Long> found = pinned.floorEntry(host.address());
            return host.isNative()
                    && found != null
                    && host.address() + host.byteSize() <= found.getKey() + found.getValue();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public DeviceMemory allocate(long byteSize) {
        lock.lock();
        try {
            failIfAsked(Failure.ALLOCATE);
            if (byteSize > memoryBytes - heldBytes) {
                throw new DeviceOutOfMemoryException("cannot allocate " + byteSize + " bytes of the fake device");
            }
            Arena arena = Arena.ofShared();
            MemorySegment segment = arena.allocate(byteSize, 512);
            memory.put(segment.address(), segment);
            heldBytes += byteSize;
            peakHeldBytes = Math.max(peakHeldBytes, heldBytes);
            allocations++;
            return DeviceMemory.of(
                    segment.address(),
                    byteSize,
                    () -> locked(() -> {
                        memory.remove(segment.address());
                        heldBytes -= byteSize;
                        arena.close();
                    }));
        } finally {
            lock.unlock();
        }
    }

    @Override
    public DeviceStream openStream() {
        lock.lock();
        try {
            openStreams++;
            return added();
        } finally {
            lock.unlock();
        }
    }

    private FakeStream added() {
        FakeStream stream = new FakeStream(this, ++handles);
        streams.put(stream.handle(), stream);
        return stream;
    }

    @Override
    public DeviceEvent newEvent() {
        locked(() -> openEvents++);
        return new FakeEvent(this);
    }

    FakeStream stream(long handle) {
        FakeStream stream = streams.get(handle);
        if (stream == null) {
            throw new DeviceException("there is no stream " + handle);
        }
        return stream;
    }

    void streamClosed(FakeStream stream) {
        openStreams--;
        streams.remove(stream.handle());
    }

    void eventClosed() {
        openEvents--;
    }

    void locked(Runnable action) {
        lock.lock();
        try {
            action.run();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        List<String> left = new ArrayList<>();
        locked(() -> {
            addIf(left, memory.size(), "allocations of " + heldBytes + " bytes");
            addIf(left, pinned.size(), "pieces of pinned host memory");
            addIf(left, openStreams, "streams");
            addIf(left, openEvents, "events");
        });
        if (!left.isEmpty()) {
            throw new IllegalStateException(
                    "the fake device was closed with " + String.join(", ", left) + " left open");
        }
    }

    private static void addIf(List<String> left, int count, String what) {
        if (count > 0) {
            left.add(count + " " + what);
        }
    }
}
