package org.jspdl.pipeline.internal.checkpoint;

/// How many items of a source are settled, over all epochs and runs that resumed from each other. The counts of all
/// ranks add up to what all have read, also when their number has changed.
///
/// @param delivered what they were made into has reached the consumer; items that were divided count when nothing more
///     comes of their parts
/// @param dropped   filtered, skipped by a failure policy, or part of a remainder that was dropped
public record SourceCounts(long delivered, long dropped) {
    /// Of a checkpoint that does not say.
    public static final SourceCounts UNKNOWN = new SourceCounts(-1, -1);

    public static final SourceCounts NONE = new SourceCounts(0, 0);

    public boolean isKnown() {
        return delivered >= 0;
    }

    /// What two ranks have read together.
    SourceCounts and(SourceCounts other) {
        boolean known = isKnown()
                && other.isKnown()
                && counted((double) delivered + other.delivered, (double) dropped + other.dropped);
        return known ? new SourceCounts(delivered + other.delivered, dropped + other.dropped) : UNKNOWN;
    }

    /// What so many whole epochs have, and what was delivered of one more.
    ///
    /// @param delivered of an epoch
    /// @param dropped   of an epoch
    public static SourceCounts ofEpochs(long epochs, long delivered, long dropped, long more) {
        return counted((double) epochs * delivered + more, (double) epochs * dropped)
                ? new SourceCounts(epochs * delivered + more, epochs * dropped)
                : UNKNOWN;
    }

    /// Whether a checkpoint can have such numbers.
    private static boolean counted(double delivered, double dropped) {
        return delivered < StateJson.FARTHEST_PLACE && dropped < StateJson.FARTHEST_PLACE;
    }

    /// A rank's part of what others have read: the parts of all ranks add up to it, and differ by one at most.
    SourceCounts part(int rank, int worldSize) {
        return isKnown() ? new SourceCounts(part(delivered, rank, worldSize), part(dropped, rank, worldSize)) : this;
    }

    private static long part(long all, int rank, int worldSize) {
        return all / worldSize + (rank < all % worldSize ? 1 : 0);
    }
}
