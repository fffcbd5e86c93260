package org.jspdl.plan.model;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// Runs models of some kind; found by `ServiceLoader`. Making one loads nothing: the library that runs models may not
/// be there until a plan names a model.
public interface ModelRuntime {
    /// How files of such models end, such as `.onnx`.
    List<String> endings();

    /// Opens a model.
    ///
    /// @param name    what messages call it
    /// @param content of its file, outside the heap, valid until this returns
    /// @throws IOException if it can't be run: it is none, or the library is missing; the message says what to add
    Model open(String name, MemorySegment content) throws IOException;
}
