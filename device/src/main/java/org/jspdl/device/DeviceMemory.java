package org.jspdl.device;

/// A piece of a device's memory, freed when it is closed; closing again is harmless.
///
/// Copies and kernels that use it must have ended before.
public interface DeviceMemory extends AutoCloseable {
    /// Where it begins, in the device's address space: not to be read by this processor.
    long address();

    /// How many bytes there are.
    long byteSize();

    @Override
    void close();
}
