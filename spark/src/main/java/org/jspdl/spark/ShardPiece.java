package org.jspdl.spark;

import java.io.IOException;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StoredObject;

/// Samples of one shard.
///
/// @param shard where it lies
/// @param from  the number of the first sample
/// @param count how many; [Long#MAX_VALUE] for all that follow
/// @param first where the first of the shards lies that are read together
/// @param bytes the size that the shard must have when it is read; [#ANY_SIZE] for any
record ShardPiece(String shard, long from, long count, String first, long bytes) implements Piece {
    static final long ANY_SIZE = -1;

    ShardPiece(String shard, long from, long count) {
        this(shard, from, count, ANY_SIZE);
    }

    /// Of a shard that is read alone.
    ShardPiece(String shard, long from, long count, long bytes) {
        this(shard, from, count, shard, bytes);
    }

    /// A whole shard.
    static ShardPiece whole(Location shard) {
        return new ShardPiece(shard.text(), 0, Long.MAX_VALUE);
    }

    /// The same of a shard that must have this size.
    ShardPiece of(long wanted) {
        return new ShardPiece(shard, from, count, first, wanted);
    }

    /// The same of a shard that is read together with others, whose classes must be those of the first.
    ShardPiece beside(Location ahead) {
        return new ShardPiece(shard, from, count, ahead.text(), bytes);
    }

    /// @throws IOException if the shard has not the size that it must have
    void checkSize(Storage storage) throws IOException {
        if (bytes == ANY_SIZE) {
            return;
        }
        Location location = Location.of(shard);
        try (StoredObject object = storage.object(location)) {
            if (object.size() != bytes) {
                throw ShardBatches.changed(location, bytes, object.size());
            }
        }
    }

    /// Without what an address hides.
    @Override
    public String toString() {
        return Location.of(shard) + " from " + from;
    }
}
