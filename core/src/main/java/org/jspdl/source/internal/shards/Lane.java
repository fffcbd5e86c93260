package org.jspdl.source.internal.shards;

import org.jspdl.source.Position;

/// Whose share of an epoch a place is of.
///
/// @param generation how often ranks had shared out anew what was left of the epoch
record Lane(int generation, int rank, int worldSize) {
    /// More than any training has, and few enough to count them.
    private static final int MOST_RANKS = 1_000_000;

    /// Whose share `place`, which is not the start, is of.
    static Lane of(Position place) {
        return read(new StateText.Reader(place.state(), "a stream of shards"));
    }

    static Lane read(StateText.Reader text) {
        int generation = text.number(Integer.MAX_VALUE);
        int rank = text.number(MOST_RANKS);
        int worldSize = text.number(MOST_RANKS);
        if (rank >= worldSize) {
            throw text.refused();
        }
        return new Lane(generation, rank, worldSize);
    }

    void write(StateText.Writer text) {
        text.number(generation).number(rank).number(worldSize);
    }
}
