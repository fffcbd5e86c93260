package org.jspdl.source;

import java.util.OptionalLong;

/// A sequence of items for each epoch, which can be opened anywhere.
///
/// A source is immutable and may be opened many times, by several threads. Equal epochs and positions yield equal
/// items, which is what makes a run repeatable and resumable; a source that cannot promise it says so by [#resume].
public interface Source<T> {

    /// A cursor over `epoch` that begins at `from`, owned by the caller.
    ///
    /// @param epoch the epoch, counted from 0; a shuffling source orders each differently
    /// @param from [Position#START], or a position that a cursor of this source reported in the same epoch
    Cursor<T> open(long epoch, Position from) throws Exception;

    /// How many items an epoch has, if that is known without reading it.
    default OptionalLong size() {
        return OptionalLong.empty();
    }

    /// How often an epoch goes through the data: 3 if it is repeated three times, 0.1 if it ends after a tenth of
    /// it, as many draws as there are samples for 1.
    default double passes() {
        return 1;
    }

    /// What must be equal for positions of one source to fit another: its content and order, apart from ranks.
    ///
    /// Part of a recipe's fingerprint; by default the size alone, because most sources can't tell more.
    default String identity() {
        return size().isPresent() ? "of " + size().getAsLong() : "of unknown size";
    }

    /// How this source finds a position again.
    default Resume resume() {
        return Resume.SEEK;
    }

    /// What opening a source at a position costs.
    enum Resume {
        /// Any position is found at once: the source is random-access.
        SEEK,
        /// The source is read again from the start of the epoch and items before the position are dropped.
        REPLAY,
        /// The source cannot be repeated; a run over it can't be resumed.
        NONE
    }
}
