package org.jspdl.pipeline.internal.tune;

import java.time.Duration;
import java.util.SplittableRandom;
import org.jspdl.stats.Latency;
import org.jspdl.stats.LinkStats;
import org.jspdl.stats.StageStats;

/// A stage of a [SimulatedRun], with the link behind it.
final class SimulatedStage {
    final String name;
    final String placement;
    final int group;
    int workers;
    int buffer = 2;
    /// Mean processor time of a call, in seconds.
    double work;
    /// Mean time that a call waits, in seconds.
    double wait;
    /// The most calls that the store behind the stage serves at once; more queue there.
    int servers = Integer.MAX_VALUE;
    int active;
    int ready;
    int reserved;
    int gathered;
    int atStore;
    long completed;
    long passed;
    double busy;
    private final long[] calls = new long[Latency.BUCKETS];
    private long longest;

    SimulatedStage(String name, String placement, int workers, int group, double work, double wait) {
        this.name = name;
        this.placement = placement;
        this.workers = workers;
        this.group = group;
        this.work = work;
        this.wait = wait;
    }

    boolean computes() {
        return placement.equals("cpu");
    }

    int capacity() {
        return buffer + workers;
    }

    boolean hasRoom() {
        return ready + reserved < capacity();
    }

    double drawWork(SplittableRandom random) {
        return work * (0.5 + random.nextDouble());
    }

    double drawWait(SplittableRandom random) {
        return wait * (0.4 - 0.6 * Math.log(1 - random.nextDouble()));
    }

    void called(double seconds) {
        busy += seconds;
        completed++;
        long nanos = Math.round(seconds * 1e9);
        calls[Latency.bucketOf(nanos)]++;
        longest = Math.max(longest, nanos);
    }

    StageStats stats() {
        return new StageStats(
                name,
                placement,
                workers,
                completed,
                0,
                0,
                nanos(busy),
                Duration.ZERO,
                Duration.ZERO,
                Duration.ZERO,
                Latency.of(calls, longest),
                0);
    }

    LinkStats link(String consumer) {
        return new LinkStats(name, consumer, false, capacity(), ready, passed, Duration.ZERO, Duration.ZERO);
    }

    static Duration nanos(double seconds) {
        return Duration.ofNanos(Math.round(seconds * 1e9));
    }
}
