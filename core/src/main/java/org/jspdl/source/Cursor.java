package org.jspdl.source;

import java.io.IOException;

/// One pass over an epoch of a source, used by one thread at a time and closed by whoever opened it.
public interface Cursor<T> extends AutoCloseable {

    /// Moves to the next item; false at the end of the epoch. May block, and should answer an interrupt.
    boolean advance() throws Exception;

    /// The current item, handed over to the caller; asked for once after each successful [#advance].
    T item();

    /// The place after the current item, from which a cursor opened later yields the item that this one would yield
    /// next.
    Position position();

    @Override
    default void close() throws IOException {}
}
