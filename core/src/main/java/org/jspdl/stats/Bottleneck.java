package org.jspdl.stats;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

/// What limits a run, with the evidence and a remedy. `toString` is one sentence for a person.
///
/// A consumer that is seldom starved is the bottleneck itself. Otherwise the bottleneck is the stage whose workers are
/// neither starved nor backpressured: everything upstream is backpressured by it, everything downstream starves. If the
/// compute threads are all busy, or that stage only waits for one of them, the bottleneck is the CPU, and the stage
/// that uses most of it is named.
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
        /// One stage has too few workers.
        STAGE,
        /// The source is too slow.
        SOURCE,
        /// The compute threads are all busy.
        CPU
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
                    "the consumer was starved only " + percent(waiting) + " of the time",
                    "data loading is fast enough; speed up the consumer");
        }
        double computeShare = computeShare(stats);
        StageStats most = busiest(stats.stages(), elapsed);
        if (computeShare > SATURATED) {
            return processors(stats, computeShare, "");
        }
        boolean waitsForProcessor =
                most.waitingForCpuShare(elapsed) > most.busyShare(elapsed) && most.waitingForCpuShare(elapsed) > MOSTLY;
        if (computes(most) && waitsForProcessor) {
            return processors(
                    stats,
                    computeShare,
                    "; stage '" + most.name() + "' waited for one of them " + percent(most.waitingForCpuShare(elapsed))
                            + " of the time");
        }
        double share = most.busyShare(elapsed) + most.waitingForCpuShare(elapsed);
        String evidence = "stage '" + most.name() + "' was busy " + percent(share) + " of the time"
                + ", starved " + percent(most.starvedShare(elapsed))
                + ", backpressured " + percent(most.backpressuredShare(elapsed));
        if (most.placement().equals("source")) {
            return new Bottleneck(
                    Kind.SOURCE,
                    most.name(),
                    evidence,
                    "make the source faster, or move its slow part into a stage of its own");
        }
        String remedy = share < MOSTLY
                ? "no stage is saturated: the work may come in bursts; try a larger buffer after '" + most.name() + "'"
                : "use more than " + most.concurrency() + " workers, or make it cheaper (" + micros(most.timePerItem())
                        + " per item)";
        return new Bottleneck(Kind.STAGE, most.name(), evidence, remedy);
    }

    private static Bottleneck processors(PipelineStats stats, double computeShare, String waiting) {
        StageStats user = largestComputeUser(stats.stages());
        return new Bottleneck(
                Kind.CPU,
                user.name(),
                "the " + stats.computeThreads() + " compute threads were busy " + percent(computeShare) + " of the time"
                        + ", " + percent(ratio(user.busy(), computeBusy(stats))) + " of it in stage '" + user.name()
                        + "'"
                        + waiting,
                "make '" + user.name() + "' cheaper (" + micros(user.timePerItem())
                        + " per item), cache its results, or add processors");
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
            double share = stage.busyShare(elapsed) + stage.waitingForCpuShare(elapsed);
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

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.0f %%", 100 * share);
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
            case CONSUMER -> "consumer";
            case STAGE -> "stage '" + stage + "'";
            case SOURCE -> "source";
            case CPU -> "CPU";
        };
        return "Bottleneck: " + limit + ": " + evidence + ". Try: " + remedy + ".";
    }
}
