/// Batches in the memory of a GPU.
@org.jspecify.annotations.NullMarked
module org.jspdl.device {
    requires static org.jspecify;
    requires transitive org.jspdl.core;
    requires transitive org.jspdl.plan;

    exports org.jspdl.device;
    exports org.jspdl.device.cuda;
    exports org.jspdl.device.dlpack;
    exports org.jspdl.device.fake;

    provides org.jspdl.plan.OperationProvider with
            org.jspdl.device.plan.DeviceOperations;
}
