package org.jspdl.memory;

import java.util.SequencedMap;

/// Something that consists of named values, for those who take it without knowing its type: another process, or a
/// framework.
///
/// A value is a [Tensor], an array of primitives, a text, a number, a boolean, or a list, record or map of values.
/// Tensors stay with this object, which closes them.
@FunctionalInterface
public interface NamedValues {
    /// The values in the order in which they are shown.
    SequencedMap<String, ?> namedValues();
}
