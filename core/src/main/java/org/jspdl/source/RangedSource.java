package org.jspdl.source;

/// A source that begins at any item as quickly as at the first, and fetches no more than it is asked for.
public interface RangedSource<T> extends Source<T> {
    /// Whether it can: it may take an index that is not there. Then [#size] is known, too.
    boolean isRanged();

    /// A cursor at `from`, of which no item from `to` on is asked for; it may begin to fetch the items before that.
    ///
    /// @param from a place of a cursor, or the number of an item alone
    Cursor<T> open(long epoch, Position from, long to) throws Exception;
}
