package org.jspdl.cli.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Throughput with its error, from the moments at which batches came. Used by one thread.
///
/// Only the later half of the time counts: code is compiled and queues fill first. It is divided into groups of
/// batches, whose rates vary by the noise of the measurement (the method of batch means).
public final class ThroughputEstimate {
    /// Groups that the counted half is divided into, where there are enough batches.
    private static final int GROUPS = 8;
    /// 97.5 % quantiles of Student's distribution with 1 and more degrees of freedom.
    private static final double[] STUDENT = {12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36};
    /// What a short measurement cannot know: other files, other machines' load. The least error that is claimed.
    private static final double LEAST_ERROR = 0.05;

    /// Batches that come sooner after another are counted with the next that does not.
    private static final long APART_NANOS = 2_000_000;

    private static final double STEADY = 0.05;
    private static final int ENOUGH = 2 * GROUPS;
    private static final int FEWEST = 3;

    private record Arrival(long at, long items) {}

    private final List<Arrival> arrivals = new ArrayList<>();
    private final long begun;
    private long items;

    /// @param now when the run began, by [System#nanoTime]
    public ThroughputEstimate(long now) {
        begun = now;
    }

    /// What is expected of a longer run.
    ///
    /// @param perSecond items per second
    /// @param error     half of the 95 % interval around it
    /// @param items     items that came in all
    /// @param elapsed   from the start to the last of them
    public record Result(double perSecond, double error, long items, Duration elapsed) {
        /// Whether `measured` is within the error.
        public boolean covers(double measured) {
            return Math.abs(measured - perSecond) <= error;
        }
    }

    /// Counts a batch of `count` items that came at this moment.
    public void arrived(long now, long count) {
        items += count;
        if (arrivals.isEmpty() || now - arrivals.getLast().at >= APART_NANOS) {
            arrivals.add(new Arrival(now, items));
        }
    }

    /// Whether there are enough batches for an estimate, however bad.
    public boolean isPossible() {
        return arrivals.size() >= FEWEST;
    }

    /// Whether more time would hardly make the estimate better: there are enough batches, and the throughput no
    /// longer rises.
    public boolean isSettled() {
        int first = first();
        int last = arrivals.size() - 1;
        if (last - first < ENOUGH) {
            return false;
        }
        int middle = (first + last) / 2;
        return Math.abs(rate(middle, last) / rate(first, middle) - 1) < STEADY;
    }

    /// The estimate so far.
    ///
    /// @throws IllegalStateException if it is not [possible][#isPossible]
    public Result result() {
        if (!isPossible()) {
            throw new IllegalStateException("3 batches at least are needed but there were " + arrivals.size());
        }
        int last = arrivals.size() - 1;
        int first = Math.min(first(), last - 2);
        double rate = rate(first, last);
        int groups = Math.min(GROUPS, last - first);
        double squares = 0;
        for (int i = 0; i < groups; i++) {
            int from = first + (last - first) * i / groups;
            int to = first + (last - first) * (i + 1) / groups;
            double difference = rate(from, to) - rate;
            squares += difference * difference;
        }
        double standard = Math.sqrt(squares / (groups - 1) / groups);
        int middle = (first + last) / 2;
        double trend = Math.abs(rate(middle, last) - rate(first, middle)) / 2;
        double error = Math.max(LEAST_ERROR * rate, Math.max(trend, STUDENT[groups - 2] * standard));
        return new Result(rate, error, items, Duration.ofNanos(arrivals.getLast().at - begun));
    }

    /// The last batch of the first half of the time.
    private int first() {
        if (arrivals.isEmpty()) {
            return 0;
        }
        long half = (begun + arrivals.getLast().at) / 2;
        int first = 0;
        while (first + 1 < arrivals.size() && arrivals.get(first + 1).at <= half) {
            first++;
        }
        return first;
    }

    private double rate(int from, int to) {
        Arrival first = arrivals.get(from);
        Arrival last = arrivals.get(to);
        return (last.items - first.items) * 1e9 / Math.max(1, last.at - first.at);
    }
}
