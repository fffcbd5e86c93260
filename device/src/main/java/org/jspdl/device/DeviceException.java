package org.jspdl.device;

/// The driver refused something, or something failed on the device.
public class DeviceException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /// @param message what failed and what to do about it
    public DeviceException(String message) {
        super(message);
    }
}
