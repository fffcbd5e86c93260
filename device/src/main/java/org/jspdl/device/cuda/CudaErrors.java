package org.jspdl.device.cuda;

import java.util.Locale;
import org.jspdl.device.DeviceException;
import org.jspdl.device.DeviceOutOfMemoryException;
import org.jspdl.device.DeviceUnavailableException;

/// The driver's results (`CUresult`) as exceptions that say what to do.
final class CudaErrors {
    static final int SUCCESS = 0;
    static final int INVALID_VALUE = 1;
    static final int OUT_OF_MEMORY = 2;
    static final int NO_DEVICE = 100;
    static final int NOT_READY = 600;

    private final CudaDriver driver;

    CudaErrors(CudaDriver driver) {
        this.driver = driver;
    }

    /// Throws unless `result` is success.
    ///
    /// @param doing what was tried, as `synchronize a stream of device 0`
    void check(int result, String doing) {
        if (result != SUCCESS) {
            throw failure(result, doing);
        }
    }

    DeviceException failure(int result, String doing) {
        String name = driver.errorName(result);
        String message = String.format(
                Locale.ROOT,
                "cannot %s: %s (%d%s).%s",
                doing,
                name.isEmpty() ? "unknown error" : name,
                result,
                driver.errorText(result).isEmpty() ? "" : ": " + driver.errorText(result),
                advice(result));
        return switch (result) {
            case OUT_OF_MEMORY -> new DeviceOutOfMemoryException(message);
            case 3, 34, 35, 36, NO_DEVICE, 101, 304, 802, 803, 804, 999 -> new DeviceUnavailableException(message);
            default -> new DeviceException(message);
        };
    }

    private static String advice(int result) {
        return switch (result) {
            case OUT_OF_MEMORY -> " Use smaller batches or fewer slots, or free memory of the device (see nvidia-smi).";
            case NO_DEVICE, 101 ->
                " Look at `nvidia-smi -L` and at CUDA_VISIBLE_DEVICES; start a container with its GPUs (--gpus all).";
            case 34 -> " The library found is the stub of the CUDA toolkit: take its folder off LD_LIBRARY_PATH.";
            case 36, 803, 804 ->
                " The driver's library and its kernel module are of different versions: restart after an update, or"
                        + " remove the compatibility package from the container.";
            case 304, 999 -> " The driver's device files may be missing: look at /dev/nvidia* and at `nvidia-smi`.";
            case 802 -> " The system's NVSwitch fabric is not ready: see that nvidia-fabricmanager runs.";
            case 712 -> " This memory, or a part of its pages, is pinned already.";
            case 700, 710, 714, 715, 716, 717, 718, 719 ->
                " A kernel before this call failed and the context is lost: end the process, and find it by"
                        + " `compute-sanitizer`.";
            default -> "";
        };
    }
}
