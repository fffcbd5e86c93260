package org.jspdl.pipeline.internal.run;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspdl.pipeline.FailurePolicy;
import org.jspdl.pipeline.GathererState;
import org.jspdl.pipeline.Order;
import org.jspdl.pipeline.Placement;
import org.jspdl.pipeline.StageOptions;
import org.jspdl.pipeline.internal.checkpoint.RunState;
import org.jspdl.pipeline.internal.checkpoint.RunState.AggregateState;
import org.jspdl.pipeline.internal.checkpoint.RunState.MixState;
import org.jspdl.pipeline.internal.checkpoint.RunState.Share;
import org.jspdl.pipeline.internal.checkpoint.RunState.SourceState;
import org.jspdl.pipeline.internal.failure.FailureBudget;
import org.jspdl.pipeline.internal.function.AsyncStage;
import org.jspdl.pipeline.internal.function.FlatMapInvoker;
import org.jspdl.pipeline.internal.function.FlatMapStage;
import org.jspdl.pipeline.internal.function.FlatMapWorkers;
import org.jspdl.pipeline.internal.function.MapStage;
import org.jspdl.pipeline.internal.function.StageInvoker;
import org.jspdl.pipeline.internal.function.WorkerStage;
import org.jspdl.pipeline.internal.group.AggregateStage;
import org.jspdl.pipeline.internal.group.BatchStage;
import org.jspdl.pipeline.internal.group.EpochStage;
import org.jspdl.pipeline.internal.group.RestoredGroups;
import org.jspdl.pipeline.internal.group.StateKeeper;
import org.jspdl.pipeline.internal.group.UnbatchStage;
import org.jspdl.pipeline.internal.join.Assemblies;
import org.jspdl.pipeline.internal.join.BatchAssemblyStage;
import org.jspdl.pipeline.internal.join.ChosenMergeStage;
import org.jspdl.pipeline.internal.join.MergeStage;
import org.jspdl.pipeline.internal.join.MixStage;
import org.jspdl.pipeline.internal.join.RouteStage;
import org.jspdl.pipeline.internal.lineage.ItemRandom;
import org.jspdl.pipeline.internal.lineage.Lineage;
import org.jspdl.pipeline.internal.lineage.MixProgress;
import org.jspdl.pipeline.internal.link.Envelope;
import org.jspdl.pipeline.internal.link.LatePassing;
import org.jspdl.pipeline.internal.link.Link;
import org.jspdl.pipeline.internal.live.LiveMix;
import org.jspdl.pipeline.internal.recipe.GroupSizes;
import org.jspdl.pipeline.internal.recipe.Recipe;
import org.jspdl.pipeline.internal.recipe.StageNames;
import org.jspdl.pipeline.internal.schedule.ExecutorScheduler;
import org.jspdl.pipeline.internal.stage.Deadlines;
import org.jspdl.pipeline.internal.stage.RunContext;
import org.jspdl.pipeline.internal.stage.ScheduledStage;
import org.jspdl.pipeline.internal.stage.SourceStage;
import org.jspdl.pipeline.internal.stage.Stage;
import org.jspdl.pipeline.internal.tune.Knob;
import org.jspdl.source.Source;
import org.jspecify.annotations.Nullable;

/// Makes the stages and links of a run from a recipe, and gives them the state of an earlier run. Used once, by one
/// thread.
final class Planner {
    /// Items that a source reads ahead: enough for it to sleep while several are taken.
    private static final int SOURCE_BUFFER = 8;
    /// Items that wait for the consumer unless the pipeline says how many.
    private static final int SINK_BUFFER = 3;
    /// Batches whose elements are under way in sub-chains at once.
    private static final int OPEN_BATCHES = 8;

    private final RunContext run;
    private final @Nullable RunState resumed;
    private final List<Stage> stages = new ArrayList<>();
    private final List<Link> links = new ArrayList<>();
    private final ComputeLanes computing;
    private final StageNames names = new StageNames();
    private final StageFailures failures;
    private final List<Share> shares = new ArrayList<>();
    private final List<SourceReading> readings = new ArrayList<>();
    private final List<String> unresumable = new ArrayList<>();
    private final AutoKnobs knobs;

    /// @param resumed the state to go on from, or null
    Planner(RunContext run, @Nullable RunState resumed) {
        this.run = run;
        this.resumed = resumed;
        this.computing = new ComputeLanes(run);
        this.failures = new StageFailures(run, resumed);
        this.knobs = new AutoKnobs(run.options().tuning());
        if (resumed != null) {
            run.ledger().restore(resumed.nodes(), resumed.parts());
        }
    }

    /// Plans `recipe` and returns the link that the consumer takes from.
    Link plan(Recipe recipe, int sinkBuffer) {
        GroupSizes.untilWeighed(recipe).forEach(run.budget()::addSource);
        Link sink = plan(recipe, new Place(OptionalInt.of(sinkBuffer), null));
        Map<Link, Stage> producers = new HashMap<>();
        Map<Link, Stage> consumers = new HashMap<>();
        for (Stage stage : stages) {
            stage.outputs.forEach(link -> producers.put(link, stage));
            stage.inputs.forEach(link -> consumers.put(link, stage));
        }
        for (Link link : links) {
            Stage producer = Objects.requireNonNull(producers.get(link));
            connect(link, producer, consumers.get(link));
            link.leaving(this::discard, producer::outputLeft);
        }
        computing.connect();
        return sink;
    }

    /// Closes and settles an item that nobody wants any more.
    private void discard(Envelope item) {
        run.disposal().dispose(item);
        run.ledger().leave(item.lineage);
        run.budget().release(item);
    }

    private static void connect(Link link, Stage producer, @Nullable Stage consumer) {
        if (consumer == null) {
            link.connect("", 1, false, () -> {}, producer::outputReady);
        } else {
            link.connect(
                    consumer.name,
                    consumer.gathers(),
                    consumer.isScheduled(),
                    consumer::inputReady,
                    producer::outputReady);
        }
    }

    List<Stage> stages() {
        return stages;
    }

    List<Link> links() {
        return links;
    }

    Map<String, FailureBudget> budgets() {
        return failures.budgets();
    }

    List<Share> shares() {
        return shares;
    }

    /// The sources, in the order of [#shares].
    List<SourceReading> readings() {
        return readings;
    }

    /// Why the run can't be checkpointed, a reason for each step that stands in the way.
    List<String> unresumable() {
        return unresumable;
    }

    /// What the run's tuner chooses.
    List<Knob> knobs() {
        return knobs.list();
    }

    ComputeLanes computing() {
        return computing;
    }

    /// Where a step stands: how many items may wait behind it if it is the last, and the link that enters its
    /// sub-chain.
    private record Place(OptionalInt sinkBuffer, @Nullable Link entry) {
        Place before() {
            return new Place(OptionalInt.empty(), entry);
        }
    }

    /// A step with what is fused into its stage.
    private record Planned(Recipe step, List<Recipe.FusedStep> fused, boolean last) {}

    /// Plans the steps of a chain, the first one first.
    private Link plan(Recipe recipe, Place place) {
        Deque<Planned> steps = new ArrayDeque<>();
        Deque<Recipe.FusedStep> fused = new ArrayDeque<>();
        for (Recipe step : Recipe.chain(recipe).reversed()) {
            if (step instanceof Recipe.Fused cheap) {
                if (!cheap.isNote()) {
                    fused.addFirst(cheap.step());
                }
            } else {
                steps.addFirst(new Planned(step, List.copyOf(fused), steps.isEmpty()));
                fused.clear();
            }
        }
        Link link = null;
        for (Planned step : steps) {
            link = plan(step.step, link, step.fused, step.last ? place : place.before());
        }
        return Objects.requireNonNull(link);
    }

    /// @param before the link behind the step before; null if there is none
    private Link plan(Recipe recipe, @Nullable Link before, List<Recipe.FusedStep> fused, Place place) {
        return switch (recipe) {
            case Recipe.From from -> planSource(from, fused, place);
            case Recipe.Merge merge -> planMerge(merge, fused, place);
            case Recipe.Entry _ -> planEntry(fused, place);
            case Recipe.After after -> planAfter(after, Objects.requireNonNull(before), fused, place);
        };
    }

    private Link planAfter(Recipe.After recipe, Link input, List<Recipe.FusedStep> fused, Place place) {
        return switch (recipe) {
            case Recipe.Pipe pipe -> planPipe(pipe, input, fused, place);
            case Recipe.FlatMap flatMap -> planFlatMap(flatMap, input, fused, place);
            case Recipe.Batch batch ->
                inline(
                        batch,
                        place,
                        (name, output) -> new BatchStage(run, name, batch, groups(name), fused, input, output));
            case Recipe.Unbatch unbatch ->
                inline(unbatch, place, (name, output) -> new UnbatchStage(run, name, unbatch, fused, input, output));
            case Recipe.Aggregate aggregate ->
                inline(aggregate, place, (name, output) -> aggregate(name, aggregate, fused, input, output));
            case Recipe.Epochs epochs ->
                inline(epochs, place, (name, output) -> new EpochStage(run, name, epochs, fused, input, output));
            case Recipe.Route route -> planRoute(route, input, fused, place);
            case Recipe.Fused _ -> throw new IllegalStateException("a fused step has no stage");
        };
    }

    private AggregateStage aggregate(
            String name, Recipe.Aggregate recipe, List<Recipe.FusedStep> fused, Link input, Link output) {
        long firstEpoch = resumed == null ? 0 : resumed.epoch();
        AggregateState start = AggregateState.start(firstEpoch);
        StateKeeper keeper = null;
        switch (recipe.state()) {
            case GathererState.EmptyAfterEmission<?>() -> {}
            case GathererState.Unsaved<?>() ->
                unresumable.add(
                        "stage '" + name + "' keeps state that is not saved; give GathererState.emptyAfterEmission()"
                                + " if each emission leaves it empty, else GathererState.saved(write, read)");
            case GathererState.Saved<?> written ->
                keeper = new StateKeeper(
                        run.ledger(),
                        name,
                        written,
                        firstEpoch,
                        resumed == null ? start : resumed.states().getOrDefault(name, start));
        }
        return new AggregateStage(run, name, recipe.gatherer(), keeper, groups(name), firstEpoch, fused, input, output);
    }

    private RestoredGroups groups(String stage) {
        return RestoredGroups.of(run.ledger().restored(), resumed == null ? List.of() : resumed.groups(stage));
    }

    private Link planSource(Recipe.From from, List<Recipe.FusedStep> fused, Place place) {
        String name = names.unique(from.name());
        int index = shares.size();
        shares.add(Share.of(from.source()));
        readings.add(SourceReading.of(name, index, from.source()));
        if (from.source().resume() == Source.Resume.NONE) {
            unresumable.add("source '" + name + "' can't be repeated");
        }
        SourceState state = resumed == null ? null : resumed.sources().get(index);
        long epoch = resumed == null ? 0 : resumed.epoch();
        Link output = link(name, SOURCE_BUFFER, 1, false, place);
        return add(new SourceStage(run, name, from.source(), index, state, epoch, fused, output), output);
    }

    private Link planPipe(Recipe.Pipe pipe, Link input, List<Recipe.FusedStep> fused, Place place) {
        StageOptions options = pipe.options();
        String name = names.unique(pipe.name());
        int n = options.concurrency();
        // Also with one call at once, since a run may be tuned to more.
        boolean ordered = options.order() == Order.INPUT;
        Link output = link(name, options.buffer(), options.isBufferSet(), n, ordered, place);
        options.deferral().ifPresent(after -> passLate(output, after));
        pipe.turns().ifPresent(turns -> input.inTurns(item -> turn(item.lineage.first(), turns), output));
        knobs.add(name, options, output, place.sinkBuffer().orElse(0) > 0);
        StageInvoker.Call call = switch (pipe.body()) {
            case Recipe.Body.Plain(var function) -> (item, envelope) -> function.apply(item);
            case Recipe.Body.InEpoch(var function) -> (item, envelope) -> function.apply(item, envelope.epoch);
            case Recipe.Body.Seeded(var function) -> {
                ItemRandom random = new ItemRandom(run.options().seed(), name);
                yield (item, envelope) -> function.apply(item, random.of(envelope.lineage));
            }
            case Recipe.Body.Async(var function) -> {
                AsyncStage stage = new AsyncStage(run, name, n, function, limits(options), input, output);
                stage.assemble(new StageInvoker(stage, run, (item, envelope) -> item, fused));
                add(stage, options.failures(), output);
                yield null;
            }
        };
        if (call == null) {
            return output;
        }
        return switch (options.placement()) {
            case Placement.Async _ -> throw withoutThreads(name);
            case Placement.Io _, Placement.Dedicated _ -> {
                WorkerStage stage = new WorkerStage(run, name, options.placement(), n, input, output);
                stage.assemble(limited(new StageInvoker(stage, run, call, fused), stage, options));
                yield add(stage, options.failures(), output);
            }
            case Placement.Cpu _, Placement.On _ -> {
                MapStage stage = new MapStage(run, name, options.placement().label(), n, input, output);
                stage.assemble(limited(new StageInvoker(stage, run, call, fused), stage, options));
                yield addScheduled(stage, options, output);
            }
        };
    }

    private static long turn(Lineage.Origin origin, Recipe.Turns turns) {
        return turns.of(origin.source, origin.position.index());
    }

    /// Pipelines refuse such options where they are given.
    private static IllegalStateException withoutThreads(String stage) {
        return new IllegalStateException("stage '" + stage + "' has no threads");
    }

    private Link planFlatMap(Recipe.FlatMap flatMap, Link input, List<Recipe.FusedStep> fused, Place place) {
        StageOptions options = flatMap.options();
        String name = names.unique(flatMap.name());
        int n = options.concurrency();
        // Also with one call at once, since a run may be tuned to more.
        boolean ordered = options.order() == Order.INPUT;
        Link output = link(name, options.buffer(), options.isBufferSet(), n, false, place);
        knobs.add(name, options, output, place.sinkBuffer().orElse(0) > 0);
        StageInvoker.Call call = (item, envelope) -> flatMap.function().apply(item);
        return switch (options.placement()) {
            case Placement.Async _ -> throw withoutThreads(name);
            case Placement.Io _, Placement.Dedicated _ -> {
                FlatMapWorkers stage = new FlatMapWorkers(run, name, options.placement(), n, ordered, input, output);
                stage.assemble(new FlatMapInvoker(stage, run, new StageInvoker(stage, run, call, List.of()), fused));
                yield add(stage, options.failures(), output);
            }
            case Placement.Cpu _, Placement.On _ -> {
                FlatMapStage stage =
                        new FlatMapStage(run, name, options.placement().label(), n, ordered, input, output);
                stage.assemble(new FlatMapInvoker(stage, run, new StageInvoker(stage, run, call, List.of()), fused));
                yield addScheduled(stage, options, output);
            }
        };
    }

    private Link planMerge(Recipe.Merge merge, List<Recipe.FusedStep> fused, Place place) {
        List<Link> inputs = merge.inputs().stream()
                .map(input -> plan(input, place.before()))
                .toList();
        String name = names.unique(StageNames.of(merge));
        Link output = link(name, StageOptions.DEFAULT_BUFFER, inputs.size(), false, place);
        if (merge.policy() instanceof Recipe.MergePolicy.Arrival) {
            return add(new MergeStage(run, name, fused, inputs, output), output);
        }
        MixProgress draws = new MixProgress(name);
        List<MixState> left = resumed == null ? List.of() : resumed.draws().getOrDefault(name, List.of());
        draws.restore(left);
        run.ledger().addDraws(draws);
        if (LiveMix.is(merge)) {
            run.ledger().settleInTurn(draws);
        }
        long firstEpoch = resumed == null ? 0 : resumed.epoch();
        if (merge.policy() instanceof Recipe.MergePolicy.Chosen chosen) {
            if (chosen.saving() instanceof GathererState.Unsaved<?>) {
                unresumable.add("merge '" + name
                        + "' keeps state that is not saved; give MergePolicy.stateful(start, choice, write, read)");
            }
            return add(new ChosenMergeStage(run, name, chosen, draws, left, firstEpoch, fused, inputs, output), output);
        }
        return add(new MixStage(run, name, merge.policy(), draws, firstEpoch, fused, inputs, output), output);
    }

    private Link planRoute(Recipe.Route route, Link input, List<Recipe.FusedStep> fused, Place place) {
        String name = names.unique(route.name());
        List<Link> entries = new ArrayList<>();
        for (Recipe.Branch branch : route.branches()) {
            entries.add(link(name + "/" + branch.label(), StageOptions.DEFAULT_BUFFER, 1, false, place.before()));
        }
        Assemblies assemblies = new Assemblies(OPEN_BATCHES);
        add(new RouteStage(run, name, route, assemblies, input, entries), input);
        List<Link> results = new ArrayList<>();
        for (int i = 0; i < entries.size(); i++) {
            results.add(plan(route.branches().get(i).chain(), new Place(OptionalInt.empty(), entries.get(i))));
        }
        String merged = names.unique(StageNames.merged(name));
        Link output = link(merged, StageOptions.DEFAULT_BUFFER, results.size(), false, place);
        Stage merge = route.elements()
                ? new BatchAssemblyStage(run, merged, assemblies, fused, results, output)
                : new MergeStage(run, merged, fused, results, output);
        return add(merge, output);
    }

    /// A sub-chain's entry is the router's link; what is fused before any stage of the chain runs in a stage of its
    /// own.
    private Link planEntry(List<Recipe.FusedStep> fused, Place place) {
        Link entry = Objects.requireNonNull(place.entry());
        if (fused.isEmpty()) {
            return entry;
        }
        String name = names.unique(StageNames.ENTRY);
        Link output = link(name, StageOptions.DEFAULT_BUFFER, 1, false, place);
        return add(new MergeStage(run, name, fused, List.of(entry), output), output);
    }

    /// Makes one of the engine's own stages.
    private interface Maker {
        Stage make(String name, Link output);
    }

    private Link inline(Recipe step, Place place, Maker maker) {
        String name = names.unique(StageNames.of(step));
        Link output = link(name, StageOptions.DEFAULT_BUFFER, 1, false, place);
        return add(maker.make(name, output), output);
    }

    /// Lets the calls of `step` be watched if the stage has a deadline.
    private StageInvoker limited(StageInvoker step, Stage stage, StageOptions options) {
        Deadlines.Limits limits = limits(options);
        if (limits != null) {
            step.limit(limits, call -> giveUp(stage, call));
        }
        return step;
    }

    /// The stage goes on without a call that did not answer its interrupt; too many such calls end the run.
    private void giveUp(Stage stage, Deadlines.Call call) {
        try {
            stage.replace(call);
            run.gaveUp(stage, call);
        } catch (Throwable failure) {
            // Nobody sees what is thrown on the thread that watches.
            run.fail(stage, stage.observerFailed(failure));
        }
    }

    private static Deadlines.@Nullable Limits limits(StageOptions options) {
        if (options.deadline().isEmpty() && options.totalDeadline().isEmpty()) {
            return null;
        }
        return new Deadlines.Limits(
                options.deadline().map(Duration::toNanos).orElse(Long.MAX_VALUE),
                options.totalDeadline().map(Duration::toNanos).orElse(Long.MAX_VALUE));
    }

    private Link addScheduled(ScheduledStage stage, StageOptions options, Link output) {
        if (options.placement() instanceof Placement.On on) {
            stage.scheduler(new ExecutorScheduler(on.executor()));
        } else {
            computing.add(stage, options.priority());
        }
        return add(stage, options.failures(), output);
    }

    private Link link(String name, int buffer, int producers, boolean ordered, Place place) {
        return link(name, buffer, false, producers, ordered, place);
    }

    /// @param fixed whether the user has set the size of the buffer
    private Link link(String name, int buffer, boolean fixed, int producers, boolean ordered, Place place) {
        int sink = place.sinkBuffer().orElse(0);
        boolean last = place.sinkBuffer().isPresent();
        int size = !last ? buffer : sink > 0 ? sink : SINK_BUFFER;
        Link link = new Link(name, size, producers, ordered, run.disposal()::dispose);
        if (!(last ? sink > 0 : fixed)) {
            link.grows(run.budget().rule() != null);
        }
        links.add(link);
        return link;
    }

    private void passLate(Link output, Duration after) {
        LatePassing passing = new LatePassing(
                after.toNanos(),
                () -> output.room() == 0 || run.budget().isAwaited(),
                (due, ring) -> run.deadlines().watch(new Deadlines.Alarm(due) {
                    @Override
                    protected long ring() {
                        return ring.getAsLong();
                    }
                }));
        output.passesLate(passing);
        run.budget().onWait(passing::noRoom);
    }

    /// Adds a stage under the run's failure policy.
    private Link add(Stage stage, Link output) {
        return add(stage, Optional.empty(), output);
    }

    private Link add(Stage stage, Optional<FailurePolicy> own, Link output) {
        stage.guardedBy(failures.of(stage.name, own));
        stages.add(stage);
        return output;
    }
}
