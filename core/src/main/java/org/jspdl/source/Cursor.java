package org.jspdl.source;

import java.io.IOException;
import java.util.Optional;

/// One pass over an epoch of a source, used by one thread at a time and closed by whoever opened it.
public interface Cursor<T> extends AutoCloseable {

    /// Moves to the next item; false at the end of the epoch. May block, and should answer an interrupt.
    boolean advance() throws Exception;

    /// The current item, handed over to the caller; asked for once after each successful [#advance].
    T item();

    /// The place after the current item, from which a cursor opened later yields the item that this one would yield
    /// next.
    Position position();

    /// The place of the current item: a cursor opened later at it yields this item first. Empty if that is where
    /// the item before was left, as with nearly all sources.
    ///
    /// For sources whose position does not decide which item comes next, such as streams that mix what comes first.
    /// Asked for once after each successful [#advance].
    default Optional<Position> place() {
        return Optional.empty();
    }

    @Override
    default void close() throws IOException {}
}
