package org.jspdl.device;

import java.lang.foreign.MemorySegment;

/// A queue of copies that the device works off in order, beside computing and other streams.
///
/// May be used from any thread; copies run in the order of the calls. Closed when nothing runs in it.
public interface DeviceStream extends AutoCloseable {
    /// Begins a copy to the device and returns; the source must stay as it is until the copy has ended.
    ///
    /// From memory that is not pinned, the driver may copy before it returns.
    ///
    /// @throws IllegalArgumentException if `from` lies on the heap
    void copyToDevice(MemorySegment from, long toAddress);

    /// Begins a copy from the device and returns; the target may be read when the copy has ended.
    ///
    /// @throws IllegalArgumentException if `to` lies on the heap or cannot be written
    void copyToHost(long fromAddress, MemorySegment to);

    /// Waits until everything queued so far has ended.
    ///
    /// @throws DeviceException if a copy, or anything else on the device, failed
    void synchronize();

    /// The stream as the driver's library knows it (`CUstream`): for frameworks and for decoders on the device.
    long handle();

    @Override
    void close();
}
