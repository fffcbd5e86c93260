package org.jspdl.observe.web;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jspdl.observe.live.LiveLook;
import org.jspdl.observe.live.LiveRuns;

/// The last look at all runs, so that several browsers cost the runs no more than one. Used by any thread.
final class LookCache {
    private final LiveRuns runs;
    private final long fresh;
    private final ReentrantLock looking = new ReentrantLock();
    private String last = "";
    private long at;

    /// @param fresh how long a look is good
    LookCache(LiveRuns runs, Duration fresh) {
        this.runs = runs;
        this.fresh = fresh.toNanos();
    }

    /// A JSON array of [LiveLook]s.
    String json() throws IOException {
        looking.lock();
        try {
            if (last.isEmpty() || System.nanoTime() - at > fresh) {
                last = runs.look().stream().map(LiveLook::toJson).collect(Collectors.joining(",", "[", "]"));
                at = System.nanoTime();
            }
            return last;
        } finally {
            looking.unlock();
        }
    }
}
