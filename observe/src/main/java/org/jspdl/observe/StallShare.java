package org.jspdl.observe;

import org.jspdl.observe.text.Figures;

/// What the consumer has waited for most, over all of its stalls.
///
/// @param queued whether items queued for the stage; otherwise it worked on them, or on those before them
/// @param stage  which stage or source
/// @param place  where the data of the items is, as far as they have that in common: a folder, a bucket; empty if they
///     have nothing in common, or say nothing
/// @param share  of the time that the consumer waited, from 0 to 1
public record StallShare(boolean queued, String stage, String place, double share) {
    /// `80 % of it in 'read' of s3://photos/`.
    @Override
    public String toString() {
        return Figures.share(share) + " of it " + (queued ? "queued for '" : "in '") + stage + "'"
                + (place.isEmpty() ? "" : " of " + place);
    }
}
