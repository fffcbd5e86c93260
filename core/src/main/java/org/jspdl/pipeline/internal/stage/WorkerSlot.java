package org.jspdl.pipeline.internal.stage;

import java.util.function.BooleanSupplier;
import org.jspdl.pipeline.internal.link.Waiter;
import org.jspecify.annotations.Nullable;

/// One unit of a stage's concurrency: what it does at this moment, and how long it has done what.
///
/// Written by its owner alone: the thread that runs the slot or, while the slot is idle, whoever holds its stage's
/// lock. Read by snapshots without a lock; on 64-bit machines a reader sees whole values that may be a little old.
public final class WorkerSlot implements Waiter {
    /// What a slot spends its time on.
    public enum State {
        BUSY,
        STARVED,
        BLOCKED,
        QUEUED,
        ENGINE
    }

    private static final State[] STATES = State.values();

    private final Histogram histogram = new Histogram();
    public long completed;
    public long filtered;
    public long failed;
    private final long[] nanos = new long[STATES.length];
    private State state = State.STARVED;
    private long since;
    private long expected = Long.MAX_VALUE;
    private final @Nullable ProgressRule rule;
    /// Whether what the slot's thread waits for has come; null while the thread runs.
    private volatile @Nullable BooleanSupplier wakesFor;

    Histogram histogram() {
        return histogram;
    }

    public WorkerSlot(long now) {
        this(now, null);
    }

    /// @param rule is told when the slot's thread waits and goes on; null in runs without a byte budget
    public WorkerSlot(long now, @Nullable ProgressRule rule) {
        this.since = now;
        this.rule = rule;
    }

    @Override
    public void parks(BooleanSupplier condition) {
        if (rule != null) {
            wakesFor = condition;
            rule.parked();
        }
    }

    /// As [#parks], for the caller who looks whether the run is stalled.
    public void parksQuietly(BooleanSupplier condition) {
        wakesFor = condition;
    }

    @Override
    public void resumes() {
        if (rule != null) {
            wakesFor = null;
            rule.resumed();
        }
    }

    /// Whether the slot's thread waits without a reason to wake up.
    boolean isParked() {
        BooleanSupplier condition = wakesFor;
        return condition != null && !condition.getAsBoolean();
    }

    public void enter(State next, long now) {
        nanos[state.ordinal()] += now - since;
        state = next;
        since = now;
    }

    State state() {
        return state;
    }

    /// Counts a call that took `elapsed` nanoseconds.
    public void called(long elapsed) {
        expected = Math.max(elapsed, expected - (expected >> 3));
        histogram.record(elapsed);
    }

    /// How long the next call may take: the longest of late, forgotten slowly; unlimited before the first.
    public long expectedNanos() {
        return expected;
    }

    /// Whether a function runs.
    public boolean isBusy() {
        return state == State.BUSY;
    }

    /// When the current state began.
    public long since() {
        return since;
    }

    /// The time spent in `wanted`, the current moment included.
    long nanos(State wanted, long now) {
        long sum = nanos[wanted.ordinal()];
        return state == wanted ? sum + Math.max(0, now - since) : sum;
    }
}
