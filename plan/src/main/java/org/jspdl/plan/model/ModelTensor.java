package org.jspdl.plan.model;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspdl.memory.ElementType;

/// An input or output as a model declares it.
///
/// @param name    what the model calls it
/// @param type    of its elements; empty if it is no tensor of numbers, such as a text
/// @param extents outermost first; [#ANY] where a run decides
public record ModelTensor(String name, Optional<ElementType> type, List<Long> extents) {
    /// An extent that a run decides.
    public static final long ANY = -1;

    /// Copies the extents.
    public ModelTensor {
        extents = List.copyOf(extents);
    }

    /// Such as `images FLOAT32[?, 3, 224, 224]`.
    @Override
    public String toString() {
        return name + " " + type.map(ElementType::name).orElse("(no numbers)")
                + extents.stream()
                        .map(extent -> extent == ANY ? "?" : extent.toString())
                        .collect(Collectors.joining(", ", "[", "]"));
    }
}
