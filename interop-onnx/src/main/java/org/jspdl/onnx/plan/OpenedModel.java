package org.jspdl.onnx.plan;

import ai.onnxruntime.NodeInfo;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.OrtSession.SessionOptions;
import ai.onnxruntime.TensorInfo;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.onnx.ElementTypes;
import org.jspdl.onnx.OnnxEnvironment;
import org.jspdl.onnx.OnnxException;
import org.jspdl.plan.model.Model;
import org.jspdl.plan.model.ModelTensor;
import org.jspdl.plan.model.ModelValue;

/// A session with one thread for a run, which is the caller's, so that no sum depends on how work was divided: runs go
/// in parallel instead.
final class OpenedModel implements Model {
    private final String name;
    private final OrtEnvironment environment;
    private final OrtSession session;
    private final List<ModelTensor> inputs;
    private final List<ModelTensor> outputs;

    private OpenedModel(String name, OrtEnvironment environment, OrtSession session) throws OrtException {
        this.name = name;
        this.environment = environment;
        this.session = session;
        this.inputs = tensors(session.getInputInfo().values());
        this.outputs = tensors(session.getOutputInfo().values());
    }

    static OpenedModel open(String name, MemorySegment content) throws IOException {
        OrtEnvironment environment = OnnxEnvironment.get();
        try (SessionOptions options = new SessionOptions()) {
            options.setIntraOpNumThreads(1);
            options.setInterOpNumThreads(1);
            options.setExecutionMode(SessionOptions.ExecutionMode.SEQUENTIAL);
            options.setDeterministicCompute(true);
            OrtSession session = environment.createSession(content.asByteBuffer(), options);
            try {
                return new OpenedModel(name, environment, session);
            } catch (Throwable failure) {
                session.close();
                throw failure;
            }
        } catch (OrtException refused) {
            throw new IOException("ONNX Runtime cannot load " + name + ": " + refused.getMessage(), refused);
        }
    }

    private static List<ModelTensor> tensors(Collection<NodeInfo> nodes) {
        return nodes.stream()
                .map(node -> node.getInfo() instanceof TensorInfo info
                        ? new ModelTensor(
                                node.getName(),
                                ElementTypes.of(info.onnxType),
                                Arrays.stream(info.getShape()).boxed().toList())
                        : new ModelTensor(node.getName(), Optional.empty(), List.of()))
                .toList();
    }

    @Override
    public String identity() {
        return "onnxruntime " + environment.getVersion() + " on " + Processor.arithmetic();
    }

    @Override
    public List<ModelTensor> inputs() {
        return inputs;
    }

    @Override
    public List<ModelTensor> outputs() {
        return outputs;
    }

    @Override
    public void run(Map<String, ModelValue> given, List<String> wanted, Taker taker) throws IOException {
        List<OnnxTensor> views = new ArrayList<>();
        try {
            Map<String, OnnxTensor> tensors = new LinkedHashMap<>();
            for (Map.Entry<String, ModelValue> each : given.entrySet()) {
                OnnxTensor view = view(each.getValue());
                views.add(view);
                tensors.put(each.getKey(), view);
            }
            try (OrtSession.Result ran = session.run(tensors, new LinkedHashSet<>(wanted))) {
                for (String output : wanted) {
                    take(output, (OnnxTensor) ran.get(output).orElseThrow(), taker);
                }
            }
        } catch (OrtException failed) {
            throw new IOException(name + " failed: " + failed.getMessage(), failed);
        } finally {
            views.forEach(OnnxTensor::close);
        }
    }

    private OnnxTensor view(ModelValue value) throws OrtException {
        ByteBuffer elements = value.elements().asByteBuffer().order(ByteOrder.nativeOrder());
        return OnnxTensor.createTensor(environment, elements, value.shape().extents(), ElementTypes.java(value.type()));
    }

    private void take(String output, OnnxTensor result, Taker taker) throws IOException {
        TensorInfo info = result.getInfo();
        ElementType type = ElementTypes.of(info.onnxType)
                .orElseThrow(() -> new IOException(name + " gives " + output + " as " + info
                        + ", whose elements ONNX Runtime's Java API doesn't give; export the model without it"));
        taker.take(
                output,
                new ModelValue(type, Shape.of(info.getShape()), MemorySegment.ofBuffer(result.getByteBuffer())));
    }

    @Override
    public void close() {
        try {
            session.close();
        } catch (OrtException failed) {
            throw new OnnxException("ONNX Runtime cannot close " + name, failed);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
