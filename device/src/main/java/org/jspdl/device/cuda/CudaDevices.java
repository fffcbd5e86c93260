package org.jspdl.device.cuda;

import java.util.List;
import org.jspdl.device.Device;
import org.jspdl.device.DeviceProperties;
import org.jspdl.device.DeviceUnavailableException;

/// The CUDA devices of this process, counted as `CUDA_VISIBLE_DEVICES` leaves them.
///
/// The driver's library is loaded by the first call and stays. Safe for any thread.
public final class CudaDevices {
    private CudaDevices() {}

    /// Opens device `index`; the caller closes it.
    ///
    /// The device's primary context is used, which frameworks in the same process share.
    ///
    /// @throws DeviceUnavailableException if there is no driver or no such device, saying what to do
    public static Device open(int index) {
        return CudaLibrary.system().open(index);
    }

    /// What every device is; empty if this process sees none.
    ///
    /// @throws DeviceUnavailableException if there is no driver, or it does not work
    public static List<DeviceProperties> list() {
        return CudaLibrary.system().list();
    }
}
