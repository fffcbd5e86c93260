package org.jspdl.plan.internal;

/// One mistake in a plan.
///
/// @param location where it is
/// @param message  what is wrong, and what would be right
public record PlanError(SourceLocation location, String message) {}
