package org.jspdl.plan.record;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspdl.stats.SkipObserver;

/// Has a run skip what the recorded one skipped, and notes what fails besides: an item that the recorded run had, if it
/// had come to it, so that what follows is another. Safe for any thread.
final class SkipReplay implements SkipObserver {
    private static final int MOST_NOTED = 5;

    private final Set<SkippedPlace> skipped;
    private final List<String> others = new ArrayList<>();

    SkipReplay(Collection<SkippedPlace> skipped) {
        this.skipped = Set.copyOf(new HashSet<>(skipped));
    }

    @Override
    public void skipped(String stage, int source, long epoch, long place, Throwable cause) {
        if (!skipsAgain(stage, source, epoch, place)) {
            synchronized (others) {
                if (others.size() < MOST_NOTED) {
                    others.add("what is at place " + place + " of epoch " + epoch + " fails now in '" + stage
                            + "', and did not then, if the run came to it: " + cause.getMessage());
                }
            }
        }
    }

    @Override
    public boolean skipsAgain(String stage, int source, long epoch, long place) {
        return skipped.contains(new SkippedPlace(stage, source, epoch, place));
    }

    /// What fails now and was not skipped then, a sentence for each of the first.
    List<String> others() {
        synchronized (others) {
            return List.copyOf(others);
        }
    }
}
