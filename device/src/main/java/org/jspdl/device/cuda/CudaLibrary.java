package org.jspdl.device.cuda;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspdl.device.Device;
import org.jspdl.device.DeviceProperties;
import org.jspdl.device.DeviceUnavailableException;

/// The devices of one driver library.
final class CudaLibrary {
    private static final String LIBRARY = "libcuda.so.1";
    private static final String LIBRARY_PROPERTY = "jspdl.cuda.library";

    private static final int MULTIPROCESSORS = 16;
    private static final int PCI_BUS = 33;
    private static final int PCI_DEVICE = 34;
    private static final int COPY_ENGINES = 40;
    private static final int PCI_DOMAIN = 50;
    private static final int COMPUTE_MAJOR = 75;
    private static final int COMPUTE_MINOR = 76;

    private final CudaDriver driver;
    private final CudaErrors errors;

    private CudaLibrary(CudaDriver driver) {
        this.driver = driver;
        this.errors = new CudaErrors(driver);
    }

    /// The devices of the machine's driver, which is loaded by the first call and stays.
    ///
    /// @throws DeviceUnavailableException if there is none, or it does not start
    static CudaLibrary system() {
        return Installed.DEVICES.orThrow();
    }

    /// The devices of the library at `file`, which is initialized by this call and stays loaded.
    @SuppressWarnings("restricted")
    static CudaLibrary of(Path file) {
        return initialized(SymbolLookup.libraryLookup(file, Arena.global()));
    }

    @SuppressWarnings("restricted")
    private static CudaLibrary find() {
        String given = System.getProperty(LIBRARY_PROPERTY, "");
        try {
            return given.isEmpty()
                    ? initialized(SymbolLookup.libraryLookup(LIBRARY, Arena.global()))
                    : of(Path.of(given).toAbsolutePath());
        } catch (IllegalArgumentException absent) {
            throw new DeviceUnavailableException("no CUDA driver: "
                    + (given.isEmpty() ? LIBRARY + " is not on the system's library path" : given + " cannot be loaded")
                    + ". Install NVIDIA's driver, start a container with its GPUs (--gpus all), or set "
                    + LIBRARY_PROPERTY + " to the library.");
        } catch (UnsatisfiedLinkError old) {
            throw new DeviceUnavailableException(
                    "the CUDA driver is too old: " + old.getMessage() + ". Release 450 or newer is needed.");
        }
    }

    private static CudaLibrary initialized(SymbolLookup library) {
        CudaLibrary devices = new CudaLibrary(new CudaDriver(library));
        devices.errors.check(devices.driver.init(), "initialize the CUDA driver");
        return devices;
    }

    /// What every device is.
    List<DeviceProperties> list() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocate(ValueLayout.JAVA_INT);
            errors.check(driver.deviceCount(value), "count the CUDA devices");
            int count = value.get(ValueLayout.JAVA_INT, 0);
            List<DeviceProperties> found = new ArrayList<>(count);
            for (int index = 0; index < count; index++) {
                found.add(properties(index, device(index)));
            }
            return found;
        }
    }

    /// Opens device `index`; the caller closes it.
    Device open(int index) {
        int count = list().size();
        if (index < 0 || index >= count) {
            throw new DeviceUnavailableException("there is no CUDA device " + index + ": this process sees " + count
                    + ", counted from 0. Look at `nvidia-smi -L` and at CUDA_VISIBLE_DEVICES; start a container with"
                    + " its GPUs (--gpus all).");
        }
        int device = device(index);
        DeviceProperties properties = properties(index, device);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment context = arena.allocate(ValueLayout.JAVA_LONG);
            errors.check(driver.retainContext(context, device), "open " + properties.label());
            return new CudaDevice(driver, errors, properties, device, word(context));
        }
    }

    private int device(int index) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment device = arena.allocate(ValueLayout.JAVA_INT);
            errors.check(driver.device(device, index), "find CUDA device " + index);
            return device.get(ValueLayout.JAVA_INT, 0);
        }
    }

    private DeviceProperties properties(int index, int device) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment name = arena.allocate(256);
            MemorySegment uuid = arena.allocate(16);
            MemorySegment bytes = arena.allocate(ValueLayout.JAVA_LONG);
            MemorySegment version = arena.allocate(ValueLayout.JAVA_INT);
            String doing = "read the properties of CUDA device " + index;
            errors.check(driver.deviceName(name, device), doing);
            errors.check(driver.deviceUuid(uuid, device), doing);
            errors.check(driver.deviceMemory(bytes, device), doing);
            errors.check(driver.driverVersion(version), doing);
            int release = version.get(ValueLayout.JAVA_INT, 0);
            return new DeviceProperties(
                    index,
                    name.getString(0),
                    uuid(uuid.toArray(ValueLayout.JAVA_BYTE)),
                    String.format(
                            java.util.Locale.ROOT,
                            "%04x:%02x:%02x",
                            attribute(PCI_DOMAIN, device),
                            attribute(PCI_BUS, device),
                            attribute(PCI_DEVICE, device)),
                    word(bytes),
                    attribute(COMPUTE_MAJOR, device),
                    attribute(COMPUTE_MINOR, device),
                    attribute(MULTIPROCESSORS, device),
                    attribute(COPY_ENGINES, device),
                    release / 1000 + "." + release % 1000 / 10);
        }
    }

    private int attribute(int attribute, int device) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocate(ValueLayout.JAVA_INT);
            errors.check(driver.deviceAttribute(value, attribute, device), "read attribute " + attribute);
            return value.get(ValueLayout.JAVA_INT, 0);
        }
    }

    private static String uuid(byte[] bytes) {
        String hex = HexFormat.of().formatHex(bytes);
        return "GPU-" + hex.substring(0, 8) + "-" + hex.substring(8, 12) + "-" + hex.substring(12, 16) + "-"
                + hex.substring(16, 20) + "-" + hex.substring(20);
    }

    /// What was written at `pointer`: a handle, an address or a size.
    static long word(MemorySegment pointer) {
        return pointer.get(ValueLayout.JAVA_LONG, 0);
    }

    /// Found once; a machine without a driver says the same each time.
    private record Installed(
            @org.jspecify.annotations.Nullable CudaLibrary devices, String problem) {
        static final Installed DEVICES = look();

        private static Installed look() {
            try {
                return new Installed(find(), "");
            } catch (DeviceUnavailableException absent) {
                return new Installed(null, String.valueOf(absent.getMessage()));
            }
        }

        CudaLibrary orThrow() {
            if (devices == null) {
                throw new DeviceUnavailableException(problem);
            }
            return devices;
        }
    }
}
