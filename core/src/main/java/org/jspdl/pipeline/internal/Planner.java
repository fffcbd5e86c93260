package org.jspdl.pipeline.internal;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspdl.pipeline.FailurePolicy;
import org.jspdl.pipeline.Order;
import org.jspdl.pipeline.Placement;
import org.jspdl.pipeline.StageOptions;
import org.jspecify.annotations.Nullable;

/// Makes the stages and links of a run from a recipe. Used once, by one thread.
final class Planner {
    /// Items that a source reads ahead: enough for it to sleep while several are taken.
    private static final int SOURCE_BUFFER = 8;

    private final RunContext run;
    private final int sinkBuffer;
    private final List<Stage> stages = new ArrayList<>();
    private final List<Link> links = new ArrayList<>();
    private final Map<Link, Stage> producers = new HashMap<>();
    private final Map<Link, Stage> consumers = new HashMap<>();
    private final List<ScheduledStage> computing = new ArrayList<>();
    private final Set<String> names = new HashSet<>();
    private final FailureBudget sharedBudget;
    private Runnable releasePool = () -> {};
    private int computeThreads;
    private int sources;

    Planner(RunContext run, int sinkBuffer) {
        this.run = run;
        this.sinkBuffer = sinkBuffer;
        this.sharedBudget = new FailureBudget(run.options().failures());
    }

    /// Plans `recipe` and returns the link that the consumer takes from.
    Link plan(Recipe recipe) {
        Link sink = plan(recipe, List.of(), true);
        for (Link link : links) {
            Stage producer = producers.get(link);
            Stage consumer = consumers.get(link);
            link.listeners(consumer == null ? () -> {} : consumer::inputReady, producer::outputReady);
        }
        connectPool();
        return sink;
    }

    List<Stage> stages() {
        return stages;
    }

    List<Link> links() {
        return links;
    }

    Runnable releasePool() {
        return releasePool;
    }

    int computeThreads() {
        return computeThreads;
    }

    private Link plan(Recipe recipe, List<Recipe.FusedStep> fused, boolean last) {
        return switch (recipe) {
            case Recipe.Fused step -> {
                List<Recipe.FusedStep> more = new ArrayList<>(fused.size() + 1);
                more.add(step.step());
                more.addAll(fused);
                yield plan(step.before(), more, last);
            }
            case Recipe.From from -> {
                String name = unique(from.name());
                Link output = link(name, SOURCE_BUFFER, 1, false, last);
                yield add(new SourceStage(run, name, from.source(), sources++, fused, output), null, output);
            }
            case Recipe.Pipe pipe -> planPipe(pipe, fused, last);
            case Recipe.Batch batch -> {
                Link input = plan(batch.before(), List.of(), false);
                String name = unique("batch(" + batch.size() + ")");
                Link output = link(name, StageOptions.DEFAULT_BUFFER, 1, false, last);
                yield add(new BatchStage(run, name, batch, fused, input, output), input, output);
            }
            case Recipe.Unbatch unbatch -> {
                Link input = plan(unbatch.before(), List.of(), false);
                String name = unique("unbatch");
                Link output = link(name, StageOptions.DEFAULT_BUFFER, 1, false, last);
                yield add(new UnbatchStage(run, name, unbatch, fused, input, output), input, output);
            }
        };
    }

    private Link planPipe(Recipe.Pipe pipe, List<Recipe.FusedStep> fused, boolean last) {
        Link input = plan(pipe.before(), List.of(), false);
        StageOptions options = pipe.options();
        String name = unique(pipe.name());
        int n = options.concurrency();
        Link output = link(name, options.buffer(), n, options.order() == Order.INPUT && n > 1, last);
        Failures failures = failures(name, options.failures());
        Step.Call call = switch (pipe.body()) {
            case Recipe.Body.Plain(var function) -> (item, envelope) -> function.apply(item);
            case Recipe.Body.Seeded(var function) -> {
                ItemRandom random = new ItemRandom(run.options().seed(), name);
                yield (item, envelope) -> function.apply(item, random.of(envelope.lineage));
            }
        };
        return switch (options.placement()) {
            case Placement.Io _, Placement.Dedicated _ -> {
                WorkerStage stage = new WorkerStage(run, name, options.placement(), n, input, output);
                stage.assemble(new Step(stage, run, call, fused, failures));
                yield add(stage, input, output);
            }
            case Placement.Cpu cpu -> {
                ScheduledStage stage = new ScheduledStage(run, name, cpu.label(), n, input, output);
                computing.add(stage);
                pendingSteps.put(stage, new Step(stage, run, call, fused, failures));
                yield add(stage, input, output);
            }
            case Placement.On on -> {
                ScheduledStage stage = new ScheduledStage(run, name, on.label(), n, input, output);
                stage.assemble(new Step(stage, run, call, fused, failures), new ExecutorScheduler(on.executor()));
                yield add(stage, input, output);
            }
        };
    }

    private final Map<ScheduledStage, Step> pendingSteps = new HashMap<>();

    /// Gives the `cpu` stages a lane of a pool, in which a later stage is deeper.
    private void connectPool() {
        if (computing.isEmpty()) {
            return;
        }
        ComputePool pool = run.options().computeThreads().isPresent()
                ? new ComputePool(
                        "jspdl-" + run.pipeline() + "-compute",
                        run.options().computeThreads().getAsInt())
                : SharedComputePool.acquire();
        boolean shared = run.options().computeThreads().isEmpty();
        computeThreads = pool.size();
        ComputePool.Lane lane = pool.open(computing.size());
        releasePool = () -> {
            lane.close();
            if (shared) {
                SharedComputePool.release();
            } else {
                pool.close();
            }
        };
        for (int depth = 0; depth < computing.size(); depth++) {
            ScheduledStage stage = computing.get(depth);
            stage.assemble(pendingSteps.get(stage), new PoolScheduler(pool, lane, depth, run));
        }
    }

    private Failures failures(String stage, Optional<FailurePolicy> own) {
        FailurePolicy policy = own.orElse(run.options().failures());
        return new Failures(run.pipeline(), stage, policy, own.isPresent() ? new FailureBudget(policy) : sharedBudget);
    }

    private Link link(String name, int buffer, int producerCount, boolean ordered, boolean last) {
        Consumer<Envelope> disposer = run.disposal()::dispose;
        return new Link(name, last ? sinkBuffer : buffer, producerCount, ordered, disposer);
    }

    private Link add(Stage stage, @Nullable Link input, Link output) {
        stages.add(stage);
        links.add(output);
        producers.put(output, stage);
        if (input != null) {
            consumers.put(input, stage);
        }
        return output;
    }

    private String unique(String wanted) {
        String name = wanted;
        for (int i = 2; !names.add(name); i++) {
            name = wanted + "-" + i;
        }
        return name;
    }
}
