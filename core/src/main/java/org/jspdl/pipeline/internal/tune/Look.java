package org.jspdl.pipeline.internal.tune;

import java.time.Duration;
import org.jspdl.stats.LinkStats;
import org.jspdl.stats.PipelineStats;

/// What a tuner sees of a run at one moment, from the run's start.
public record Look(PipelineStats stats, Resources resources) {
    private static final int MOST_IN_FLIGHT = 1 << 30;
    private static final double PAUSE_SECONDS = 3;
    private static final double MAY_PAUSE_SECONDS = 0.5;

    /// The link by which throughput is measured: the one that most items pass, the last of several. Batches are too
    /// few to measure by in a second.
    int finestLink() {
        int finest = 0;
        long most = 0;
        for (int i = 0; i < stats.links().size(); i++) {
            long passed = stats.links().get(i).passed();
            // Links of the same items differ by those in flight.
            if (passed >= 0.95 * most) {
                finest = i;
            }
            most = Math.max(most, passed);
        }
        return finest;
    }

    long passed(int link) {
        return stats.links().get(link).passed();
    }

    double seconds() {
        return stats.elapsed().toNanos() / 1e9;
    }

    /// The time of all steps of the consumer, waits included, up to the last delivery.
    double stepSeconds() {
        return nanos(stats.consumerWait().plus(stats.consumerBusy())) / 1e9;
    }

    /// Items that can be under way at once.
    int inFlight() {
        return stats.links().stream().mapToInt(LinkStats::capacity).sum();
    }

    /// How many items of `link` what can be under way at once is made of: a batch is as many as it holds.
    int inFlight(int link) {
        double items = 0;
        for (LinkStats each : stats.links()) {
            double made = each.passed() == 0 ? 1 : (double) passed(link) / each.passed();
            items += each.capacity() * made;
        }
        return (int) Math.min(MOST_IN_FLIGHT, Math.ceil(items));
    }

    /// Whether the consumer has asked for nothing since `delivery`, the look that saw the last delivery, for much
    /// longer than its steps take: it is paused, and nothing of that tells of the run.
    boolean isPausedSince(Look delivery) {
        return asksForNothingSince(delivery, PAUSE_SECONDS);
    }

    /// Whether this may be the beginning of a pause: nothing is to be concluded before it is known.
    boolean mayBePausedSince(Look delivery) {
        return asksForNothingSince(delivery, MAY_PAUSE_SECONDS);
    }

    private boolean asksForNothingSince(Look delivery, double least) {
        double elapsed = seconds() - delivery.seconds();
        double waited = nanos(stats.consumerWait().minus(delivery.stats.consumerWait())) / 1e9;
        double step = stats.delivered() == 0 ? 0 : nanos(stats.consumerBusy()) / 1e9 / stats.delivered();
        return elapsed > Math.max(least, 4 * step) && waited < elapsed / 20;
    }

    private static double nanos(Duration duration) {
        return duration.toNanos();
    }
}
