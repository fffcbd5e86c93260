package org.jspdl.device;

/// Queues work that writes a new tensor on the device: a decoder there, or a kernel.
@FunctionalInterface
public interface DeviceWriter {
    /// Queues the work and returns; it need not have ended.
    ///
    /// @param address where the elements belong, in the device's address space
    /// @param stream  the `CUstream` to queue it in
    void write(long address, long stream) throws Exception;
}
