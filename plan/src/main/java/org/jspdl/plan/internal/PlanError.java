package org.jspdl.plan.internal;

/// One mistake in a plan.
///
/// @param location where it is
/// @param message  what is wrong, and what would be right
public record PlanError(SourceLocation location, String message) {
    /// Keeps secrets of addresses out of the message.
    public PlanError {
        message = AddressMask.of(message);
    }
}
