package org.jspdl.device;

/// The device, or the host for pinned memory, has not enough memory.
public final class DeviceOutOfMemoryException extends DeviceException {
    private static final long serialVersionUID = 1L;

    /// @param message what was asked for, what there was, and what to do about it
    public DeviceOutOfMemoryException(String message) {
        super(message);
    }
}
