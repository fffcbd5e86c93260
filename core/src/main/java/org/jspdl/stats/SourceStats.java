package org.jspdl.stats;

import java.util.OptionalDouble;
import java.util.OptionalLong;

/// How much of one source was used so far: over all epochs, and over all runs that resumed from each other. Counted in
/// items of the source, before anything is made of them.
///
/// Exact wherever runs end and resume: an item that was in flight is counted once, by the run that delivers it. Ranks
/// count what they got. Where their number changed, each begins with an equal part of what all had, so the counts of
/// all ranks add up to what was read. An epoch that the consumer left early, or a mix until its first input ended,
/// counts what was delivered of it. What a filter drops is counted when it is dropped, which may be before the consumer
/// comes to it.
///
/// @param name      the source's name, as of its stage
/// @param delivered items whose result has reached the consumer; one that was divided, once nothing more comes of its
///     parts. Empty if the run began at a checkpoint that does not say how many there were before, as one [at the start
///     of an epoch][org.jspdl.pipeline.Checkpoint#startOfEpoch] or of an earlier version
/// @param dropped   items that were filtered, skipped by a failure policy, or part of a remainder that was dropped;
///     empty as `delivered`
/// @param perEpoch  items that an epoch has on this rank, if that is known
/// @param passes    how often an epoch goes through the data, see [org.jspdl.source.Source#passes]
public record SourceStats(
        String name, OptionalLong delivered, OptionalLong dropped, OptionalLong perEpoch, double passes) {

    /// How often the data was gone through: 2.5 in the middle of the third time. In a mixture each source has a
    /// number of its own; upsampled ones are ahead. Empty if a count or the length of an epoch is unknown.
    public OptionalDouble epochs() {
        if (delivered.isEmpty() || dropped.isEmpty() || perEpoch.orElse(0) == 0) {
            return OptionalDouble.empty();
        }
        double read = (double) delivered.getAsLong() + dropped.getAsLong();
        return OptionalDouble.of(read / perEpoch.getAsLong() * passes);
    }
}
