package org.jspdl.device.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.jspdl.device.Device;
import org.jspdl.device.DeviceEvent;
import org.jspdl.device.DeviceException;
import org.jspdl.device.DeviceMemory;
import org.jspdl.device.DeviceMemoryUse;
import org.jspdl.device.DeviceOutOfMemoryException;
import org.jspdl.device.DeviceProperties;
import org.jspdl.device.DeviceStream;
import org.jspdl.device.DeviceTensor;
import org.jspdl.device.DeviceTransfer;
import org.jspdl.device.DeviceUnavailableException;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.memory.Tensor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CudaDeviceTest {
    private final StandIn driver = StandIn.fresh();

    @AfterEach
    void noContextStaysOnTheThread() {
        assertThat(driver.contexts()).isZero();
        assertThat(driver.allocations()).isZero();
    }

    @Test
    void devicesAreListedWithTheirProperties() {
        List<DeviceProperties> devices = CudaLibrary.of(StandIn.file()).list();

        assertThat(devices)
                .hasSize(2)
                .last()
                .isEqualTo(new DeviceProperties(
                        1,
                        "Stand-in 41",
                        "GPU-00112233-4455-6677-8899-aabbccddeeff",
                        "0000:3b:04",
                        80L << 30,
                        9,
                        0,
                        132,
                        3,
                        "13.1"));
        assertThat(driver.log()).startsWith("cuInit 0");
    }

    @Test
    void aDeviceIsItsPrimaryContextHeldWhileOpen() {
        Device device = CudaLibrary.of(StandIn.file()).open(1);
        assertThat(device.memoryUse()).isEqualTo(new DeviceMemoryUse(123, 80L << 30));
        device.close();
        device.close();

        assertThat(driver.log())
                .containsSubsequence(
                        "cuDevicePrimaryCtxRetain 41", "cuMemGetInfo_v2", "cuDevicePrimaryCtxRelease_v2 41")
                .filteredOn(call -> call.startsWith("cuDevicePrimaryCtxRelease"))
                .hasSize(1);
        assertThatThrownBy(device::newEvent).hasMessageContaining("was closed");
    }

    @Test
    void aTransferMakesTheseCallsInThisOrder() throws Exception {
        try (Device device = CudaLibrary.of(StandIn.file()).open(0);
                BufferPool pool = BufferPool.create("pinned", 1 << 20, device.pinnedSlabs())) {
            DeviceTransfer transfer = DeviceTransfer.open(device, 1);
            Tensor host = Tensor.allocate(ElementType.UINT8, Shape.of(4096), pool);
            host.segment().fill((byte) 5);
            long source = host.segment().address();

            DeviceTensor there = transfer.toDevice(host);
            long address = there.addressOn(0x77);
            assertThat(pool.outstanding()).isEqualTo(1);
            there.closeAfter(0x77);
            try (DeviceTensor next = transfer.toDevice(Tensor.allocate(ElementType.UINT8, Shape.of(16), pool))) {
                assertThat(next.address()).isEqualTo(address);
            }
            transfer.close();

            assertThat(driver.log())
                    .containsSubsequence(
                            "cuDevicePrimaryCtxRetain 40",
                            "cuStreamCreate 1",
                            "cuStreamCreate 1",
                            "cuEventCreate 3",
                            "cuEventCreate 3",
                            "cuMemHostAlloc 4096 1",
                            "cuMemAlloc_v2 65536",
                            String.format("cuMemcpyHtoDAsync_v2 %x %x 4096 5001", address, source),
                            "cuEventRecord e001 5001",
                            "cuStreamWaitEvent 77 e001 0",
                            "cuEventRecord e002 77",
                            "cuEventSynchronize e001",
                            "cuStreamWaitEvent 5001 e002 0",
                            "cuEventRecord e001 5001",
                            "cuEventSynchronize e001",
                            String.format("cuMemFree_v2 %x", address),
                            "cuEventDestroy_v2 e002",
                            "cuEventDestroy_v2 e001",
                            "cuStreamSynchronize 5001",
                            "cuStreamDestroy_v2 5002",
                            "cuStreamDestroy_v2 5001");
        }
    }

    @Test
    void contentGoesToTheDeviceAndBackWithAndWithoutPinnedMemory() throws Exception {
        try (Device device = CudaLibrary.of(StandIn.file()).open(0);
                BufferPool pinned = BufferPool.create("pinned", 64 << 20, device.pinnedSlabs());
                BufferPool pageable = BufferPool.create("pageable", 64 << 20);
                DeviceTransfer transfer = DeviceTransfer.open(device, 2)) {
            for (BufferPool pool : List.of(pinned, pageable)) {
                Tensor host = Tensor.allocate(ElementType.INT32, Shape.of(5 << 20), pool);
                for (int i = 0; i < 5 << 20; i++) {
                    host.segment().setAtIndex(ValueLayout.JAVA_INT, i, i * 31);
                }
                int[] expected = host.segment().toArray(ValueLayout.JAVA_INT);

                try (DeviceTensor there = transfer.toDevice(host);
                        Tensor back = there.toHost(pinned)) {
                    assertThat(back.segment().toArray(ValueLayout.JAVA_INT)).isEqualTo(expected);
                }
            }
            assertThat(transfer.stats().stagedBytes()).isEqualTo(20 << 20);
        }
    }

    @Test
    void existingMemoryIsPinnedWhileRegistered() {
        try (Device device = CudaLibrary.of(StandIn.file()).open(0);
                Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(8192);
            assertThat(device.isPinned(memory)).isFalse();
            var registered = device.register(memory);
            assertThat(device.isPinned(memory.asSlice(100, 10))).isTrue();
            registered.close();
            registered.close();
            assertThat(device.isPinned(memory)).isFalse();
            assertThatThrownBy(() -> device.register(MemorySegment.ofArray(new byte[10])))
                    .hasMessageContaining("outside the heap");
        }
    }

    @Test
    void anEventIsReachedWhenTheDriverSaysSo() {
        try (Device device = CudaLibrary.of(StandIn.file()).open(0);
                DeviceStream stream = device.openStream();
                DeviceEvent event = device.newEvent()) {
            event.record(stream.handle());
            driver.notReady(1);
            assertThat(event.isReached()).isFalse();
            assertThat(event.isReached()).isTrue();
            driver.fail("cuEventQuery", 700);
            assertThatThrownBy(event::isReached).isExactlyInstanceOf(DeviceException.class);
        }
    }

    @Test
    void aDeviceThatIsNotThereIsNamed() {
        CudaLibrary devices = CudaLibrary.of(StandIn.file());
        assertThatThrownBy(() -> devices.open(2))
                .isInstanceOf(DeviceUnavailableException.class)
                .hasMessageContaining("no CUDA device 2: this process sees 2")
                .hasMessageContaining("CUDA_VISIBLE_DEVICES");
    }

    @ParameterizedTest
    @CsvSource({
        "100, CUDA_ERROR_NO_DEVICE (100). Look at `nvidia-smi -L`",
        "34,  unknown error (34). The library found is the stub",
        "803, are of different versions"
    })
    void aDriverThatDoesNotStartSaysWhatToDo(int code, String text) {
        driver.fail("cuInit", code);
        assertThatThrownBy(() -> CudaLibrary.of(StandIn.file()))
                .isInstanceOf(DeviceUnavailableException.class)
                .hasMessageStartingWith("cannot initialize the CUDA driver: ")
                .hasMessageContaining(text);
    }

    @Test
    void memoryThatIsNotThereIsToldApart() {
        try (Device device = CudaLibrary.of(StandIn.file()).open(0)) {
            driver.fail("cuMemAlloc_v2", 2);
            assertThatThrownBy(() -> device.allocate(99))
                    .isInstanceOf(DeviceOutOfMemoryException.class)
                    .hasMessageContaining(
                            "cannot allocate 99 bytes (device 0 (Stand-in 40)): CUDA_ERROR_OUT_OF_MEMORY (2: out of memory)");
            driver.fail("cuMemHostAlloc", 2);
            assertThatThrownBy(() -> device.pinnedSlabs().allocate(4096))
                    .isInstanceOf(DeviceOutOfMemoryException.class)
                    .hasMessageContaining("the host has no 4096 bytes left that can be pinned");
        }
    }

    @ParameterizedTest
    @CsvSource({"cuStreamCreate", "cuEventCreate"})
    void aTransferThatCannotBeOpenedLeavesNothingBehind(String function) {
        try (Device device = CudaLibrary.of(StandIn.file()).open(0)) {
            driver.fail(function, 2);
            assertThatThrownBy(() -> DeviceTransfer.open(device, 3)).isInstanceOf(DeviceOutOfMemoryException.class);
        }
        assertThat(count("cuStreamDestroy_v2")).isEqualTo(function.equals("cuEventCreate") ? 2 : 0);
    }

    @Test
    void memoryIsFreedOnce() {
        try (Device device = CudaLibrary.of(StandIn.file()).open(0)) {
            DeviceMemory memory = device.allocate(100);
            memory.close();
            memory.close();
            assertThatThrownBy(memory::address).hasMessageContaining("already freed");
        }
        assertThat(count("cuMemFree_v2")).isEqualTo(1);
    }

    private long count(String function) {
        return driver.log().stream().filter(call -> call.startsWith(function)).count();
    }
}
