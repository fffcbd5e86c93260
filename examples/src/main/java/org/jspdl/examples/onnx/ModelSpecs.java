package org.jspdl.examples.onnx;

import ai.onnxruntime.NodeInfo;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.TensorInfo;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.jspdl.examples.onnx.TensorSpec.Dimension;
import org.jspdl.memory.ElementType;
import org.jspdl.onnx.ElementTypes;
import org.jspecify.annotations.Nullable;

/// What a model takes and gives that are tensors, and what it has that are none.
///
/// @param model   its name in messages
/// @param strange names of values that can't be exchanged, with what they are
record ModelSpecs(
        String model,
        SequencedMap<String, TensorSpec> inputs,
        SequencedMap<String, TensorSpec> outputs,
        Map<String, String> strange) {

    static ModelSpecs of(String model, OrtSession session) throws OrtException {
        Map<String, String> strange = new LinkedHashMap<>();
        return new ModelSpecs(
                model, specs(session.getInputInfo(), strange), specs(session.getOutputInfo(), strange), strange);
    }

    private static SequencedMap<String, TensorSpec> specs(Map<String, NodeInfo> nodes, Map<String, String> strange) {
        SequencedMap<String, TensorSpec> specs = new LinkedHashMap<>();
        nodes.forEach((name, node) -> {
            TensorSpec spec = node.getInfo() instanceof TensorInfo info ? spec(name, info) : null;
            if (spec == null) {
                strange.put(name, node.getInfo().toString());
            } else {
                specs.put(name, spec);
            }
        });
        return specs;
    }

    private static @Nullable TensorSpec spec(String name, TensorInfo info) {
        ElementType type = ElementTypes.of(info.onnxType).orElse(null);
        if (type == null) {
            return null;
        }
        long[] extents = info.getShape();
        String[] names = info.getDimensionNames();
        List<Dimension> dimensions = new ArrayList<>(extents.length);
        for (int i = 0; i < extents.length; i++) {
            if (extents[i] >= 0) {
                dimensions.add(new Dimension.Fixed(extents[i]));
            } else {
                dimensions.add(names[i].isEmpty() ? new Dimension.Free() : new Dimension.Named(names[i]));
            }
        }
        return new TensorSpec(name, type, dimensions);
    }

    /// The output `name`.
    ///
    /// @throws IllegalArgumentException if there is none, or it is no tensor
    TensorSpec output(String name) {
        TensorSpec spec = outputs.get(name);
        if (spec == null) {
            throw strange.containsKey(name)
                    ? new IllegalArgumentException(
                            model + ": output '" + name + "' is no tensor of numbers but " + strange.get(name)
                                    + "; ask for others by run(inputs, outputs), or export the model without it")
                    : new IllegalArgumentException(
                            model + " has no output '" + name + "'; it gives " + outputs.values());
        }
        return spec;
    }

    /// The input `name`.
    ///
    /// @throws IllegalArgumentException if there is none, or it is no tensor
    TensorSpec input(String name) {
        TensorSpec spec = inputs.get(name);
        if (spec == null) {
            throw new IllegalArgumentException(model + " has no input '" + name + "'; it takes " + inputs.values());
        }
        return spec;
    }
}
