/// Batches in ONNX Runtime, and its results, without a copy.
// ONNX Runtime has no module descriptor, only a name.
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"})
@org.jspecify.annotations.NullMarked
module org.jspdl.onnx {
    requires static org.jspecify;
    requires transitive com.microsoft.onnxruntime;
    requires transitive org.jspdl.core;

    exports org.jspdl.onnx;
}
