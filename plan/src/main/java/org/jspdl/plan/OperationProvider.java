package org.jspdl.plan;

import java.util.List;
import java.util.Map;

/// Tells plans of operations; found by `ServiceLoader`.
///
/// Making a provider and asking for names should be cheap: it happens for every plan, whatever the plan names.
@FunctionalInterface
public interface OperationProvider {
    /// The operations that plans may name.
    List<Operation> operations();

    /// What they are called; a provider of many says it without making them, since most plans name none of them.
    default List<String> names() {
        return operations().stream().map(Operation::name).toList();
    }

    /// What the items of these operations depend on beside the plan, such as the versions of decoders, by name. May
    /// load them.
    default Map<String, String> versions() {
        return Map.of();
    }
}
