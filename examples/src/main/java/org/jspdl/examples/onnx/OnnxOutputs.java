package org.jspdl.examples.onnx;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import org.jspdl.memory.NamedValues;
import org.jspdl.memory.Tensor;

/// What one run of a model gave: tensors in memory of the model's pool, by their names. Closing releases the memory.
public final class OnnxOutputs implements AutoCloseable, NamedValues {
    private final SequencedMap<String, Tensor> tensors;

    OnnxOutputs(SequencedMap<String, Tensor> tensors) {
        this.tensors = tensors;
    }

    /// The output `name`; it belongs to this object.
    ///
    /// @throws IllegalArgumentException if there is none, naming those there are
    public Tensor tensor(String name) {
        Tensor tensor = tensors.get(name);
        if (tensor == null) {
            throw new IllegalArgumentException("there is no output '" + name + "' but " + tensors.keySet());
        }
        return tensor;
    }

    /// The output `name`, which the caller owns from here and closes.
    ///
    /// @throws IllegalArgumentException if there is none, or it was taken before
    public Tensor take(String name) {
        Tensor tensor = tensor(name);
        tensors.remove(name);
        return tensor;
    }

    @Override
    public SequencedMap<String, Tensor> namedValues() {
        return Collections.unmodifiableSequencedMap(new LinkedHashMap<>(tensors));
    }

    @Override
    public void close() {
        tensors.values().forEach(Tensor::close);
    }

    @Override
    public String toString() {
        return "OnnxOutputs" + tensors;
    }
}
