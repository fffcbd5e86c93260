package org.jspdl.media.internal.isolation;

import java.io.DataInputStream;
import java.io.IOException;
import java.util.List;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;

/// What a program asks of a helper for one source, and how it answers the helper's own questions. Used by the thread
/// that calls.
///
/// Everything that comes from the helper is checked here before memory is taken for it.
public interface MediaCall<T> {
    /// The request, in a form that the helper's program knows.
    byte[] request();

    /// Whether a tensor that the helper wants to fill is one that it may have been asked for, within the limits.
    ///
    /// @param earlier how many it asked for before
    boolean allows(ElementType type, Shape shape, int earlier);

    /// Answers a question.
    ///
    /// @throws IOException if it makes no sense
    byte[] answer(DataInputStream question) throws IOException;

    /// What came of it, copied to where it belongs.
    ///
    /// @param tensors all that the helper asked for, valid until this returns
    /// @param last    what it said in the end
    /// @throws IOException if it makes no sense
    T take(List<Filled> tensors, DataInputStream last) throws IOException;
}
