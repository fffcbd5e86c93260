/// Batches in ONNX Runtime, and its results, without a copy; its models as steps of plans.
// ONNX Runtime has no module descriptor, only a name.
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"})
@org.jspecify.annotations.NullMarked
module org.jspdl.onnx {
    requires static org.jspecify;
    requires transitive com.microsoft.onnxruntime;
    requires transitive org.jspdl.core;
    requires org.jspdl.plan;

    exports org.jspdl.onnx;

    provides org.jspdl.plan.model.ModelRuntime with
            org.jspdl.onnx.plan.OnnxModels;
}
