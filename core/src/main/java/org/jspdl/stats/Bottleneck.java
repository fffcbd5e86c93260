package org.jspdl.stats;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

/// What limits a run, with the evidence and a remedy. `toString` is one sentence for a person.
///
/// The analysis follows the waiting: a consumer that seldom waits is the limit itself. Otherwise the limit is where the
/// slots are neither starved nor blocked, since everything before it waits for room and everything after it waits for
/// input. If the processors are all busy, or that stage only waits for one of them, the limit is the compute pool, and
/// the stage that uses most of it is named.
///
/// @param kind     what limits
/// @param stage    the stage's name; empty unless a stage is the limit or the largest user of it
/// @param evidence the numbers that say so
/// @param remedy   what to try
public record Bottleneck(Kind kind, String stage, String evidence, String remedy) {

    /// What can limit a run.
    public enum Kind {
        /// Nothing was measured yet.
        UNKNOWN,
        /// The consumer: loading is fast enough.
        CONSUMER,
        /// One stage has too few slots for its work.
        STAGE,
        /// The source yields too slowly.
        SOURCE,
        /// The compute threads are all busy.
        PROCESSORS
    }

    private static final double MOSTLY = 0.5;
    private static final double SATURATED = 0.85;

    static Bottleneck of(PipelineStats stats) {
        Duration elapsed = stats.elapsed();
        if (stats.delivered() == 0 || elapsed.isZero()) {
            return new Bottleneck(Kind.UNKNOWN, "", "nothing was delivered yet", "let it run longer");
        }
        double waiting = ratio(stats.consumerWait(), elapsed);
        if (waiting < 0.1) {
            return new Bottleneck(
                    Kind.CONSUMER,
                    "",
                    percent("the consumer waited for data only %s of the time", waiting),
                    "data loading is fast enough; speed up the consumer");
        }
        double computeShare = computeShare(stats);
        StageStats most = busiest(stats.stages(), elapsed);
        if (computeShare > SATURATED) {
            return processors(stats, computeShare, "");
        }
        boolean waitsForProcessor =
                most.queuedShare(elapsed) > most.busyShare(elapsed) && most.queuedShare(elapsed) > MOSTLY;
        if (computes(most) && waitsForProcessor) {
            return processors(
                    stats,
                    computeShare,
                    percent("; stage '" + most.name() + "' waited for one of them %s", most.queuedShare(elapsed)));
        }
        double share = most.busyShare(elapsed) + most.queuedShare(elapsed);
        String evidence = percent("stage '" + most.name() + "' was busy %s of the time", share)
                + percent(", waiting for input %s", most.starvedShare(elapsed))
                + percent(" and for room %s", most.blockedShare(elapsed));
        if (most.placement().equals("source")) {
            return new Bottleneck(
                    Kind.SOURCE,
                    most.name(),
                    evidence,
                    "make the source faster, or move its slow part into a stage of its own");
        }
        String remedy = share < MOSTLY
                ? "no stage is saturated: the work may come in bursts; try a larger buffer after '" + most.name() + "'"
                : "raise its concurrency above " + most.concurrency() + ", or make it cheaper ("
                        + micros(most.timePerItem()) + " an item)";
        return new Bottleneck(Kind.STAGE, most.name(), evidence, remedy);
    }

    private static Bottleneck processors(PipelineStats stats, double computeShare, String waiting) {
        StageStats user = largestComputeUser(stats.stages());
        return new Bottleneck(
                Kind.PROCESSORS,
                user.name(),
                percent("the " + stats.computeThreads() + " compute threads were busy %s of the time", computeShare)
                        + percent(", %s of it in stage '" + user.name() + "'", ratio(user.busy(), computeBusy(stats)))
                        + waiting,
                "make '" + user.name() + "' cheaper (" + micros(user.timePerItem())
                        + " an item), cache its results, or add processors");
    }

    private static double computeShare(PipelineStats stats) {
        return stats.computeThreads() == 0
                ? 0
                : ratio(computeBusy(stats), stats.elapsed().multipliedBy(stats.computeThreads()));
    }

    private static Duration computeBusy(PipelineStats stats) {
        return stats.stages().stream()
                .filter(Bottleneck::computes)
                .map(StageStats::busy)
                .reduce(Duration.ZERO, Duration::plus);
    }

    private static boolean computes(StageStats stage) {
        return stage.placement().equals("cpu");
    }

    private static StageStats largestComputeUser(List<StageStats> stages) {
        StageStats largest = stages.getFirst();
        for (StageStats stage : stages) {
            if (computes(stage) && (!computes(largest) || stage.busy().compareTo(largest.busy()) > 0)) {
                largest = stage;
            }
        }
        return largest;
    }

    private static StageStats busiest(List<StageStats> stages, Duration elapsed) {
        StageStats busiest = stages.getFirst();
        double most = -1;
        for (StageStats stage : stages) {
            double share = stage.busyShare(elapsed) + stage.queuedShare(elapsed);
            if (share > most) {
                most = share;
                busiest = stage;
            }
        }
        return busiest;
    }

    private static double ratio(Duration part, Duration whole) {
        return whole.isZero() ? 0 : (double) part.toNanos() / whole.toNanos();
    }

    private static String percent(String format, double share) {
        return String.format(Locale.ROOT, format, String.format(Locale.ROOT, "%.0f %%", 100 * share));
    }

    private static String micros(Duration duration) {
        double micros = duration.toNanos() / 1e3;
        return micros < 1000
                ? String.format(Locale.ROOT, "%.0f us", micros)
                : String.format(Locale.ROOT, "%.2f ms", micros / 1000);
    }

    @Override
    public String toString() {
        String limit = switch (kind) {
            case UNKNOWN -> "unknown";
            case CONSUMER -> "the consumer";
            case STAGE -> "stage '" + stage + "'";
            case SOURCE -> "the source";
            case PROCESSORS -> "the processors";
        };
        return "Limited by " + limit + ": " + evidence + ". Try: " + remedy + ".";
    }
}
