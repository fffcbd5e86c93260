package org.jspdl.device;

import java.lang.foreign.MemorySegment;
import org.jspdl.memory.SlabProvider;

/// A processor with memory of its own, such as a GPU, opened for copying to and from it.
///
/// All methods may be called from any thread; none changes what CUDA calls the current context of that thread. What was
/// made by a device is closed before the device. Methods that talk to the driver are native calls: they belong in a
/// `cpu` or `dedicated` stage, never in `io`.
public interface Device extends AutoCloseable {
    /// What the device is.
    DeviceProperties properties();

    /// How much of its memory is free at this moment, over all processes.
    DeviceMemoryUse memoryUse();

    /// Pinned host memory, from which copies run without the processor: for [org.jspdl.memory.BufferPool#create].
    ///
    /// Pinning is slow (milliseconds) and takes memory from the whole machine: use it for pools that live long. The
    /// pool is closed before the device.
    SlabProvider pinnedSlabs();

    /// Pins native memory that exists already, such as a mapped file that is shared with other processes.
    ///
    /// The caller keeps the memory alive until the registration is closed.
    ///
    /// @throws IllegalArgumentException if the memory lies on the heap
    HostRegistration register(MemorySegment memory);

    /// Whether copies from `memory` run without staging: it comes from [#pinnedSlabs], was registered, or was
    /// pinned by somebody else in this process.
    boolean isPinned(MemorySegment memory);

    /// Memory of the device, of undefined content, aligned to at least 256 bytes; the caller closes it.
    ///
    /// @throws DeviceOutOfMemoryException if the device has not enough
    DeviceMemory allocate(long byteSize);

    /// A new queue of copies; the caller closes it.
    DeviceStream openStream();

    /// A new mark that can be set in streams; the caller closes it.
    DeviceEvent newEvent();

    /// Releases the device; closing again is harmless.
    @Override
    void close();
}
