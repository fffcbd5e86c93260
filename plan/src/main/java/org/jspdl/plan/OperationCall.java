package org.jspdl.plan;

import java.util.Optional;
import java.util.SequencedMap;
import org.jspdl.plan.internal.LocatedNode.Field;
import org.jspdl.plan.internal.SourceLocation;

/// The use of an operation in a plan. Immutable.
///
/// @param location   where its name is written
/// @param operation  its name
/// @param parameters what it is given; empty if that was not understood, which is an error of its own
record OperationCall(SourceLocation location, String operation, Optional<SequencedMap<String, Field>> parameters) {}
