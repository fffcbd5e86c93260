package org.jspdl.data.shards.cost;

import org.jspdl.data.dataset.Dataset;
import org.jspdl.data.dataset.DatasetException;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.jspdl.source.RankedSource;
import org.jspdl.source.ShardStream;

/// Samples of shards by their numbers, for samplers of any kind: one read for each of an indexed tar, a group of rows
/// or a batch for tables. Safe for any thread.
///
/// @param samples in their order
public record IndexedSamples(RankedSource<ShardSample> samples) implements Dataset<ShardSample> {
    /// Those of `stream`, which is neither shuffled nor dealt to ranks.
    ///
    /// @throws DatasetException if they can't be found by their numbers; the message says what to do
    public static IndexedSamples of(ShardStream<ShardSample> stream) throws DatasetException {
        try {
            return new IndexedSamples(stream.placed());
        } catch (IllegalStateException unplaced) {
            throw new DatasetException(String.valueOf(unplaced.getMessage()), unplaced);
        }
    }

    @Override
    public long size() {
        return samples.places();
    }

    @Override
    public ShardSample get(long index) throws Exception {
        try (Cursor<ShardSample> cursor = samples.open(0, Position.at(index))) {
            if (!cursor.advance()) {
                throw new IllegalArgumentException("there is no sample " + index + " of " + size());
            }
            return cursor.item();
        }
    }
}
