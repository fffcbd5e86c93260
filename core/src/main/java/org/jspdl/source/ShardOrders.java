package org.jspdl.source;

/// Is told in which order the shards of a [ShardStream] are read, before they are: a cache keeps what is needed
/// soonest. Called by threads that open and read cursors.
@FunctionalInterface
public interface ShardOrders {
    /// Ignores it.
    ShardOrders UNHEARD = (_, _, _) -> () -> {};

    /// An epoch begins, or is gone on with.
    ///
    /// @param epoch which
    /// @param now   the numbers of the shards that this rank opens in it, in that order
    /// @param next  those of the epoch after it
    /// @return told when the last shard of the epoch is open, and closed with the epoch's cursor
    Epoch begins(long epoch, int[] now, int[] next);

    /// An epoch whose order was told.
    @FunctionalInterface
    interface Epoch extends AutoCloseable {
        /// All shards of the epoch are open: what the next one begins with may be fetched. Returns at once.
        default void lastOpened() {}

        @Override
        void close();
    }
}
