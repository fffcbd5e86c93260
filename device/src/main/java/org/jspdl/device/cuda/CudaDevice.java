package org.jspdl.device.cuda;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntSupplier;
import org.jspdl.device.Device;
import org.jspdl.device.DeviceEvent;
import org.jspdl.device.DeviceMemory;
import org.jspdl.device.DeviceMemoryUse;
import org.jspdl.device.DeviceOutOfMemoryException;
import org.jspdl.device.DeviceProperties;
import org.jspdl.device.DeviceStream;
import org.jspdl.device.HostRegistration;
import org.jspdl.memory.SlabProvider;

/// One CUDA device, by its primary context.
///
/// The context is current on a thread only while a call of ours runs there, so that frameworks that set their own are
/// not disturbed, and no thread of ours has to be prepared.
final class CudaDevice implements Device {
    /// CU_MEMHOSTALLOC_PORTABLE and CU_MEMHOSTREGISTER_PORTABLE: pinned for every context.
    private static final int PORTABLE = 1;
    /// CU_STREAM_NON_BLOCKING: does not wait for the default stream.
    private static final int NON_BLOCKING = 1;
    /// CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING: a waiting thread sleeps.
    private static final int SLEEPING_UNTIMED = 1 | 2;

    private static final int MEMORY_TYPE = 2;
    private static final int MEMORY_TYPE_HOST = 1;

    private final CudaDriver driver;
    private final CudaErrors errors;
    private final DeviceProperties properties;
    private final int device;
    private final long context;
    private final Arena arena = Arena.ofShared();
    /// Where popped contexts are written, by any thread; never read.
    private final MemorySegment popped = arena.allocate(ValueLayout.JAVA_LONG);
    private final AtomicBoolean closed = new AtomicBoolean();

    CudaDevice(CudaDriver driver, CudaErrors errors, DeviceProperties properties, int device, long context) {
        this.driver = driver;
        this.errors = errors;
        this.properties = properties;
        this.device = device;
        this.context = context;
    }

    @Override
    public DeviceProperties properties() {
        return properties;
    }

    @Override
    public DeviceMemoryUse memoryUse() {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment free = scratch.allocate(ValueLayout.JAVA_LONG);
            MemorySegment total = scratch.allocate(ValueLayout.JAVA_LONG);
            within("read how much memory is free", () -> driver.memoryInfo(free, total));
            return new DeviceMemoryUse(CudaLibrary.word(free), CudaLibrary.word(total));
        }
    }

    @Override
    @SuppressWarnings("restricted")
    public SlabProvider pinnedSlabs() {
        return byteSize -> {
            long address = pinned(byteSize);
            return new SlabProvider.Slab(
                    MemorySegment.ofAddress(address).reinterpret(byteSize),
                    () -> within("free pinned memory", () -> driver.freeHost(address)));
        };
    }

    private long pinned(long byteSize) {
        try {
            return created(
                    "allocate " + byteSize + " bytes of pinned host memory",
                    pointer -> driver.allocateHost(pointer, byteSize, PORTABLE));
        } catch (DeviceOutOfMemoryException full) {
            DeviceOutOfMemoryException failure = new DeviceOutOfMemoryException("the host has no " + byteSize
                    + " bytes left that can be pinned. Lower the limit of the pool, or give"
                    + " the container more memory: pinned memory cannot be swapped out.");
            failure.initCause(full);
            throw failure;
        }
    }

    @Override
    public HostRegistration register(MemorySegment memory) {
        requireNative(memory);
        within("pin " + memory.byteSize() + " bytes of existing memory", () -> driver.registerHost(memory, PORTABLE));
        AtomicBoolean registered = new AtomicBoolean(true);
        return () -> {
            if (registered.getAndSet(false)) {
                within("unpin existing memory", () -> driver.unregisterHost(memory.address()));
            }
        };
    }

    @Override
    public boolean isPinned(MemorySegment memory) {
        if (!memory.isNative() || memory.byteSize() == 0) {
            return false;
        }
        return pinnedAt(memory.address()) && pinnedAt(memory.address() + memory.byteSize() - 1);
    }

    /// The driver answers INVALID_VALUE for memory that it has never seen.
    private boolean pinnedAt(long address) {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment type = scratch.allocate(ValueLayout.JAVA_INT);
            int result = resultOf(() -> driver.pointerAttribute(type, MEMORY_TYPE, address));
            if (result == CudaErrors.INVALID_VALUE) {
                return false;
            }
            check(result, "ask whether memory is pinned");
            return type.get(ValueLayout.JAVA_INT, 0) == MEMORY_TYPE_HOST;
        }
    }

    @Override
    public DeviceMemory allocate(long byteSize) {
        if (byteSize < 1) {
            throw new IllegalArgumentException("byteSize must be at least 1 but was " + byteSize);
        }
        long address = created("allocate " + byteSize + " bytes", pointer -> driver.allocate(pointer, byteSize));
        return DeviceMemory.of(
                address, byteSize, () -> within("free " + byteSize + " bytes", () -> driver.free(address)));
    }

    @Override
    public DeviceStream openStream() {
        return new CudaStream(this, created("create a stream", pointer -> driver.createStream(pointer, NON_BLOCKING)));
    }

    @Override
    public DeviceEvent newEvent() {
        return new CudaEvent(
                this, created("create an event", pointer -> driver.createEvent(pointer, SLEEPING_UNTIMED)));
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            arena.close();
            errors.check(driver.releaseContext(device), "release " + properties.label());
        }
    }

    CudaDriver driver() {
        return driver;
    }

    /// Runs a call of the driver in the device's context and throws unless it succeeds.
    void within(String doing, IntSupplier call) {
        check(resultOf(call), doing);
    }

    /// Throws unless `result` is success.
    void check(int result, String doing) {
        if (result != CudaErrors.SUCCESS) {
            throw errors.failure(result, doing + " (" + properties.label() + ")");
        }
    }

    /// Runs a call of the driver in the device's context and returns its result.
    int resultOf(IntSupplier call) {
        enter();
        try {
            return call.getAsInt();
        } finally {
            leave();
        }
    }

    private void enter() {
        if (closed.get()) {
            throw new IllegalStateException(properties.label() + " was closed");
        }
        errors.check(driver.pushContext(context), "use " + properties.label());
    }

    private void leave() {
        errors.check(driver.popContext(popped), "leave " + properties.label());
    }

    static void requireNative(MemorySegment memory) {
        if (!memory.isNative()) {
            throw new IllegalArgumentException("a device copies only memory outside the heap, but this segment of "
                    + memory.byteSize() + " bytes lies on it. Use a tensor of a BufferPool.");
        }
    }

    /// What a call of the driver wrote through a pointer.
    private long created(String doing, Creation call) {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment pointer = scratch.allocate(ValueLayout.JAVA_LONG);
            within(doing, () -> call.into(pointer));
            return CudaLibrary.word(pointer);
        }
    }

    /// A function that writes a handle.
    private interface Creation {
        int into(MemorySegment pointer);
    }

    @Override
    public String toString() {
        return "Device[" + properties.label() + (closed.get() ? ", closed]" : "]");
    }
}
