package org.jspdl.device;

/// A mark in a stream, reached when everything queued before it has ended.
///
/// May be set again and again; each setting replaces the last. An event that was never set counts as reached.
public interface DeviceEvent extends AutoCloseable {
    /// Sets the mark behind everything that was queued so far in a stream, ours or a framework's.
    ///
    /// @param stream its [DeviceStream#handle], `CUstream` or `cudaStream_t`; 0 is the default stream
    void record(long stream);

    /// Lets what is queued from now on in a stream wait for this mark, without waiting itself.
    ///
    /// @param stream its [DeviceStream#handle], `CUstream` or `cudaStream_t`; 0 is the default stream
    void holdBack(long stream);

    /// Whether the mark was reached.
    ///
    /// @throws DeviceException if something failed on the device
    boolean isReached();

    /// Waits, without burning a processor, until the mark is reached.
    ///
    /// @throws DeviceException if something failed on the device
    void await();

    @Override
    void close();
}
