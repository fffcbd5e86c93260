package org.jspdl.stats.model;

import java.util.Arrays;
import org.jspdl.stats.Latency;
import org.jspdl.stats.StageStats;

/// A stage of a model, with the link behind it.
///
/// @param name      the stage's name
/// @param computes  whether it needs a compute thread while it works
/// @param workers     how many items it works on at once
/// @param capacity  how many finished or reserved items the link behind it holds
/// @param ordered   whether results pass in the order of their inputs
/// @param group     how many inputs become one result; 1 for most stages
/// @param parts     how many results one input becomes, of those that pass; below 1 if a filter drops some
/// @param calls     how often its function is called for each batch
/// @param times     how long calls take, in nanoseconds: even steps of the distribution, shortest first
/// @param processor the part of a call's time that is spent on a processor
public record ModelStage(
        String name,
        boolean computes,
        int workers,
        int capacity,
        boolean ordered,
        int group,
        double parts,
        double calls,
        double[] times,
        double processor) {
    private static final int STEPS = 512;

    /// Even steps of the times of `stage`'s calls.
    static double[] timesOf(StageStats stage) {
        return times(stage.latency(), (double) stage.timePerItem().toNanos());
    }

    /// Even steps of `latency`, whose mean is the one that was measured.
    static double[] times(Latency latency, double mean) {
        double[] times = new double[STEPS];
        if (latency.calls() == 0) {
            Arrays.fill(times, mean);
            return times;
        }
        for (int i = 0; i < STEPS; i++) {
            times[i] = latency.percentile((i + 0.5) / STEPS).toNanos();
        }
        double sum = Arrays.stream(times).sum();
        return sum == 0 ? times : scaled(times, mean * STEPS / sum);
    }

    static double[] scaled(double[] times, double factor) {
        return Arrays.stream(times).map(time -> time * factor).toArray();
    }

    /// The mean time of a call, in nanoseconds.
    public double meanTime() {
        return Arrays.stream(times).average().orElse(0);
    }

    /// The part of all calls' time that the slowest `share` of calls takes.
    public double tail(double share) {
        double sum = Arrays.stream(times).sum();
        int from = (int) Math.round(STEPS * (1 - share));
        return sum == 0 ? 0 : Arrays.stream(times, from, STEPS).sum() / sum;
    }

    /// The same with calls that take `factor` as long.
    public ModelStage timesScaled(double factor) {
        return with(workers, capacity, scaled(times, factor), ordered);
    }

    /// The same with no call longer than nine of ten are.
    public ModelStage withoutTail() {
        double most = times[STEPS * 9 / 10];
        return with(
                workers,
                capacity,
                Arrays.stream(times).map(time -> Math.min(time, most)).toArray(),
                ordered);
    }

    /// The same with `more` workers more, and the room they need.
    public ModelStage moreWorkers(int more) {
        return with(workers + more, capacity + more, times, ordered);
    }

    /// The same with room for `items` items more behind it.
    public ModelStage largerBuffer(int items) {
        return with(workers, capacity + items, times, ordered);
    }

    private ModelStage with(int newWorkers, int newCapacity, double[] newTimes, boolean newOrdered) {
        return new ModelStage(
                name, computes, newWorkers, newCapacity, newOrdered, group, parts, calls, newTimes, processor);
    }
}
