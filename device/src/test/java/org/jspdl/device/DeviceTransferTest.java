package org.jspdl.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.pipeline.StageOptions.dedicated;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspdl.device.fake.FakeDevice;
import org.jspdl.device.fake.FakeDevice.Failure;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.memory.Tensor;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Run;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DeviceTransferTest {
    private static final long MIB = 1 << 20;

    private final FakeDevice device = FakeDevice.of(64 * MIB);
    private final BufferPool pinned = BufferPool.create("pinned", 64 * MIB, device.pinnedSlabs());
    private final BufferPool pageable = BufferPool.create("pageable", 64 * MIB);

    /// Both complain if something is left open.
    @AfterEach
    void everythingIsGivenBack() {
        pinned.close();
        pageable.close();
        device.close();
    }

    @Test
    void thePinnedSourceReturnsToItsPoolOnlyWhenItsCopyHasEnded() throws Exception {
        try (DeviceTransfer transfer = DeviceTransfer.open(device, 2);
                DeviceTensor there = transfer.toDevice(filled(pinned, 1000, 7))) {
            assertThat(pinned.outstanding()).isEqualTo(1);
            assertThat(there.isReady()).isFalse();

            long address = there.address();

            assertThat(pinned.outstanding()).isZero();
            assertThat(bytes(device.memory(address, 1000))).containsOnly(7);
            assertThat(transfer.stats().stagedBytes()).isZero();
        }
    }

    @Test
    void aSourceThatIsNotPinnedReturnsAtOnceAndArrivesInChunks() throws Exception {
        int length = (int) (21 * MIB + 13);
        try (DeviceTransfer transfer = DeviceTransfer.open(device, 1)) {
            Tensor host = Tensor.allocate(ElementType.UINT8, Shape.of(length), pageable);
            for (int i = 0; i < length; i++) {
                host.segment().set(ValueLayout.JAVA_BYTE, i, (byte) ((i * 31) >> 7));
            }
            byte[] expected = bytes(host.segment());

            try (DeviceTensor there = transfer.toDevice(host)) {
                assertThat(pageable.outstanding()).isZero();
                assertThat(bytes(device.memory(there.address(), length))).isEqualTo(expected);
            }
            assertThat(transfer.stats().stagedBytes()).isEqualTo(length);
        }
    }

    @Test
    void registeredMemoryIsCopiedWithoutStaging() throws Exception {
        try (DeviceTransfer transfer = DeviceTransfer.open(device, 1)) {
            Tensor host = filled(pageable, 100, 3);
            try (var registered = device.register(host.segment());
                    DeviceTensor there = transfer.toDevice(host)) {
                assertThat(bytes(device.memory(there.address(), 100))).containsOnly(3);
                assertThat(registered).isNotNull();
            }
            assertThat(transfer.stats().stagedBytes()).isZero();
        }
    }

    @Test
    void aPipelineDeliversEveryBatchIntoTheSameDeviceMemory() throws Exception {
        List<Integer> seen = new ArrayList<>();
        try (DeviceTransfer transfer = DeviceTransfer.open(device, 3)) {
            Pipeline<DeviceTensor> loading = Pipeline.from(
                            IntStream.range(0, 2000).boxed().toList())
                    .map(number -> filled(number % 3 == 0 ? pageable : pinned, 64, number))
                    .pipe("upload", transfer::toDevice, dedicated());
            try (Run<DeviceTensor> run = loading.start()) {
                for (DeviceTensor batch : run) {
                    try (batch) {
                        byte[] content = bytes(device.memory(batch.address(), 64));
                        assertThat(content).containsOnly(content[0]);
                        seen.add((int) content[0] & 0xff);
                    }
                }
            }
            assertThat(transfer.stats().batches()).isEqualTo(2000);
            assertThat(transfer.stats().bytes()).isEqualTo(2000 * 64);
        }
        assertThat(seen)
                .isEqualTo(IntStream.range(0, 2000).mapToObj(i -> i & 0xff).toList());
        assertThat(device.allocations()).isEqualTo(3);
    }

    @Test
    void aCancelledRunGivesEverySlotBack() throws Exception {
        try (DeviceTransfer transfer = DeviceTransfer.open(device, 2)) {
            Pipeline<DeviceTensor> loading = Pipeline.from(
                            IntStream.range(0, 1000).boxed().toList())
                    .map(number -> filled(pinned, 64, number))
                    .pipe("upload", transfer::toDevice, dedicated());
            try (Run<DeviceTensor> run = loading.start()) {
                run.iterator().next().close();
            }
        }
    }

    @Test
    void aSlotIsOverwrittenOnlyAfterTheStreamThatReadsIt() throws Exception {
        long training = device.frameworkStream();
        List<Byte> read = new ArrayList<>();
        try (DeviceTransfer transfer = DeviceTransfer.open(device, 1)) {
            for (int step = 1; step <= 3; step++) {
                DeviceTensor batch = transfer.toDevice(filled(pinned, 10, step));
                long address = batch.addressOn(training);
                device.launch(training, () -> read.add(bytes(device.memory(address, 10))[9]));
                batch.closeAfter(training);
            }
            device.finish(training);
        }
        assertThat(read).containsExactly((byte) 1, (byte) 2, (byte) 3);
    }

    @Test
    void tensorsOfOneBatchThatTwoStreamsReadAreOverwrittenAfterBoth() throws Exception {
        long first = device.frameworkStream();
        long second = device.frameworkStream();
        List<Byte> read = new ArrayList<>();
        try (DeviceTransfer transfer = DeviceTransfer.open(device, 1)) {
            var batch = transfer.batchToDevice(List.of(filled(pinned, 10, 1), filled(pinned, 10, 2)));
            readLate(batch.tensor("0"), first, read);
            readLate(batch.tensor("1"), second, read);

            try (DeviceTensor next = transfer.toDevice(filled(pinned, 1024, 9))) {
                assertThat(bytes(device.memory(next.address(), 1024))).containsOnly(9);
            }
        }
        assertThat(read).containsExactlyInAnyOrder((byte) 1, (byte) 2);
    }

    private void readLate(DeviceTensor tensor, long stream, List<Byte> read) {
        long address = tensor.addressOn(stream);
        device.launch(stream, () -> read.add(bytes(device.memory(address, 10))[0]));
        tensor.closeAfter(stream);
    }

    @Test
    void aFullRingWaitsAndCanBeInterrupted() throws Exception {
        try (DeviceTransfer transfer = DeviceTransfer.open(device, 1);
                Tensor refused = filled(pinned, 10, 2)) {
            try (DeviceTensor only = transfer.toDevice(filled(pinned, 10, 1))) {
                Thread.currentThread().interrupt();
                assertThatThrownBy(() -> transfer.toDevice(refused)).isInstanceOf(InterruptedException.class);
                assertThat(only.address()).isPositive();
            }
            assertThat(bytes(refused.segment())).containsOnly(2);
            transfer.toDevice(filled(pinned, 10, 3)).close();
        }
    }

    @Test
    void aFullDeviceIsExplainedAndSmallerBatchesStillFit() throws Exception {
        try (DeviceTransfer transfer = DeviceTransfer.open(device, 2);
                Tensor first = filled(pageable, (int) (40 * MIB), 1);
                BufferPool more = BufferPool.create("more", 64 * MIB);
                Tensor second = filled(more, (int) (40 * MIB), 1)) {
            try (DeviceTensor fits = transfer.toDevice(first)) {
                assertThatThrownBy(() -> transfer.toDevice(second))
                        .isInstanceOf(DeviceOutOfMemoryException.class)
                        .hasMessageContaining("41,943,040 bytes")
                        .hasMessageContaining("25,165,824 of 67,108,864 are free")
                        .hasMessageContaining("2 slots");
                assertThat(fits.shape()).isEqualTo(Shape.of(40 * MIB));
            }
            assertThat(second.segment().get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 1);
        }
    }

    @Test
    void afterAFailureHalfwayTheSourcesAreUntouchedAndNothingRuns() throws Exception {
        try (DeviceTransfer transfer = DeviceTransfer.open(device, 1);
                Tensor first = filled(pinned, 10, 1);
                Tensor second = filled(pinned, 10, 2)) {
            device.failNext(Failure.QUEUE, new DeviceException("injected"));
            assertThatThrownBy(() -> transfer.batchToDevice(List.of(first, second)))
                    .hasMessage("injected");

            assertThat(pinned.outstanding()).isEqualTo(2);
            assertThat(bytes(first.segment())).containsOnly(1);
            try (DeviceTensor again = transfer.toDevice(filled(pinned, 10, 5))) {
                assertThat(bytes(device.memory(again.address(), 10))).containsOnly(5);
            }
        }
    }

    @Test
    void aCopyThatFailsLaterFailsWhoeverWaitsForIt() throws Exception {
        DeviceTransfer transfer = DeviceTransfer.open(device, 1);
        device.failNext(Failure.COPY, new DeviceException("lost context"));
        DeviceTensor there = transfer.toDevice(filled(pinned, 10, 1));

        assertThatThrownBy(there::address).hasMessage("lost context");
        there.close();

        assertThatThrownBy(transfer::close).hasMessage("lost context");
        assertThat(pinned.outstanding()).isZero();
    }

    @Test
    void closingTooEarlyIsNamedAndWhatIsOutIsFreedLater() throws Exception {
        DeviceTransfer transfer = DeviceTransfer.open(device, 2);
        DeviceTensor out = transfer.toDevice(filled(pinned, 10, 1));

        assertThatThrownBy(transfer::close).hasMessageContaining("1 batch still out");
        try (Tensor late = filled(pageable, 1, 1)) {
            assertThatThrownBy(() -> transfer.toDevice(late)).hasMessageContaining("was closed");
        }
        out.close();

        assertThat(device.heldBytes()).isZero();
        assertThat(pinned.outstanding()).isZero();
    }

    @Test
    void aDecoderOnTheDeviceWritesIntoASlotOfTheRing() throws Exception {
        try (DeviceTransfer transfer = DeviceTransfer.open(device, 1)) {
            DeviceTensor decoded = transfer.fill(
                    ElementType.INT16,
                    Shape.of(2, 3),
                    (address, stream) -> device.launch(
                            stream, () -> device.memory(address, 12).fill((byte) 4)));
            try (decoded;
                    Tensor back = decoded.toHost(pinned)) {
                assertThat(back.shape()).isEqualTo(Shape.of(2, 3));
                assertThat(bytes(back.segment())).hasSize(12).containsOnly(4);
            }
            assertThatThrownBy(() -> transfer.fill(ElementType.UINT8, Shape.of(1), (address, stream) -> {
                        throw new java.io.IOException("bad stream");
                    }))
                    .hasMessage("bad stream");
            transfer.toDevice(filled(pinned, 1, 1)).close();
        }
    }

    @Test
    void slotsGrowToTheLargestBatchAndThenStay() throws Exception {
        try (DeviceTransfer transfer = DeviceTransfer.open(device, 2)) {
            for (int step = 0; step < 200; step++) {
                transfer.toDevice(filled(pinned, 1 + step * 7919 % 300_000, step))
                        .close();
            }
            int grown = device.allocations();
            for (int step = 0; step < 200; step++) {
                transfer.toDevice(filled(pinned, 1 + step * 7919 % 300_000, step))
                        .close();
            }
            assertThat(device.allocations()).isEqualTo(grown).isLessThan(20);
            assertThat(transfer.stats().heldBytes()).isEqualTo(device.heldBytes());
        }
    }

    static Tensor filled(BufferPool pool, int length, int value) {
        Tensor tensor = Tensor.allocate(ElementType.UINT8, Shape.of(length), pool);
        tensor.segment().fill((byte) value);
        return tensor;
    }

    static byte[] bytes(MemorySegment segment) {
        return segment.toArray(ValueLayout.JAVA_BYTE);
    }
}
