package org.jspdl.observe.alarm;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/// Tells from one lap after the other when a consumer begins to wait for more of its time than before, and when that
/// ends: what [StarvationAlarm] is made of, for whoever has other laps than a watch's intervals.
///
/// A window is compared with all the time before it, without the first window of the run. Used by one thread.
public final class WaitRise {
    private static final double FACTOR = 2;

    private final double rise;
    private final long window;
    private final Deque<Lap> recent = new ArrayDeque<>();
    private long recentNanos;
    private long recentWaited;
    private long beforeNanos;
    private long beforeWaited;
    private long warmUpNanos;
    private boolean risen;
    private double part;
    private double before;

    private record Lap(long nanos, long waited) {}

    /// With [StarvationAlarm#DEFAULT_RISE] over [StarvationAlarm#DEFAULT_WINDOW].
    public WaitRise() {
        this(StarvationAlarm.DEFAULT_RISE, StarvationAlarm.DEFAULT_WINDOW);
    }

    WaitRise(double rise, Duration window) {
        this.rise = rise;
        this.window = window.toNanos();
    }

    /// Adds the lap that has just ended; what that changes.
    ///
    /// @param nanos  how long it took
    /// @param waited for how much of it the consumer waited; more than the lap counts as all of it
    public Optional<Starvation.Kind> add(long nanos, long waited) {
        Lap lap = new Lap(nanos, Math.clamp(waited, 0, Math.max(0, nanos)));
        recent.addLast(lap);
        recentNanos += lap.nanos;
        recentWaited += lap.waited;
        Lap oldest = recent.getFirst();
        while (recentNanos - oldest.nanos >= window) {
            recent.removeFirst();
            recentNanos -= oldest.nanos;
            recentWaited -= oldest.waited;
            settled(oldest);
            oldest = recent.getFirst();
        }
        return recentNanos >= window && beforeNanos >= window ? judge() : Optional.empty();
    }

    /// A lap that is older than the window. While a wait has risen, what came before the rise stays the measure.
    private void settled(Lap lap) {
        if (warmUpNanos < window) {
            warmUpNanos += lap.nanos;
        } else if (!risen) {
            beforeNanos += lap.nanos;
            beforeWaited += lap.waited;
        }
    }

    private Optional<Starvation.Kind> judge() {
        part = (double) recentWaited / recentNanos;
        if (!risen) {
            before = (double) beforeWaited / beforeNanos;
            risen = part >= Math.max(before + rise, FACTOR * before);
            return risen ? Optional.of(Starvation.Kind.ROSE) : Optional.empty();
        }
        risen = part >= before + rise / 2;
        return risen ? Optional.empty() : Optional.of(Starvation.Kind.ENDED);
    }

    /// Whether a wait has risen and not ended.
    public boolean hasRisen() {
        return risen;
    }

    /// The part of the last window for which the consumer waited, from 0 to 1.
    public double part() {
        return part;
    }

    /// The part of the time before the rise, or before the last window.
    public double before() {
        return before;
    }

    /// How many laps are in the window.
    int laps() {
        return recent.size();
    }
}
