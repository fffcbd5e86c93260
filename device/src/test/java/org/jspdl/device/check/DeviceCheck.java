package org.jspdl.device.check;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspdl.device.Device;
import org.jspdl.device.DeviceBatch;
import org.jspdl.device.DeviceOutOfMemoryException;
import org.jspdl.device.DeviceProperties;
import org.jspdl.device.DeviceTensor;
import org.jspdl.device.DeviceTransfer;
import org.jspdl.device.DeviceUnavailableException;
import org.jspdl.device.cuda.CudaDevices;
import org.jspdl.device.cuda.NvtxRanges;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.memory.Tensor;
import org.jspdl.stats.StageObserver;

/// Checks every capability of the module on a machine with a GPU, and measures. Run: `device/check`.
///
/// Prints one line for each check. The exit code is 1 if one failed. With `--quick` it measures briefly and judges no
/// figure: for the stand-in of the driver.
public final class DeviceCheck {
    private static boolean failed;

    private DeviceCheck() {}

    /// Runs all checks.
    ///
    /// @param arguments `--quick`, or none
    public static void main(String[] arguments) throws Exception {
        boolean quick = List.of(arguments).contains("--quick");
        try {
            for (DeviceProperties found : CudaDevices.list()) {
                IO.println(found);
            }
            try (Device device = CudaDevices.open(0)) {
                capabilities(device);
                figures(device, quick);
            }
        } catch (DeviceUnavailableException absent) {
            report(String.valueOf(absent.getMessage()), false);
        }
        System.exit(failed ? 1 : 0);
    }

    private static void capabilities(Device device) throws Exception {
        try (BufferPool pinned = BufferPool.create("pinned", 1 << 28, device.pinnedSlabs());
                BufferPool pageable = BufferPool.create("pageable", 1 << 28);
                DeviceTransfer transfer = DeviceTransfer.open(device, 2)) {
            report("pinned memory arrives and returns", roundTrip(transfer, pinned, pinned));
            report("memory that is not pinned does too", roundTrip(transfer, pageable, pinned));
            try (Tensor host = numbered(pageable)) {
                try (var registered = device.register(host.segment())) {
                    report("existing memory can be pinned", registered != null && device.isPinned(host.segment()));
                }
                report("and unpinned", !device.isPinned(host.segment()));
            }
            try (DeviceBatch batch = transfer.batchToDevice(
                            Map.of("image", numbered(pinned), "boxes", List.of(numbered(pinned), numbered(pageable))));
                    Tensor back = batch.tensor("boxes.1").toHost(pinned)) {
                report(
                        "nested batches arrive",
                        isNumbered(back) && batch.tensors().size() == 3);
            }
            batchesGiveTheirSourcesBack(transfer, pinned, pageable);
        }
        try {
            device.allocate(device.memoryUse().totalBytes() * 2).close();
            report("a full device is told apart", false);
        } catch (DeviceOutOfMemoryException full) {
            report("a full device is told apart: " + full.getMessage(), true);
        }
        try {
            CudaDevices.open(1000).close();
            report("a device that is not there is named", false);
        } catch (DeviceUnavailableException absent) {
            report("a device that is not there is named", true);
        }
        IO.println("NVTX: " + (NvtxRanges.observer() == StageObserver.disabled() ? "no library here" : "found"));
    }

    private static void batchesGiveTheirSourcesBack(DeviceTransfer transfer, BufferPool... pools) throws Exception {
        for (BufferPool pool : pools) {
            try (DeviceTensor there = transfer.toDevice(numbered(pool))) {
                there.address();
                report("sources are released to the pool " + pool.name(), pool.outstanding() == 0);
            }
        }
    }

    private static boolean roundTrip(DeviceTransfer transfer, BufferPool from, BufferPool to) throws Exception {
        try (DeviceTensor there = transfer.toDevice(numbered(from));
                Tensor back = there.toHost(to)) {
            return there.address() != 0 && isNumbered(back);
        }
    }

    private static Tensor numbered(BufferPool pool) {
        Tensor tensor = Tensor.allocate(ElementType.INT32, Shape.of(5_000_001), pool);
        for (int i = 0; i < 5_000_001; i++) {
            tensor.segment().setAtIndex(ValueLayout.JAVA_INT, i, i * 31);
        }
        return tensor;
    }

    private static boolean isNumbered(Tensor tensor) {
        MemorySegment segment = tensor.segment();
        for (int i = 0; i < 5_000_001; i++) {
            if (segment.getAtIndex(ValueLayout.JAVA_INT, i) != i * 31) {
                return false;
            }
        }
        return true;
    }

    private static void figures(Device device, boolean quick) throws InterruptedException {
        int rounds = quick ? 1 : 9;
        int batches = quick ? 2 : 200;
        try (Figures figures = new Figures(device);
                SpinKernel kernel =
                        new SpinKernel(library(), 0, device.properties().multiprocessors())) {
            double[] rates = figures.rates(rounds, batches);
            judge(
                    quick,
                    rates[1] / rates[0] >= 0.95,
                    "pinned copies: %.2f GB/s, plain copies by the driver %.2f GB/s:" + " ratio %.3f (wanted: 0.95)",
                    rates[1],
                    rates[0],
                    rates[1] / rates[0]);
            double overlap = figures.overlap(kernel, rounds, batches);
            judge(quick, overlap >= 0.95, "overlap with a busy kernel: %.3f (wanted: 0.95)", overlap);
            long growth = figures.growth(quick ? 200 : 10_000);
            judge(quick, growth <= 0, "device memory grew by %,d bytes over 10,000 batches (wanted: 0)", growth);
        }
    }

    @SuppressWarnings("restricted")
    private static SymbolLookup library() {
        String given = System.getProperty("jspdl.cuda.library", "");
        return given.isEmpty()
                ? SymbolLookup.libraryLookup("libcuda.so.1", Arena.global())
                : SymbolLookup.libraryLookup(Path.of(given), Arena.global());
    }

    private static void judge(boolean quick, boolean reached, String text, Object... figures) {
        report(String.format(Locale.ROOT, text, figures), quick || reached);
    }

    private static void report(String check, boolean good) {
        IO.println((good ? "ok      " : "FAILED  ") + check);
        failed |= !good;
    }
}
