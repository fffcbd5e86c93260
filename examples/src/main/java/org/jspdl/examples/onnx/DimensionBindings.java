package org.jspdl.examples.onnx;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspdl.examples.onnx.TensorSpec.Dimension;
import org.jspdl.memory.Shape;
import org.jspdl.memory.Tensor;

/// The extents that one run gives to the named dimensions of a model, gathered from its inputs.
final class DimensionBindings {
    private final String model;
    private final Map<String, Bound> bound = new HashMap<>();

    /// An extent, and the input that it comes from.
    private record Bound(long extent, String input) {}

    DimensionBindings(String model) {
        this.model = model;
    }

    /// Takes the extents of an input.
    ///
    /// @throws IllegalArgumentException if the model does not take it, or it doesn't fit an input before it
    void add(TensorSpec input, Tensor tensor) {
        Shape shape = tensor.shape();
        if (tensor.type() != input.type()) {
            throw refused(input, tensor, "elements are " + tensor.type() + " but must be " + input.type());
        }
        if (shape.rank() != input.dimensions().size()) {
            throw refused(
                    input,
                    tensor,
                    "there are " + shape.rank() + " dimensions but must be "
                            + input.dimensions().size());
        }
        for (int i = 0; i < shape.rank(); i++) {
            long extent = shape.extent(i);
            switch (input.dimensions().get(i)) {
                case Dimension.Fixed(long wanted) -> {
                    if (wanted != extent) {
                        throw refused(input, tensor, "dimension " + i + " is " + extent + " but must be " + wanted);
                    }
                }
                case Dimension.Named(String name) -> {
                    Bound before = bound.putIfAbsent(name, new Bound(extent, input.name()));
                    if (before != null && before.extent != extent) {
                        throw refused(
                                input,
                                tensor,
                                "dimension " + i + ", '" + name + "', is " + extent + " but " + before.extent
                                        + " in input '" + before.input + "'");
                    }
                }
                case Dimension.Free() -> {}
            }
        }
    }

    private IllegalArgumentException refused(TensorSpec input, Tensor tensor, String why) {
        return new IllegalArgumentException(
                model + " takes " + input + " but was given " + tensor.type() + tensor.shape() + ": " + why);
    }

    /// The shape that an output will have, if the model says so.
    Optional<Shape> shape(TensorSpec output) {
        long[] extents = new long[output.dimensions().size()];
        for (int i = 0; i < extents.length; i++) {
            switch (output.dimensions().get(i)) {
                case Dimension.Fixed(long extent) -> extents[i] = extent;
                case Dimension.Named(String name) -> {
                    Bound known = bound.get(name);
                    if (known == null) {
                        return Optional.empty();
                    }
                    extents[i] = known.extent;
                }
                case Dimension.Free() -> {
                    return Optional.empty();
                }
            }
        }
        return Optional.of(Shape.of(extents));
    }
}
