package org.jspdl.stats.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspdl.stats.LinkStats;
import org.jspdl.stats.PipelineStats;
import org.jspdl.stats.StageStats;

/// A chain of stages with the times that were measured, which can be changed and run again. Immutable.
///
/// @param stages           source first
/// @param chain            whether the stages follow one another; if they branch, only the capacity of each stage
///     counts
/// @param computeThreads   compute threads that `cpu` stages share
/// @param consumer         the consumer's own time for each batch, in nanoseconds: even steps of the distribution
/// @param processors       processors that are there for this process
/// @param processorNanos   processor time of the process for each batch
/// @param measured         batches per second that were measured
/// @param delivered        how many batches the measurements are of
public record PipelineModel(
        List<ModelStage> stages,
        boolean chain,
        int computeThreads,
        double[] consumer,
        double processors,
        double processorNanos,
        double measured,
        long delivered) {

    /// What is known of the processors.
    ///
    /// @param available how many are there for this process
    /// @param used      how many it used
    /// @param shares    the part of each stage's time that is spent on one, by the stage's name
    public record Processors(double available, double used, Map<String, Double> shares) {}

    /// A model of what was measured in an interval of a run.
    public static PipelineModel of(PipelineStats stats, Processors processors) {
        List<ModelStage> stages = new ArrayList<>();
        boolean chain = isChain(stats);
        for (int i = 0; i < stats.stages().size(); i++) {
            StageStats stage = stats.stages().get(i);
            List<LinkStats> outputs = outputsOf(stats, stage.name());
            double in = stats.links().stream()
                    .filter(link -> link.consumer().equals(stage.name()))
                    .mapToLong(LinkStats::passed)
                    .sum();
            double out = outputs.stream().mapToLong(LinkStats::passed).sum();
            double ratio = in == 0 || i == 0 ? 1 : Math.max(1e-6, out / in);
            boolean groups = stage.placement().equals("inline") && ratio < 0.75;
            stages.add(new ModelStage(
                    stage.name(),
                    stage.placement().equals("cpu"),
                    stage.concurrency(),
                    outputs.stream().mapToInt(LinkStats::capacity).sum(),
                    outputs.getFirst().ordered(),
                    groups ? (int) Math.max(1, Math.round(1 / ratio)) : 1,
                    groups ? 1 : parts(stage, ratio),
                    stats.delivered() == 0 ? 0 : (double) stage.processed() / stats.delivered(),
                    ModelStage.timesOf(stage),
                    processors.shares().getOrDefault(stage.name(), 1.0)));
        }
        double seconds = stats.elapsed().toNanos() / 1e9;
        return new PipelineModel(
                stages,
                chain,
                stats.computeThreads(),
                ModelStage.times(
                        stats.consumerTimes(),
                        stats.delivered() == 0
                                ? 0
                                : (double) stats.consumerBusy().toNanos() / stats.delivered()),
                processors.available(),
                stats.delivered() == 0 ? 0 : processors.used() * seconds * 1e9 / stats.delivered(),
                stats.rate(),
                stats.delivered());
    }

    /// In an interval a few more or fewer items leave a stage than come to it, so only what is counted as dropped,
    /// or is clearly more, counts.
    private static double parts(StageStats stage, double ratio) {
        if (ratio > 1.5) {
            return ratio;
        }
        return stage.processed() == 0 || stage.filtered() + stage.failed() == 0
                ? 1
                : (double) stage.completed() / stage.processed();
    }

    /// The links behind a stage: one, or those of the branches of a route, which are called `ROUTE/KEY`.
    private static List<LinkStats> outputsOf(PipelineStats stats, String stage) {
        List<LinkStats> own = linksCalled(stats, name -> name.equals(stage));
        List<LinkStats> found = own.isEmpty() ? linksCalled(stats, name -> name.startsWith(stage + "/")) : own;
        if (found.isEmpty()) {
            throw new IllegalArgumentException("stage '" + stage + "' has no link");
        }
        return found;
    }

    private static List<LinkStats> linksCalled(PipelineStats stats, Predicate<String> named) {
        return stats.links().stream().filter(link -> named.test(link.name())).toList();
    }

    private static boolean isChain(PipelineStats stats) {
        if (stats.links().size() != stats.stages().size()) {
            return false;
        }
        for (int i = 0; i < stats.links().size(); i++) {
            String next =
                    i + 1 < stats.stages().size() ? stats.stages().get(i + 1).name() : "";
            LinkStats link = stats.links().get(i);
            if (!link.name().equals(stats.stages().get(i).name())
                    || !link.consumer().equals(next)) {
                return false;
            }
        }
        return true;
    }

    /// The stage of this name.
    public ModelStage stage(String name) {
        return stages.stream()
                .filter(stage -> stage.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no stage named '" + name + "'"));
    }

    /// The same with one stage changed.
    public PipelineModel with(String name, UnaryOperator<ModelStage> change) {
        List<ModelStage> changed = new ArrayList<>(stages);
        changed.replaceAll(stage -> stage.name().equals(name) ? change.apply(stage) : stage);
        ModelStage before = stage(name);
        ModelStage after = change.apply(before);
        if (after == before) {
            return this;
        }
        double saved = (before.meanTime() - after.meanTime()) * before.processor() * before.calls();
        return new PipelineModel(
                changed,
                chain,
                computeThreads,
                consumer,
                processors,
                Math.max(1, processorNanos - saved),
                measured,
                delivered);
    }

    /// The same with all stages changed.
    public PipelineModel withAll(UnaryOperator<ModelStage> change) {
        PipelineModel changed = this;
        for (ModelStage stage : stages) {
            changed = changed.with(stage.name(), change);
        }
        return changed;
    }

    /// The same with a consumer that takes `factor` as long.
    public PipelineModel consumerScaled(double factor) {
        return new PipelineModel(
                stages,
                chain,
                computeThreads,
                ModelStage.scaled(consumer, factor),
                processors,
                processorNanos,
                measured,
                delivered);
    }

    /// The same with other multiples of processors and of compute threads.
    public PipelineModel processorsScaled(double factor, double threadFactor) {
        return new PipelineModel(
                stages,
                chain,
                (int) Math.ceil(computeThreads * threadFactor),
                consumer,
                processors * factor,
                processorNanos,
                measured,
                delivered);
    }

    /// Batches per second as the model has it.
    public double rate() {
        double simulated = chain ? Simulation.of(this).rate() : capacity();
        double possible = processorNanos <= 0 ? simulated : processors * 1e9 / processorNanos;
        return Math.min(simulated, possible);
    }

    /// The least of what each stage, the compute threads and the consumer could do alone.
    private double capacity() {
        double own = Arrays.stream(consumer).average().orElse(0);
        double least = own <= 0 ? Double.MAX_VALUE : 1e9 / own;
        double computing = 0;
        for (ModelStage stage : stages) {
            double work = stage.meanTime() * stage.calls();
            least = work <= 0 ? least : Math.min(least, stage.workers() * 1e9 / work);
            computing += stage.computes() ? work : 0;
        }
        return computing <= 0 ? least : Math.min(least, computeThreads * 1e9 / computing);
    }
}
