package org.jspdl.device;

/// What a device is.
///
/// @param index           its number in this process
/// @param name            as the driver gives it
/// @param uuid            the same wherever the device is seen, in the form that `nvidia-smi -L` prints
/// @param pciAddress      domain, bus and device, as `0000:3b:00`
/// @param memoryBytes     the memory it has
/// @param computeMajor    the first number of its compute capability
/// @param computeMinor    the second
/// @param multiprocessors how many it has
/// @param copyEngines     how many copies run beside computing; with 2, one in each direction
/// @param driverVersion   the version of CUDA that the driver knows, as `13.1`
public record DeviceProperties(
        int index,
        String name,
        String uuid,
        String pciAddress,
        long memoryBytes,
        int computeMajor,
        int computeMinor,
        int multiprocessors,
        int copyEngines,
        String driverVersion) {
    /// `device 0 (NVIDIA H100)`.
    public String label() {
        return "device " + index + " (" + name + ")";
    }
}
