package org.jspdl.source.internal.shards;

import org.jspdl.source.Even;

/// How a stream of shards is mixed and dealt.
///
/// @param interleave how many shards are read round-robin
/// @param window     items that are shuffled together; 1 for none
/// @param block      items of a block; 0 for whole shards
/// @param even       how ranks match
public record ShardMix(
        boolean shuffled, long seed, int interleave, int window, int block, int rank, int worldSize, Even even) {
    /// The same with ranks that match in another way.
    public ShardMix with(Even newEven) {
        return new ShardMix(shuffled, seed, interleave, window, block, rank, worldSize, newEven);
    }

    /// The same of another rank.
    ShardMix of(Lane lane) {
        return new ShardMix(shuffled, seed, interleave, window, block, lane.rank(), lane.worldSize(), even);
    }

    /// How many of `total` items this rank gets.
    public long share(long total) {
        return switch (even) {
            case COUNT, STOP_TOGETHER -> total / worldSize;
            case REPEAT -> Math.ceilDiv(total, (long) worldSize);
            case UNEVEN -> total / worldSize + (rank < total % worldSize ? 1 : 0);
        };
    }

    /// Where its items begin.
    long first(long total) {
        return switch (even) {
            case COUNT, STOP_TOGETHER -> total / worldSize * rank;
            case REPEAT -> Math.ceilDiv(total, (long) worldSize) * rank;
            case UNEVEN -> total / worldSize * rank + Math.min(rank, total % worldSize);
        };
    }
}
