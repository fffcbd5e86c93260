package org.jspdl.device.plan;

import java.util.List;
import java.util.Optional;
import org.jspdl.device.Device;
import org.jspdl.device.DeviceBatch;
import org.jspdl.device.DeviceTransfer;
import org.jspdl.device.cuda.CudaDevices;
import org.jspdl.pipeline.StageFunction;
import org.jspdl.plan.Arguments;
import org.jspdl.plan.Operation;
import org.jspdl.plan.OperationProvider;
import org.jspdl.plan.Parameter;
import org.jspdl.plan.TypeToken;

/// The operation that takes batches to a device: `to-device`, with the number of the `device` and of its `slots`.
///
/// It makes a [DeviceBatch] of whatever [DeviceTransfer#batchToDevice] takes. A program that has a [Device] already
/// offers it by [org.jspdl.plan.PlanContext#offer], and the parameter `device` then means nothing.
public final class DeviceOperations implements OperationProvider {
    private static final Parameter<Integer> DEVICE =
            Parameter.count("device", 0, 1023).orElse(0);
    private static final Parameter<Integer> SLOTS =
            Parameter.count("slots", 1, 1024).orElse(3);

    /// For `ServiceLoader`.
    public DeviceOperations() {}

    @Override
    public List<String> names() {
        return List.of("to-device");
    }

    @Override
    public List<Operation> operations() {
        return List.of(Operation.function(
                "to-device",
                TypeToken.of(Object.class),
                TypeToken.of(DeviceBatch.class),
                DeviceOperations::transfer,
                DEVICE,
                SLOTS));
    }

    private static StageFunction<Object, DeviceBatch> transfer(Arguments given) {
        Optional<Device> offered = given.offered(Device.class);
        Device device = offered.isPresent() ? offered.get() : given.keep(CudaDevices.open(given.get(DEVICE)));
        DeviceTransfer transfer = given.keep(DeviceTransfer.open(device, given.get(SLOTS)));
        return transfer::batchToDevice;
    }
}
