package org.jspdl.observe.diagnosis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspdl.observe.process.ProcessUsage;
import org.jspdl.stats.LinkStats;
import org.jspdl.stats.PipelineStats;
import org.jspdl.stats.StageStats;
import org.jspdl.stats.model.ModelStage;
import org.jspdl.stats.model.PipelineModel;

/// Follows the rules. What is about the run as a whole comes first (the consumer, pauses, memory, other processes);
/// otherwise the limit is the stage whose speed matters most to the model, and what it does with its time says what
/// limits it in turn.
final class Diagnostician {
    private static final double FEW_BATCHES = 20;

    private final Evidence evidence;
    private final PipelineStats stats;
    private final Duration elapsed;
    private final Map<String, Double> stageGains = new HashMap<>();

    Diagnostician(Evidence evidence) {
        this.evidence = evidence;
        this.stats = evidence.stats();
        this.elapsed = stats.elapsed();
    }

    List<Finding> findings() {
        if (stats.delivered() < 2 || elapsed.isZero()) {
            return List.of(new Finding(Limit.UNKNOWN, "", 0, "too few batches to tell", List.of()));
        }
        Remedies remedies = new Remedies(evidence, model());
        List<Finding> findings = new ArrayList<>();
        consumer(findings, remedies);
        garbage(findings, remedies);
        memory(findings, remedies);
        StageStats most = mostImportant(remedies);
        ModelStage modelled = remedies.model().stage(most.name());
        otherProcesses(findings, remedies, most);
        findings.add(stage(remedies, most, modelled));
        return List.copyOf(findings);
    }

    private PipelineModel model() {
        double others = evidence.usage().processorsUsedByOthers();
        double processors = Math.max(1, evidence.usage().machine().processors());
        double used = workingProcessors();
        // Who asks for more gets more of what others have, so at least half is there for the asking.
        double available = Math.max(Math.max(used, processors - others), processors / 2);
        Map<String, Double> shares = new HashMap<>();
        stats.stages()
                .forEach(stage ->
                        shares.put(stage.name(), evidence.work(stage.name()).processor()));
        return PipelineModel.of(stats, new PipelineModel.Processors(available, used, shares));
    }

    /// Processors that functions and the engine kept busy: the compiler has done its work some day.
    private double workingProcessors() {
        ProcessUsage usage = evidence.usage();
        double working = (double) usage.threads().compute() + usage.threads().carriers();
        return working > 0 ? working / Math.max(1, usage.at()) : usage.processorsUsed();
    }

    private void consumer(List<Finding> findings, Remedies remedies) {
        double waiting = share(stats.consumerWait());
        if (waiting < Thresholds.CONSUMER_WAITS) {
            findings.add(new Finding(
                    Limit.CONSUMER,
                    "",
                    confidence(1 - waiting / Thresholds.CONSUMER_WAITS / 2),
                    "it was starved only " + percent(waiting) + " of the time; loading is fast enough",
                    remedies.forConsumer()));
        }
    }

    private void garbage(List<Finding> findings, Remedies remedies) {
        double paused = evidence.usage().pausedShare();
        if (paused > Thresholds.PAUSED) {
            findings.add(new Finding(
                    Limit.GC,
                    "",
                    confidence(0.6 + paused),
                    "the program was paused " + percent(paused) + " of the time, in "
                            + evidence.usage().garbage().pauses()
                            + " pauses; it allocated "
                            + megabytes(evidence.usage().garbage().allocated())
                            + "/s",
                    remedies.forGc(paused)));
        }
    }

    private void memory(List<Finding> findings, Remedies remedies) {
        if (stats.budget().limitBytes() == Long.MAX_VALUE) {
            return;
        }
        StageStats source = stats.stages().getFirst();
        LinkStats behind = stats.links().getFirst();
        double used =
                (double) Math.max(stats.budget().usedBytes(), stats.budget().peakBytes())
                        / stats.budget().limitBytes();
        double heldBack = source.backpressuredShare(elapsed) - behind.fullness(elapsed);
        if (used > Thresholds.BUDGET && heldBack > Thresholds.HELD_BACK) {
            findings.add(new Finding(
                    Limit.MEMORY,
                    "",
                    confidence(0.4 + heldBack / 2),
                    percent(used) + " of the byte budget was used" + ", and the source waited for it "
                            + percent(heldBack) + " of the time",
                    remedies.forMemory()));
        }
    }

    private void otherProcesses(List<Finding> findings, Remedies remedies, StageStats most) {
        double delayed = evidence.usage().delayedShare();
        double others = evidence.usage().processorsUsedByOthers();
        int processors = evidence.usage().machine().processors();
        double wanted = workingProcessors() / Math.max(0.01, 1 - delayed);
        if (delayed > Thresholds.DELAYED
                && others > Thresholds.OTHERS * processors
                && wanted > Thresholds.WANTED
                && computes(most, delayed)) {
            findings.add(new Finding(
                    Limit.OTHER_PROCESSES,
                    "",
                    confidence(0.5 + delayed / 2),
                    String.format(Locale.ROOT, "they used %.1f of %d processors", others, processors)
                            + stolen()
                            + ", and runnable threads waited for a CPU " + percent(delayed) + " of their time",
                    remedies.forOtherProcesses(delayed)));
        }
    }

    private String stolen() {
        double stolen = evidence.usage().processorsStolen();
        return stolen < Thresholds.WORTH_TELLING
                ? ""
                : String.format(Locale.ROOT, " (%.1f of them taken by the host of this virtual machine)", stolen);
    }

    /// Whether the stage's time goes into computing, or into waiting for a processor to compute on.
    private boolean computes(StageStats stage, double delayed) {
        Evidence.Work work = evidence.work(stage.name());
        return !stage.placement().equals("source")
                && work.processor() / Math.max(0.01, 1 - delayed) > Thresholds.MOSTLY
                && work.files() + work.network() < Thresholds.MOSTLY;
    }

    /// The stage of which half the time would give most.
    private StageStats mostImportant(Remedies remedies) {
        for (StageStats stage : stats.stages()) {
            stageGains.put(
                    stage.name(), remedies.gain(model -> model.with(stage.name(), each -> each.timesScaled(0.5))));
        }
        return stats.stages().stream()
                .max(Comparator.comparingDouble(stage -> importance(stage)))
                .orElseThrow();
    }

    /// Stages that wait for a processor compete for it, so among equals the one that works most counts.
    private double importance(StageStats stage) {
        return gainOf(stage) + 0.1 * working(stage);
    }

    /// What half the stage's time would give.
    private double gainOf(StageStats stage) {
        return stageGains.getOrDefault(stage.name(), 1.0);
    }

    private double working(StageStats stage) {
        return stage.busyShare(elapsed);
    }

    private Finding stage(Remedies remedies, StageStats most, ModelStage modelled) {
        Evidence.Work work = evidence.work(most.name());
        double busy = working(most);
        double compute = remedies.computeShare();
        if (most.placement().equals("source")) {
            return new Finding(Limit.SOURCE, most.name(), sure(most), spent(most), remedies.forStage(most));
        }
        if (work.files() > Thresholds.MOSTLY) {
            return new Finding(
                    Limit.STORAGE,
                    most.name(),
                    sure(most),
                    spent(most) + "; it waited for files " + percent(work.files()) + " of that time" + where(work)
                            + read(),
                    remedies.forStorage(most, work.files()));
        }
        if (work.network() > Thresholds.MOSTLY) {
            return new Finding(
                    Limit.STORE,
                    most.name(),
                    sure(most),
                    spent(most)
                            + "; it waited for the network " + percent(work.network()) + " of that time"
                            + where(work)
                            + read(),
                    remedies.forStorage(most, work.network()));
        }
        if (modelled.tail(0.05) > Thresholds.TAIL) {
            return new Finding(
                    Limit.STRAGGLERS,
                    most.name(),
                    sure(most),
                    "the slowest 5 % of the calls of '" + most.name() + "' take "
                            + percent(modelled.tail(0.05))
                            + " of its time"
                            + " (p50 "
                            + millis(most.latency().p50()) + ", p99 "
                            + millis(most.latency().p99()) + ")",
                    remedies.forStragglers(most));
        }
        double larger = busy < Thresholds.BUSY && compute < Thresholds.SATURATED
                ? remedies.gain(Remedies::withLargerBuffers)
                : 1;
        if (larger > Thresholds.BUFFER_GAIN && larger - 1 > Thresholds.BUFFERS_OVER_STAGE * (gainOf(most) - 1)) {
            return new Finding(
                    Limit.BUFFERS,
                    "",
                    confidence(0.4 + (larger - 1)),
                    "no stage is always busy ('" + most.name() + "' is " + percent(busy) + " of the time): "
                            + "stages starve and backpressure each other, since their calls differ in time and their buffers are small",
                    remedies.forBuffers());
        }
        if (compute > Thresholds.SATURATED) {
            StageStats user = remedies.largestComputeUser();
            return new Finding(
                    Limit.CPU,
                    user.name(),
                    confidence(compute),
                    "the " + stats.computeThreads() + " compute threads were busy " + percent(compute) + " of the time"
                            + ", " + percent(remedies.shareOfCompute(user)) + " of it in '" + user.name() + "'",
                    remedies.forProcessors(user));
        }
        return new Finding(Limit.STAGE, most.name(), sure(most), spent(most) + where(work), remedies.forStage(most));
    }

    private double sure(StageStats most) {
        double second = stageGains.entrySet().stream()
                .filter(entry -> !entry.getKey().equals(most.name()))
                .mapToDouble(entry -> entry.getValue() - 1)
                .max()
                .orElse(0);
        double first = gainOf(most) - 1;
        return first <= 0.02 ? 0.3 : confidence(1 - 0.6 * second / first);
    }

    private double confidence(double value) {
        return Math.clamp(value, 0.1, 0.98) * Math.min(1, 0.5 + stats.delivered() / FEW_BATCHES / 2);
    }

    private String spent(StageStats stage) {
        return "'" + stage.name() + "' was busy " + percent(working(stage)) + " of the time"
                + " (" + millis(stage.timePerItem()) + " per item"
                + (stage.concurrency() == 1 ? "" : ", " + stage.concurrency() + " workers") + ")"
                + ", starved " + percent(stage.starvedShare(elapsed))
                + ", backpressured " + percent(stage.backpressuredShare(elapsed));
    }

    private static String where(Evidence.Work work) {
        return work.place().isEmpty() ? "" : ", mostly in " + work.place();
    }

    private String read() {
        long bytes = evidence.usage().transfer().read();
        return bytes <= 0 ? "" : "; the process read " + megabytes(bytes) + "/s";
    }

    private String megabytes(long bytes) {
        return String.format(Locale.ROOT, "%.1f MB", bytes / 1e6 / (elapsed.toNanos() / 1e9));
    }

    private double share(Duration part) {
        return (double) part.toNanos() / elapsed.toNanos();
    }

    static String millis(Duration time) {
        return String.format(Locale.ROOT, time.toNanos() < 1_000_000 ? "%.3f ms" : "%.1f ms", time.toNanos() / 1e6);
    }

    static String percent(double share) {
        return String.format(Locale.ROOT, "%.0f %%", 100 * share);
    }
}
