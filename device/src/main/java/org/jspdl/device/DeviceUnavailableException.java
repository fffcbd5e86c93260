package org.jspdl.device;

/// There is no driver, no device, or none that works.
public final class DeviceUnavailableException extends DeviceException {
    private static final long serialVersionUID = 1L;

    /// @param message what is missing and what to do about it
    public DeviceUnavailableException(String message) {
        super(message);
    }
}
