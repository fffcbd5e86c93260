package org.jspdl.plan;

import java.util.List;

/// Tells plans of operations; found by `ServiceLoader`.
///
/// Making a provider and asking it should be cheap: it happens for every plan, whatever the plan names.
@FunctionalInterface
public interface OperationProvider {
    /// The operations that plans may name.
    List<Operation> operations();
}
