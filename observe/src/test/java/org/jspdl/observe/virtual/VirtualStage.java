package org.jspdl.observe.virtual;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongToDoubleFunction;
import org.jspdl.stats.Latency;
import org.jspdl.stats.LinkStats;
import org.jspdl.stats.StageStats;

/// A stage of a [Tandem] with the link behind it, and the engine's rule that room is taken before work begins.
final class VirtualStage {
    private final String name;
    private final String placement;
    private final int capacity;
    private final int group;
    private final LongToDoubleFunction nanosOfCall;
    private final double[] slotFree;
    private final List<Double> readyAt = new ArrayList<>();
    private final List<Double> takenAt = new ArrayList<>();
    private final long[] latency = new long[Latency.BUCKETS];
    private double longest;
    private double busy;
    private double starved;
    private double blocked;
    private double occupied;
    private double occupiedUntil;
    private double full;
    private int gathered;

    /// @param group inputs that become one result
    VirtualStage(String name, String placement, int slots, int buffer, int group, LongToDoubleFunction nanosOfCall) {
        this.name = name;
        this.placement = placement;
        this.capacity = buffer + slots;
        this.group = group;
        this.nanosOfCall = nanosOfCall;
        this.slotFree = new double[slots];
    }

    /// When an input that is there since `input` is taken; `held` is when it may be at the earliest.
    double take(double input, double held) {
        int slot = earliestFree();
        boolean last = ++gathered == group;
        double room = last && readyAt.size() >= capacity ? takenAt.get(readyAt.size() - capacity) : 0;
        double from = Math.max(input, slotFree[slot]);
        starved += from - slotFree[slot];
        // A stage that gathers waits with the whole group in its hands, others before they take their input.
        double taken = group > 1 ? from : Math.max(from, Math.max(room, held));
        double begun = Math.max(taken, room);
        blocked += begun - from;
        slotFree[slot] = begun;
        if (last) {
            work(slot, begun);
        }
        return taken;
    }

    private int earliestFree() {
        int earliest = 0;
        for (int i = 1; i < slotFree.length; i++) {
            earliest = slotFree[i] < slotFree[earliest] ? i : earliest;
        }
        return earliest;
    }

    private void work(int slot, double begun) {
        gathered = 0;
        double nanos = nanosOfCall.applyAsDouble(readyAt.size());
        busy += nanos;
        longest = Math.max(longest, nanos);
        latency[Latency.bucketOf(Math.round(nanos))]++;
        slotFree[slot] = begun + nanos;
        // Results pass in the order of their inputs.
        readyAt.add(Math.max(begun + nanos, readyAt.isEmpty() ? 0 : readyAt.getLast()));
        int fullUntil = readyAt.size() - capacity;
        full += fullUntil < 0 || fullUntil >= takenAt.size() ? 0 : Math.max(0, takenAt.get(fullUntil) - begun);
    }

    /// How many results there were.
    int results() {
        return readyAt.size();
    }

    /// Whether a result waits that was not taken yet.
    boolean hasResult() {
        return takenAt.size() < readyAt.size();
    }

    /// When the oldest result that was not taken yet is ready.
    double resultReady() {
        return readyAt.get(takenAt.size());
    }

    /// The oldest result is taken from the link.
    void resultTaken(double at) {
        occupied += Math.max(0, at - Math.max(resultReady(), occupiedUntil));
        occupiedUntil = at;
        takenAt.add(at);
    }

    StageStats stats() {
        return new StageStats(
                name,
                placement,
                slotFree.length,
                readyAt.size(),
                0,
                0,
                nanos(busy),
                nanos(starved),
                nanos(blocked),
                Duration.ZERO,
                Latency.of(Arrays.copyOf(latency, latency.length), Math.round(longest)),
                0);
    }

    LinkStats link(String consumer, double elapsed) {
        return new LinkStats(
                name,
                consumer,
                true,
                capacity,
                readyAt.size() - takenAt.size(),
                takenAt.size(),
                nanos(elapsed - occupied),
                nanos(full));
    }

    String name() {
        return name;
    }

    static Duration nanos(double nanos) {
        return Duration.ofNanos(Math.round(Math.max(0, nanos)));
    }
}
