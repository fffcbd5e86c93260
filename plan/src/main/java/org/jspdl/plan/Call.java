package org.jspdl.plan;

import org.jspdl.plan.PlanNode.Fields;

/// The use of an operation. Immutable.
///
/// @param operation  its name
/// @param parameters what it is given
public record Call(String operation, Fields parameters) {
    /// A use without parameters.
    public static Call of(String operation) {
        return new Call(operation, Fields.none());
    }
}
