package org.jspdl.device.check;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspdl.device.Device;
import org.jspdl.device.DeviceMemory;
import org.jspdl.device.DeviceStream;
import org.jspdl.device.DeviceTensor;
import org.jspdl.device.DeviceTransfer;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.memory.Tensor;

/// The measurements of [DeviceCheck]: times are in nanoseconds, rates in GB/s (10^9 bytes).
final class Figures implements AutoCloseable {
    static final Shape BATCH = Shape.of(64, 3, 224, 224);
    private static final long BATCH_BYTES = Tensor.byteSize(ElementType.FLOAT32, BATCH);

    private final Device device;
    private final BufferPool pool;
    private final DeviceTransfer transfer;
    private final DeviceStream compute;

    Figures(Device device) {
        this.device = device;
        this.pool = BufferPool.create("pinned", 16 * BATCH_BYTES, device.pinnedSlabs());
        this.transfer = DeviceTransfer.open(device, 3);
        this.compute = device.openStream();
    }

    /// The median rates of plain copies by the driver and of the transfer, over rounds that alternate.
    double[] rates(int rounds, int batches) throws InterruptedException {
        double[] plain = new double[rounds];
        double[] ours = new double[rounds];
        plainCopies(2);
        transferred(2);
        for (int round = 0; round < rounds; round++) {
            plain[round] = (double) batches * BATCH_BYTES / plainCopies(batches);
            ours[round] = (double) batches * BATCH_BYTES / transferred(batches);
        }
        return new double[] {median(plain), median(ours)};
    }

    /// What of the shorter of copying and computing disappears behind the other: 1 is all of it.
    double overlap(SpinKernel kernel, int rounds, int batches) throws InterruptedException {
        double[] overlaps = new double[rounds];
        for (int round = 0; round < rounds; round++) {
            long copying = transferred(batches);
            long start = System.nanoTime();
            kernel.launch(compute.handle(), copying);
            compute.synchronize();
            long computing = System.nanoTime() - start;

            start = System.nanoTime();
            kernel.launch(compute.handle(), copying);
            transferred(batches);
            compute.synchronize();
            long both = System.nanoTime() - start;
            overlaps[round] = (double) (copying + computing - both) / Math.min(copying, computing);
        }
        return median(overlaps);
    }

    /// By how many bytes the free memory of the device shrank from the 100th to the last of `batches` batches.
    long growth(int batches) throws InterruptedException {
        long before = 0;
        for (int batch = 0; batch < batches; batch++) {
            if (batch == 100) {
                before = device.memoryUse().freeBytes();
            }
            Tensor host = Tensor.allocate(ElementType.UINT8, Shape.of(1 + batch * 7919L % 200_000), pool);
            DeviceTensor there = transfer.toDevice(host);
            there.addressOn(compute.handle());
            there.closeAfter(compute.handle());
        }
        compute.synchronize();
        return before - device.memoryUse().freeBytes();
    }

    private long plainCopies(int batches) {
        try (Tensor host = Tensor.allocate(ElementType.FLOAT32, BATCH, pool);
                DeviceMemory there = device.allocate(BATCH_BYTES);
                DeviceStream stream = device.openStream()) {
            MemorySegment source = host.segment();
            long start = System.nanoTime();
            for (int batch = 0; batch < batches; batch++) {
                stream.copyToDevice(source, there.address());
            }
            stream.synchronize();
            return System.nanoTime() - start;
        }
    }

    /// As a pipeline would: each batch in a lease of its own, three on the device, released by the consumer's
    /// stream.
    private long transferred(int batches) throws InterruptedException {
        long start = System.nanoTime();
        DeviceTensor last = null;
        for (int batch = 0; batch < batches; batch++) {
            DeviceTensor there = transfer.toDevice(Tensor.allocate(ElementType.FLOAT32, BATCH, pool));
            if (last != null) {
                last.address();
                last.close();
            }
            last = there;
        }
        if (last != null) {
            last.address();
            last.close();
        }
        return System.nanoTime() - start;
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    @Override
    public void close() {
        try (pool;
                transfer;
                compute) {
            compute.synchronize();
        }
    }
}
