package org.jspdl.observe.diagnosis;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspdl.stats.PipelineStats;
import org.jspdl.stats.StageStats;
import org.jspdl.stats.model.ModelStage;
import org.jspdl.stats.model.PipelineModel;

/// What to change, with what the model says it would give. The model's rate is used only as a ratio, so that what it
/// leaves out (the engine itself) counts on both sides.
final class Remedies {
    /// Items by which larger buffers are larger, behind every stage.
    static final int LARGER = 32;
    /// What is left of a wait that a cache in memory serves.
    private static final double CACHED = 0.05;

    private final Evidence evidence;
    private final PipelineStats stats;
    private final PipelineModel model;
    private final double base;

    Remedies(Evidence evidence, PipelineModel model) {
        this.evidence = evidence;
        this.stats = evidence.stats();
        this.model = model;
        this.base = model.rate();
    }

    PipelineModel model() {
        return model;
    }

    /// The model's rate after `change`, as a multiple of its rate before.
    double gain(UnaryOperator<PipelineModel> change) {
        return base <= 0 ? 1 : change.apply(model).rate() / base;
    }

    static PipelineModel withLargerBuffers(PipelineModel model) {
        return model.withAll(stage -> stage.largerBuffer(LARGER));
    }

    List<Remedy> forConsumer() {
        return List.of(
                remedy(Remedy.Kind.FASTER_CONSUMER, "", "a consumer twice as fast", each -> each.consumerScaled(0.5)));
    }

    List<Remedy> forGc(double paused) {
        return List.of(
                remedy(Remedy.Kind.NO_GC, "", "no GC pauses, by a larger heap or reused buffers", 1 / (1 - paused)));
    }

    List<Remedy> forMemory() {
        return List.of(remedy(
                Remedy.Kind.MORE_MEMORY, "", "a larger byte budget", Math.max(1, base / Math.max(1e-9, stats.rate()))));
    }

    List<Remedy> forOtherProcesses(double delayed) {
        double all = evidence.usage().machine().processors();
        UnaryOperator<PipelineModel> alone = each -> each.processorsScaled(all / Math.max(0.1, each.processors()), 1)
                .withAll(stage -> stage.timesScaled(undelayed(stage.processor(), delayed)));
        return List.of(
                remedy(Remedy.Kind.NO_OTHER_PROCESSES, "", "no other processes on this machine", alone),
                moreProcessors());
    }

    /// What is left of a call's time when its thread never waits for a processor. For each moment on a processor it
    /// has waited so many others as the delay says.
    private static double undelayed(double processor, double delayed) {
        double lost = processor * delayed / Math.max(0.01, 1 - delayed);
        return Math.max(processor, 1 - lost);
    }

    List<Remedy> forStage(StageStats stage) {
        List<Remedy> remedies = new ArrayList<>();
        if (stage.concurrency() > 0
                && !stage.placement().equals("source")
                && !stage.placement().equals("inline")
                && !stage.placement().equals("dedicated")) {
            remedies.add(moreWorkers(stage, ""));
        }
        remedies.add(faster(stage));
        remedies.add(remedy(
                Remedy.Kind.LARGER_BUFFERS,
                "",
                "buffers for " + LARGER + " more items behind every stage",
                Remedies::withLargerBuffers));
        return remedies;
    }

    List<Remedy> forStorage(StageStats stage, double waiting) {
        List<Remedy> remedies = new ArrayList<>();
        remedies.add(remedy(
                Remedy.Kind.FASTER_STORAGE,
                stage.name(),
                "storage twice as fast",
                each -> each.with(stage.name(), one -> one.timesScaled(1 - waiting / 2))));
        remedies.add(remedy(
                Remedy.Kind.CACHE,
                stage.name(),
                "a memory cache for the reads of '" + stage.name() + "'",
                each -> each.with(stage.name(), one -> one.timesScaled(1 - waiting * (1 - CACHED)))));
        remedies.add(moreWorkers(stage, ", if the storage can answer more requests at once"));
        return remedies;
    }

    List<Remedy> forStragglers(StageStats stage) {
        List<Remedy> remedies = new ArrayList<>();
        remedies.add(remedy(
                Remedy.Kind.NO_STRAGGLERS,
                stage.name(),
                "no call of '" + stage.name() + "' slower than its 90th percentile",
                each -> each.with(stage.name(), ModelStage::withoutTail)));
        remedies.addAll(forStage(stage));
        return remedies;
    }

    List<Remedy> forBuffers() {
        return List.of(remedy(
                Remedy.Kind.LARGER_BUFFERS,
                "",
                "buffers for " + LARGER + " more items behind every stage",
                Remedies::withLargerBuffers));
    }

    List<Remedy> forProcessors(StageStats user) {
        return List.of(moreProcessors(), faster(user));
    }

    /// Workers default to the number of processors, so they are doubled too.
    private Remedy moreProcessors() {
        return remedy(
                Remedy.Kind.MORE_PROCESSORS,
                "",
                "twice the processors, and twice the workers of compute stages",
                each -> each.processorsScaled(2, 2)
                        .withAll(stage -> stage.computes() ? stage.moreWorkers(stage.workers()) : stage));
    }

    private Remedy faster(StageStats stage) {
        return remedy(
                Remedy.Kind.FASTER_STAGE,
                stage.name(),
                "'" + stage.name() + "' twice as fast",
                each -> each.with(stage.name(), one -> one.timesScaled(0.5)));
    }

    private Remedy moreWorkers(StageStats stage, String condition) {
        return remedy(
                Remedy.Kind.MORE_WORKERS,
                stage.name(),
                "one more worker for '" + stage.name() + "' (" + (stage.concurrency() + 1) + ")" + condition,
                each -> each.with(stage.name(), one -> one.moreWorkers(1)));
    }

    private Remedy remedy(Remedy.Kind kind, String stage, String what, UnaryOperator<PipelineModel> change) {
        return remedy(kind, stage, what, gain(change));
    }

    private Remedy remedy(Remedy.Kind kind, String stage, String what, double gain) {
        return new Remedy(kind, stage, what, stats.rate() * gain, gain);
    }

    /// The part of the compute threads' time that stages used.
    double computeShare() {
        double threads = (double) stats.computeThreads() * stats.elapsed().toNanos();
        return threads == 0 ? 0 : computeNanos() / threads;
    }

    /// The part of that which `user` used.
    double shareOfCompute(StageStats user) {
        return computeNanos() == 0 ? 0 : user.busy().toNanos() / computeNanos();
    }

    private double computeNanos() {
        return stats.stages().stream()
                .filter(Remedies::computes)
                .mapToDouble(stage -> stage.busy().toNanos())
                .sum();
    }

    StageStats largestComputeUser() {
        return stats.stages().stream()
                .filter(Remedies::computes)
                .max(Comparator.comparing(StageStats::busy))
                .orElseThrow();
    }

    private static boolean computes(StageStats stage) {
        return stage.placement().equals("cpu");
    }
}
