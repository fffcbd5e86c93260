package org.jspdl.source;

/// A source whose items are one rank's share of an order common to all ranks.
///
/// Positions count in the common order, and a rank takes every `worldSize`-th place. That is what lets the remaining
/// places be dealt to another number of ranks. A position whose state is a number ends the epoch before that place.
public interface RankedSource<T> extends Source<T> {
    /// This share's rank, counted from 0.
    int rank();

    /// How many ranks share the order.
    int worldSize();

    /// How many places of the common order are dealt to all ranks together in an epoch.
    long places();

    /// How ranks match: with [Even#REPEAT], what ranks have left of an epoch is filled up when their number
    /// changes, by places behind the last, which must have items.
    default Even even() {
        return Even.COUNT;
    }
}
