package org.jspdl.plan.record;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspdl.stats.SkipObserver;

/// What a run has skipped and the record does not have yet. Safe for any thread.
final class SkipQueue implements SkipObserver {
    private final ConcurrentLinkedQueue<SkippedPlace> waiting = new ConcurrentLinkedQueue<>();

    @Override
    public void skipped(String stage, int source, long epoch, long place, Throwable cause) {
        waiting.add(new SkippedPlace(stage, source, epoch, place));
    }

    /// Takes all that wait.
    List<SkippedPlace> take() {
        List<SkippedPlace> taken = new ArrayList<>();
        for (SkippedPlace next = waiting.poll(); next != null; next = waiting.poll()) {
            taken.add(next);
        }
        return taken;
    }
}
