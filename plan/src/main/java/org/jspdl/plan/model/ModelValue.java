package org.jspdl.plan.model;

import java.lang.foreign.MemorySegment;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;

/// What a model is given, or gives: elements of one type in one shape, row-major, in the byte order of the machine.
///
/// @param elements outside the heap, and exactly as many bytes as type and shape say; whoever made it owns them
public record ModelValue(ElementType type, Shape shape, MemorySegment elements) {}
