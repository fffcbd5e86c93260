package org.jspdl.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jspdl.device.DeviceTransferTest.filled;

import java.util.List;
import java.util.ServiceLoader;
import org.jspdl.device.fake.FakeDevice;
import org.jspdl.leakcheck.LeakProbe;
import org.jspdl.memory.BufferPool;
import org.junit.jupiter.api.Test;

class TransferLeakProbeTest {
    @Test
    void openTransfersAndBatchesThatAreOutAreTold() throws Exception {
        try (FakeDevice device = FakeDevice.of(1 << 20);
                BufferPool pool = BufferPool.create("pool", 1 << 20, device.pinnedSlabs())) {
            try (DeviceTransfer transfer = DeviceTransfer.open(device, 2)) {
                DeviceTensor batch = transfer.toDevice(filled(pool, 10, 1));
                assertThat(told()).hasSize(2);
                assertThat(told().getFirst()).contains("transfer to", "is open");
                assertThat(told().getLast()).contains("has 1 batches out");

                batch.close();

                assertThat(told()).hasSize(1);
            }
            assertThat(told()).isEmpty();
        }
    }

    private static List<String> told() {
        return ServiceLoader.load(LeakProbe.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(probe -> probe.name().equals("transfers to devices"))
                .findFirst()
                .orElseThrow()
                .leaks();
    }
}
