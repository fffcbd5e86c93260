package org.jspdl.plan;

/// What a plan says: what is loaded, by which operations, and how it is run. Immutable.
///
/// @param name     the name in threads, statistics and errors
/// @param prefetch finished items that may wait for the consumer
record PlanModel(String name, Flow flow, int prefetch, RunSettings run) {}
