package org.jspdl.cli.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Throughput with its error, from the moments at which batches came and what the processors did meanwhile. Used by one
/// thread.
///
/// Only the later half of the time counts: code is compiled and queues fill first. It is divided into groups of
/// batches, whose rates vary by the noise of the measurement (the method of batch means). Where the process used all
/// processors that others had left, its time counts as far as processors were there for its work: what other processes
/// and the compiler take is not the pipeline's own cost, and changes.
public final class ThroughputEstimate {
    /// Groups that the counted half is divided into, where there are enough batches.
    private static final int GROUPS = 8;
    /// 97.5 % quantiles of Student's distribution with 1 and more degrees of freedom.
    private static final double[] STUDENT = {12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36};
    /// What a short measurement cannot know: other files, other machines' load. The least error that is claimed.
    private static final double LEAST_ERROR = 0.05;
    /// The part of a change by others' load that is not certain: processors share cores, caches and memory.
    private static final double UNCERTAIN = 0.3;
    /// Processor time is counted in hundredths of a second: what is told apart by it has to be longer.
    private static final long WINDOW_NANOS = 400_000_000;
    /// The part of the time in which work did not use all that was left, for it to be limited by something else.
    private static final double MENTIONABLE = 0.15;

    /// Batches that come sooner after another are counted with the next that does not.
    private static final long APART_NANOS = 2_000_000;

    /// A rise that has not ended goes on: the last value of an exponential approach is that much further away.
    private static final double GOES_ON = 1.5;

    private static final double STEADY = 0.03;
    /// The most of a processor that the compiler takes once code is warm.
    private static final double WARM = 0.05;
    private static final int ENOUGH = 2 * GROUPS;
    private static final int FEWEST = 3;

    private record Arrival(long items, Load load) {
        long at() {
            return load.at();
        }
    }

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

    /// What the machine did in the time that counts, and what that tells of other company.
    ///
    /// @param load         what was done
    /// @param perProcessor items per second of each processor that was left to the work, where it used all of them
    /// @param most         items per second where it did not: more processors would not help
    record Conditions(Load load, double perProcessor, double most) {
        /// How many processors others used.
        double others() {
            return (double) load.others() / load.at();
        }

        /// What is expected of a run while others, the compiler included, use this many processors.
        Result expected(Result found, double othersThen) {
            if (!load.isKnown()) {
                return found;
            }
            double then = load.leftBy(othersThen);
            double rate = then >= load.left()
                    ? Math.max(found.perSecond, Math.min(most, perProcessor * then))
                    : Math.min(found.perSecond, perProcessor * then);
            double error = found.error * rate / found.perSecond + UNCERTAIN * Math.abs(rate - found.perSecond);
            return new Result(rate, error, found.items, found.elapsed);
        }
    }

    /// Counts a batch of `count` items that came at this moment, of whose processors nothing is known.
    public void arrived(long now, long count) {
        counted(count);
        if (arrivals.isEmpty() || now - arrivals.getLast().at() >= APART_NANOS) {
            noted(Load.unknown(now));
        }
    }

    /// Counts items that came.
    void counted(long count) {
        items += count;
    }

    /// Notes that all items so far had come at the moment of `load`, and the last of them just now.
    void noted(Load load) {
        arrivals.add(new Arrival(items, load));
    }

    /// Whether there are enough batches for an estimate, however bad.
    public boolean isPossible() {
        return arrivals.size() >= FEWEST;
    }

    /// Whether more time would hardly make the estimate better: there are enough batches, code is compiled, and the
    /// throughput no longer rises.
    public boolean isSettled() {
        int first = first();
        int last = arrivals.size() - 1;
        if (last - first < ENOUGH || load(first, last).compiling() > WARM) {
            return false;
        }
        int middle = (first + last) / 2;
        boolean saturated = load(first, last).isSaturated();
        return Math.abs(rate(middle, last, saturated) / rate(first, middle, saturated) - 1) < STEADY;
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
        Load load = load(first, last);
        boolean saturated = load.isSaturated();
        double rate = rate(first, last, saturated);
        int groups = Math.min(GROUPS, last - first);
        double squares = 0;
        for (int i = 0; i < groups; i++) {
            int from = first + (last - first) * i / groups;
            int to = first + (last - first) * (i + 1) / groups;
            double difference = (rate(from, to, saturated) - rate) * time(from, to, saturated);
            squares += difference * difference;
        }
        double standard = Math.sqrt(squares * groups / (groups - 1)) / time(first, last, saturated);
        int middle = (first + last) / 2;
        double trend = Math.abs(rate(middle, last, saturated) - rate(first, middle, saturated));
        trend *= isSettled() ? 1 : GOES_ON;
        double error = Math.max(LEAST_ERROR * rate, Math.max(trend, STUDENT[groups - 2] * standard));
        // Code that is still being compiled gets faster.
        error = Math.hypot(error, Math.min(1, load.compiling() / load.left()) * rate);
        double left = saturated ? load.left() : 1;
        return new Result(
                left * rate,
                left * error,
                items,
                Duration.ofNanos(arrivals.getLast().at() - begun));
    }

    /// What the machine did in the time that [#result] counts.
    Conditions conditions() {
        int last = arrivals.size() - 1;
        int first = Math.min(first(), last - 2);
        Load load = load(first, last);
        double idleItems = 0;
        double idleTime = 0;
        double items = 0;
        double time = 0;
        int from = first;
        for (int to = first + 1; to <= last; to++) {
            Load window = load(from, to);
            if (window.at() < WINDOW_NANOS && to < last) {
                continue;
            }
            double came = arrivals.get(to).items - arrivals.get(from).items;
            if (window.isSaturated()) {
                items += came;
                time += time(from, to, true);
            } else {
                idleItems += came;
                idleTime += time(from, to, false);
            }
            from = to;
        }
        boolean limited = idleTime >= MENTIONABLE * load.at() / 1e9;
        double perProcessor = time > 0 ? items / time : (idleItems * 1e9) / Math.max(1, load.own());
        return new Conditions(load, perProcessor, limited ? idleItems / idleTime : Double.MAX_VALUE);
    }

    /// The last batch of the first half of the time.
    private int first() {
        if (arrivals.isEmpty()) {
            return 0;
        }
        long half = (begun + arrivals.getLast().at()) / 2;
        int first = 0;
        while (first + 1 < arrivals.size() && arrivals.get(first + 1).at() <= half) {
            first++;
        }
        return first;
    }

    private Load load(int from, int to) {
        return arrivals.get(to).load.since(arrivals.get(from).load);
    }

    /// Seconds; or seconds of processors that were left to the work.
    private double time(int from, int to, boolean saturated) {
        Load load = load(from, to);
        return (saturated ? load.leftToWork() : 1) * load.at() / 1e9;
    }

    private double rate(int from, int to, boolean saturated) {
        return (arrivals.get(to).items - arrivals.get(from).items) / time(from, to, saturated);
    }
}
