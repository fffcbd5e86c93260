package org.jspdl.onnx.plan;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspdl.plan.model.Model;
import org.jspdl.plan.model.ModelRuntime;

/// ONNX models for plans, by ONNX Runtime on the processor. Loads ONNX Runtime when the first model is opened.
public final class OnnxModels implements ModelRuntime {
    /// For `ServiceLoader`.
    public OnnxModels() {}

    @Override
    public List<String> endings() {
        return List.of(".onnx", ".ort");
    }

    @Override
    public Model open(String name, MemorySegment content) throws IOException {
        try {
            return OpenedModel.open(name, content);
        } catch (LinkageError missing) {
            throw new IOException(
                    "ONNX Runtime, which runs " + name + ", is not there: add its jar"
                            + " (com.microsoft.onnxruntime:onnxruntime) to the class path, beside jspdl-onnx ("
                            + missing
                            + ")",
                    missing);
        }
    }
}
