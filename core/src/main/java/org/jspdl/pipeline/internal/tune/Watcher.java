package org.jspdl.pipeline.internal.tune;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspdl.pipeline.internal.tune.Measurement.By;
import org.jspdl.stats.PipelineStats;
import org.jspdl.stats.StageStats;

/// Tells a settled tuner when the work has changed. Used by one thread.
///
/// A change has to last for two measurements. After tuning that led to nothing, it waits longer before it wakes the
/// tuner again.
final class Watcher {
    /// Between settling and the first waking.
    private static final double QUIET_SECONDS = 60;
    /// So long queues may still hold what was made before the last change, and keep a consumer from starving.
    private static final double DRAINING_SECONDS = 30;
    private static final int MOST_DOUBLINGS = 5;
    private static final double CHANGED_TIME = 1.3;
    private static final double CHANGED_RATE = 0.2;
    private static final double CHANGED_PROCESSORS = 0.5;
    private static final double STARVED_BEFORE = 0.05;
    private static final double STARVED_NOW = 0.15;
    /// What a stage has to take of the time of the busiest for its time to matter.
    private static final double MATTERS = 0.2;

    private final double settledAt;
    private final double quiet;
    private final Measurement settled;
    private double starved;
    private final double others;
    private final Map<String, Double> times = new HashMap<>();
    private int changes;

    Watcher(Measurement settled, int fruitless) {
        settledAt = settled.last().seconds();
        quiet = QUIET_SECONDS * (1 << Math.min(MOST_DOUBLINGS, Math.max(0, fruitless - 1)));
        this.settled = settled;
        starved = settled.starved();
        others = settled.processorsUsedByOthers();
        settled.interval().stages().forEach(stage -> times.put(stage.name(), time(stage)));
    }

    private static double time(StageStats stage) {
        return stage.timePerItem().toNanos();
    }

    /// What has changed since; empty if nothing has, or not for long enough.
    String changed(Measurement now) {
        if (now.last().seconds() - settledAt < DRAINING_SECONDS) {
            starved = Math.max(starved, now.starved());
        }
        String what = difference(now);
        changes = what.isEmpty() ? 0 : changes + 1;
        return changes >= 2 && now.last().seconds() - settledAt >= quiet ? what : "";
    }

    /// A pause of the consumer is no change.
    void paused() {
        changes = 0;
    }

    private String difference(Measurement now) {
        By by = now.best(settled);
        double noise = 3 * Math.hypot(now.error(by), settled.error(by));
        double rate = settled.rate(by) <= 0 ? 1 : now.rate(by) / settled.rate(by);
        double starvedNow = now.starved();
        if (Math.abs(rate - 1) > Math.max(CHANGED_RATE, noise) && starvedNow > STARVED_BEFORE) {
            return "throughput is " + percent(rate) + " of what it was";
        }
        if (starved < STARVED_BEFORE && starvedNow > STARVED_NOW) {
            return "the consumer is starved for " + percent(starvedNow) + " of the time";
        }
        if (Math.abs(now.processorsUsedByOthers() - others) > CHANGED_PROCESSORS) {
            return String.format(
                    Locale.ROOT,
                    "other processes use %.1f processors instead of %.1f",
                    now.processorsUsedByOthers(),
                    others);
        }
        PipelineStats interval = now.interval();
        double busiest = interval.stages().stream()
                .mapToDouble(stage -> stage.busy().toNanos())
                .max()
                .orElse(0);
        for (StageStats stage : interval.stages()) {
            double before = times.getOrDefault(stage.name(), 0.0);
            double ratio = before <= 0 || stage.processed() == 0 ? 1 : time(stage) / before;
            boolean matters = stage.busy().toNanos() >= MATTERS * busiest;
            if (matters && Math.max(ratio, 1 / ratio) > CHANGED_TIME + noise) {
                return "an item takes " + percent(ratio) + " of the time it took in '" + stage.name() + "'";
            }
        }
        return "";
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.0f %%", 100 * share);
    }
}
