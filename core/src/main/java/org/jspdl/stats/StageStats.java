package org.jspdl.stats;

import java.time.Duration;

/// What one stage has done since the run started, or in an interval of it.
///
/// A stage has as many *slots* as its concurrency. At any moment a slot is busy with the function, waits for input,
/// waits for room downstream (backpressured), or waits for a processor; so the four durations add up to `concurrency`
/// times the elapsed time, less what the engine itself takes.
///
/// @param name        the stage's name
/// @param placement   what the function runs on: `source`, `io`, `cpu`, `dedicated`, `on`, or `inline` for the engine's
///     own operations
/// @param concurrency the most functions that run at once
/// @param completed   items whose function returned a result that was passed on
/// @param filtered    items dropped on purpose by a filter
/// @param failed      items whose function threw, whether or not the run survived it
/// @param busy          total time inside the stage function, summed over workers
/// @param starved       total time workers waited for input; high means the stage is faster than its upstream
/// @param backpressured total time workers waited for the queue downstream; high means the stage is faster than its
///     downstream
/// @param waitingForCpu total time workers could run but had no CPU
/// @param latency       time of one call of the function
/// @param abandoned     calls that went on after their deadline and were given up, and still run
public record StageStats(
        String name,
        String placement,
        int concurrency,
        long completed,
        long filtered,
        long failed,
        Duration busy,
        Duration starved,
        Duration backpressured,
        Duration waitingForCpu,
        Latency latency,
        int abandoned) {

    /// Calls of the function that have ended, whatever came of them.
    public long processed() {
        return completed + filtered + failed;
    }

    /// Mean time of one call; zero before the first.
    public Duration timePerItem() {
        return processed() == 0 ? Duration.ZERO : busy.dividedBy(processed());
    }

    /// Items per second of wall-clock time; zero before the first item.
    public double rate(Duration elapsed) {
        return elapsed.isZero() ? 0 : completed / seconds(elapsed);
    }

    /// Share of the workers' wall time spent in the function, between 0 and 1.
    public double busyShare(Duration elapsed) {
        return share(busy, elapsed);
    }

    /// Share of the workers' wall time spent starved, between 0 and 1.
    public double starvedShare(Duration elapsed) {
        return share(starved, elapsed);
    }

    /// Share of the workers' wall time spent backpressured, between 0 and 1.
    public double backpressuredShare(Duration elapsed) {
        return share(backpressured, elapsed);
    }

    /// Share of the workers' wall time spent waiting for a CPU, between 0 and 1.
    public double waitingForCpuShare(Duration elapsed) {
        return share(waitingForCpu, elapsed);
    }

    /// What happened here and not in `earlier`, a snapshot of the same stage.
    public StageStats since(StageStats earlier) {
        return new StageStats(
                name,
                placement,
                concurrency,
                completed - earlier.completed,
                filtered - earlier.filtered,
                failed - earlier.failed,
                busy.minus(earlier.busy),
                starved.minus(earlier.starved),
                backpressured.minus(earlier.backpressured),
                waitingForCpu.minus(earlier.waitingForCpu),
                latency.since(earlier.latency),
                abandoned);
    }

    /// Of the time of all workers, of which there may have been more than now: then it is what they have counted.
    private double share(Duration part, Duration elapsed) {
        double counted = seconds(busy) + seconds(starved) + seconds(backpressured) + seconds(waitingForCpu);
        double whole = Math.max(seconds(elapsed) * concurrency, counted);
        return whole == 0 ? 0 : Math.clamp(seconds(part) / whole, 0.0, 1.0);
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
