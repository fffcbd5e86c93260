package org.jspdl.device;

/// A piece of a device's memory, freed when it is closed; closing again is harmless.
///
/// Copies and kernels that use it must have ended before.
public interface DeviceMemory extends AutoCloseable {
    /// Memory of an implementation of [Device].
    ///
    /// @param address in the device's address space
    /// @param free    frees it; called once
    static DeviceMemory of(long address, long byteSize, Runnable free) {
        return new OwnedMemory(address, byteSize, free);
    }

    /// Where it begins, in the device's address space: not to be read by this processor.
    ///
    /// @throws IllegalStateException if it was freed
    long address();

    /// How many bytes there are.
    long byteSize();

    @Override
    void close();
}
