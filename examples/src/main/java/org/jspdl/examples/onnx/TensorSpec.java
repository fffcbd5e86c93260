package org.jspdl.examples.onnx;

import java.util.List;
import java.util.stream.Collectors;
import org.jspdl.memory.ElementType;

/// What a model takes or gives under one name.
///
/// @param name       as the model has it
/// @param type       of every element
/// @param dimensions outermost first
public record TensorSpec(String name, ElementType type, List<Dimension> dimensions) {
    public TensorSpec {
        dimensions = List.copyOf(dimensions);
    }

    /// One extent of a tensor: a number, or one that each run decides.
    public sealed interface Dimension {
        /// Always the same.
        record Fixed(long extent) implements Dimension {
            @Override
            public String toString() {
                return Long.toString(extent);
            }
        }

        /// Decided by each run; the same wherever the model uses the name.
        record Named(String name) implements Dimension {
            @Override
            public String toString() {
                return name;
            }
        }

        /// Anything.
        record Free() implements Dimension {
            @Override
            public String toString() {
                return "?";
            }
        }
    }

    /// As in `images FLOAT32[batch, 3, 224, 224]`.
    @Override
    public String toString() {
        return dimensions.stream()
                .map(Dimension::toString)
                .collect(Collectors.joining(", ", name + " " + type + "[", "]"));
    }
}
