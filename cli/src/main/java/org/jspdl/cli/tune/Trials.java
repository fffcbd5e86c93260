package org.jspdl.cli.tune;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.jspdl.cli.run.Consumption;
import org.jspdl.cli.run.ThroughputEstimate;
import org.jspdl.observe.process.ProcessReader;
import org.jspdl.pipeline.Auto;
import org.jspdl.pipeline.Pipelines;
import org.jspdl.pipeline.Placement;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.pipeline.StagePart;
import org.jspdl.pipeline.Tuning;
import org.jspdl.plan.CompiledPlan;
import org.jspdl.plan.edit.PlanNumbers;

/// Runs a plan again and again from its beginning, each time with another setting, and measures it. Used by one thread.
public final class Trials {
    private static final Duration TICK = Duration.ofMillis(50);
    /// For data so slow that no three batches come in a trial's time.
    private static final int PATIENCE = 10;
    private static final int MOST_WAITING = 64;

    private final CompiledPlan plan;
    private final Budget budget;
    private final RunOptions options;
    private final ProcessReader process = ProcessReader.ofThisProcess();

    /// What a search may use.
    ///
    /// @param cores       compute threads, and workers of a `cpu` stage
    /// @param memoryBytes resident memory of the process
    public record Budget(OptionalInt cores, OptionalLong memoryBytes) {
        boolean allows(long resident) {
            return memoryBytes.isEmpty() || resident <= memoryBytes.getAsLong();
        }
    }

    /// One measurement.
    ///
    /// @param throughput empty if it was ended for its memory, or hardly a batch came
    /// @param resident   the most memory that was resident
    /// @param fits       whether that is within the budget
    public record Trial(Setting setting, Optional<ThroughputEstimate.Result> throughput, long resident, boolean fits) {
        /// Items per second; 0 if unknown.
        public double rate() {
            return throughput.map(ThroughputEstimate.Result::perSecond).orElse(0.0);
        }
    }

    /// Trials of `plan`, which the caller closes afterwards.
    public Trials(CompiledPlan plan, Budget budget) {
        this.plan = plan;
        this.budget = budget;
        RunOptions forever = plan.options().epochs(Long.MAX_VALUE);
        this.options = budget.cores().isPresent()
                ? forever.computeThreads(Math.min(
                        budget.cores().getAsInt(), forever.computeThreads().orElse(Integer.MAX_VALUE)))
                : forever;
    }

    /// What can be changed.
    ///
    /// @param written  the stages whose numbers can be written into the plan
    /// @param prefetch what the plan has
    public List<Knob> knobs(Set<String> written, int prefetch) {
        List<Knob> knobs = new ArrayList<>();
        int buffer = 1;
        for (StagePart part : parts(written)) {
            boolean computes = part.options().placement() instanceof Placement.Cpu;
            int processors = Runtime.getRuntime().availableProcessors();
            int most = computes ? Math.min(budget.cores().orElse(processors), processors) : Auto.MOST_IO;
            int start = part.options().concurrency();
            knobs.add(new Knob(part.name(), Knob.Kind.WORKERS, 1, most, start));
            buffer = Math.max(buffer, part.options().buffer());
        }
        if (!knobs.isEmpty()) {
            knobs.add(new Knob("buffer", Knob.Kind.BUFFERS, 1, MOST_WAITING, buffer));
        }
        knobs.add(new Knob("prefetch", Knob.Kind.PREFETCH, 1, MOST_WAITING, prefetch));
        return knobs;
    }

    private List<StagePart> parts(Set<String> written) {
        return Pipelines.parts(plan.pipeline()).stream()
                .filter(part -> written.contains(part.name()))
                .filter(part -> part.options().placement() instanceof Placement.Cpu
                        || part.options().placement() instanceof Placement.Io)
                .toList();
    }

    /// Runs with `setting` for about this long. Ends early when the memory goes beyond the budget.
    ///
    /// @throws org.jspdl.pipeline.PipelineException if the run fails
    public Trial measure(Setting setting, Duration time) throws InterruptedException {
        long resident = 0;
        boolean fits = true;
        Consumption consumption = new Consumption();
        ThroughputEstimate estimate = new ThroughputEstimate(System.nanoTime());
        try (Run<?> run = plan.pipeline().start(options)) {
            changes(setting, run.stats().stages().getLast().name()).forEach(run::tune);
            long begun = System.nanoTime();
            long nextLook = begun;
            do {
                while (!run.epochEnded() && fits && !isOver(estimate, System.nanoTime() - begun, time)) {
                    Optional<?> next = run.poll(TICK);
                    if (next.isPresent()) {
                        long items = consumption.take(next.get());
                        estimate.arrived(System.nanoTime(), items);
                    }
                    long now = System.nanoTime();
                    if (now - nextLook >= 0) {
                        nextLook = now + TICK.toNanos();
                        resident = Math.max(resident, process.read().memory().resident());
                        fits = budget.allows(resident);
                    }
                }
            } while (fits && !isOver(estimate, System.nanoTime() - begun, time) && run.nextEpoch());
        }
        if (!fits) {
            // The heap gives memory back only when it was collected.
            System.gc();
        }
        return new Trial(
                setting,
                fits && estimate.isPossible() ? Optional.of(estimate.result()) : Optional.empty(),
                resident,
                fits);
    }

    private static boolean isOver(ThroughputEstimate estimate, long nanos, Duration time) {
        return nanos >= (estimate.isPossible() ? 1 : PATIENCE) * time.toNanos();
    }

    private static List<Tuning> changes(Setting setting, String last) {
        List<Tuning> changes = new ArrayList<>();
        setting.values().forEach((knob, value) -> {
            switch (knob.kind()) {
                case WORKERS -> changes.add(Tuning.concurrency(knob.name(), value));
                case BUFFERS -> {
                    for (Knob stage : setting.values().keySet()) {
                        if (stage.kind() == Knob.Kind.WORKERS && !stage.name().equals(last)) {
                            changes.add(Tuning.buffer(stage.name(), value));
                        }
                    }
                }
                case PREFETCH -> changes.add(Tuning.buffer(last, value));
            }
        });
        return changes;
    }

    /// What `best` changes of the plan, which began as `start`.
    public PlanNumbers numbers(Setting start, Setting best) {
        Map<String, Integer> workers = new HashMap<>();
        Map<String, Integer> buffers = new HashMap<>();
        OptionalInt prefetch = OptionalInt.empty();
        for (Knob knob : best.values().keySet()) {
            int value = best.of(knob);
            boolean changed = value != start.of(knob);
            switch (knob.kind()) {
                case WORKERS -> workers.put(knob.name(), value);
                case BUFFERS -> {
                    if (changed) {
                        workers.keySet().forEach(stage -> buffers.put(stage, value));
                    }
                }
                case PREFETCH -> prefetch = changed ? OptionalInt.of(value) : prefetch;
            }
        }
        return new PlanNumbers(workers, buffers, prefetch, budget.cores());
    }
}
