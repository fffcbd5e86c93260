package org.jspdl.plan.record;

import java.util.List;

/// An item that a failure policy skipped.
///
/// @param stage  where it failed
/// @param source the number of its source in the pipeline, of a group that of its first member
/// @param epoch  the epoch there
/// @param place  the index of its position there
public record SkippedPlace(String stage, int source, long epoch, long place) {

    List<Object> toJson() {
        return List.of(stage, (long) source, epoch, place);
    }

    static SkippedPlace read(Object json) {
        if (json instanceof List<?> all
                && all.size() == 4
                && all.get(0) instanceof String stage
                && all.get(1) instanceof Long source
                && all.get(2) instanceof Long epoch
                && all.get(3) instanceof Long place) {
            return new SkippedPlace(stage, Math.toIntExact(source), epoch, place);
        }
        throw new IllegalArgumentException("it has no valid 'skipped'");
    }
}
