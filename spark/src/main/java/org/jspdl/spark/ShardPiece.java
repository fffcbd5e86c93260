package org.jspdl.spark;

import org.jspdl.data.storage.Location;

/// Samples of one shard.
///
/// @param shard where it lies
/// @param from  the number of the first sample
/// @param count how many; [Long#MAX_VALUE] for all that follow
record ShardPiece(String shard, long from, long count) implements Piece {
    /// A whole shard.
    static ShardPiece whole(Location shard) {
        return new ShardPiece(shard.text(), 0, Long.MAX_VALUE);
    }

    /// Without what an address hides.
    @Override
    public String toString() {
        return Location.of(shard) + " from " + from;
    }
}
