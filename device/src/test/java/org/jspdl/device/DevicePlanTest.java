package org.jspdl.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.device.DeviceTransferTest.bytes;
import static org.jspdl.device.DeviceTransferTest.filled;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.jspdl.device.fake.FakeDevice;
import org.jspdl.memory.BufferPool;
import org.jspdl.pipeline.Run;
import org.jspdl.plan.CompiledPlan;
import org.jspdl.plan.Operation;
import org.jspdl.plan.OperationProvider;
import org.jspdl.plan.Operations;
import org.jspdl.plan.Plan;
import org.jspdl.plan.PlanContext;
import org.jspdl.plan.TypeToken;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DevicePlanTest {
    private final FakeDevice device = FakeDevice.of(1 << 20);
    private final BufferPool pinned = BufferPool.create("pinned", 1 << 20, device.pinnedSlabs());

    @AfterEach
    void everythingIsGivenBack() {
        assertThat(pinned.outstanding()).isZero();
        pinned.close();
        device.close();
    }

    @Test
    void aPlanTakesItsBatchesToTheDeviceThatIsOffered() {
        List<Byte> arrived = new ArrayList<>();
        try (CompiledPlan plan = compile("""
                        source: {range: {size: 20}}
                        steps:
                          - fill
                          - {to-device: {slots: 2}, dedicated: true}
                        """, PlanContext.in(Path.of("")).offer(Device.class, device));
                Run<?> run = plan.start()) {
            assertThat(plan.output()).isEqualTo(TypeToken.of(DeviceBatch.class));
            for (Object item : run) {
                try (DeviceBatch batch = (DeviceBatch) item) {
                    DeviceTensor tensor = batch.tensor("image");
                    arrived.add(bytes(device.memory(tensor.address(), 1))[0]);
                }
            }
        }
        assertThat(arrived).hasSize(20).startsWith((byte) 0, (byte) 1).endsWith((byte) 19);
    }

    @Test
    void aMachineWithoutTheDeviceIsToldSoBeforeTheFirstItem() {
        assertThatThrownBy(() -> compile("""
                        source: {range: {size: 20}}
                        steps:
                          - fill
                          - to-device: {device: 1000}
                        """, PlanContext.in(Path.of(""))))
                .hasMessageContaining("plan.yaml:4")
                .hasMessageContaining("CUDA");
    }

    private CompiledPlan compile(String plan, PlanContext context) {
        OperationProvider filling = () -> List.of(Operation.function(
                "fill",
                TypeToken.of(Long.class),
                TypeToken.of(Map.class),
                given -> number -> Map.of("image", filled(pinned, 5, number.intValue()))));
        List<OperationProvider> known = new ArrayList<>(List.of(filling));
        ServiceLoader.load(OperationProvider.class).forEach(known::add); // to-device among them
        return Plan.of("plan.yaml", plan).compile(Operations.of(known), context);
    }
}
