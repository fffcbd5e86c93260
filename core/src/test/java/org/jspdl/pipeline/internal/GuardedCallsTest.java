package org.jspdl.pipeline.internal;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.attribute.NestMembersAttribute;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.instruction.InvokeInstruction;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.stream.Gatherer;
import java.util.stream.Stream;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.Ticket;
import org.junit.jupiter.api.Test;

/// Where the engine calls code that its users wrote: nowhere but in places that are known to bear whatever it throws.
///
/// The class files are read, so a call that somebody adds is found wherever it hides. It fails this test until it
/// goes through a guarded place, or is listed here with the guard around it.
class GuardedCallsTest {
    /// Tests run in the folder of their module.
    private static final Path SOURCES = Path.of("src/main/java");

    private static final String ENGINE = "org/jspdl/pipeline/internal";

    /// Where the interfaces are that users implement, or that recipes wrap those in: all of them but sealed ones
    /// and those of the engine.
    private static final Set<String> OPEN = Set.of(
            "org.jspdl.pipeline",
            "org.jspdl.stats",
            "org.jspdl.source",
            "org.jspdl.pipeline.internal.recipe",
            "java.util.function");

    private static final Set<Class<?>> ENGINES = Set.of(Run.class, Ticket.class);

    /// Interfaces of the JDK through which users give code.
    private static final Set<Class<?>> THEIRS = Set.of(
            AutoCloseable.class,
            Iterable.class,
            Comparator.class,
            Callable.class,
            CompletionStage.class,
            Executor.class,
            Gatherer.class,
            Gatherer.Integrator.class);

    /// Where users' code is called, and what bears what it throws.
    private static final String GUARDED = """
            # StageInvoker.attempts around the function that the planner binds; AsyncStage.kept for promises
            run.Planner.planPipe: EpochFunction.apply Recipe.SeededCall.apply StageFunction.apply
            function.AsyncStage.begin: CompletionStage.whenComplete StageFunction.apply
            # FlatMapInvoker.open, then FlatMapIterator.pull
            run.Planner.planFlatMap: StageFunction.apply
            function.FlatMapInvoker.open: Iterable.iterator
            # StageInvoker.finish, ThreadStage.passOn, SourceStage.pass or FlatMapIterator.pull around all fused steps
            stage.Fusion.apply: StageFunction.apply StagePredicate.test ToLongFunction.applyAsLong
            # functions of stages and of fused steps, which run in those
            run.FilteredFront.kept: AutoCloseable.close StagePredicate.test
            run.Gathered.strict: StagePredicate.test
            run.FilteredFront.passing: EpochFunction.apply Recipe.SeededCall.apply StageFunction.apply ToLongFunction.applyAsLong
            # UnbatchStage and RouteStage, which apply the policy to the item
            group.UnbatchStage.split: Iterable.iterator StageFunction.apply
            join.RouteStage.branchOf: BiPredicate.test StageFunction.apply
            # ChosenMergeStage: a choice fails the item that it looked at last, or ends the run; states end the run
            join.ChosenMergeStage.ask: Recipe.Choice.next
            join.ChosenMergeStage.begin: Supplier.get
            join.ChosenMergeStage.read: Function.apply
            join.ChosenMergeStage.written: Function.apply
            # EpochStage.tell ends the run
            group.EpochStage.begin: EpochListener.began
            group.EpochStage.work: EpochListener.ended
            # AggregateStage: a failed input or rest is an item under the policy; the initializer and states end the run
            group.AggregateStage.closeRest: BiConsumer.accept Gatherer.finisher
            group.AggregateStage.flush: BiConsumer.accept Gatherer.finisher
            group.AggregateStage.integrate: Gatherer.Integrator.integrate Gatherer.integrator
            group.AggregateStage.load: Gatherer.initializer Supplier.get
            group.StateKeeper.emitted: Function.apply
            group.StateKeeper.read: Function.apply
            # SourceStage.readEpoch: a source that fails ends the run; ThreadStage.runThread for what is asked before
            stage.SourceStage.announce: Source.resume
            stage.SourceStage.pass: Cursor.advance Cursor.item Cursor.place Cursor.position RankedSource.rank
            stage.SourceStage.owner: ElasticSource.owner
            stage.SourceStage.read: Cursor.close Cursor.position RankedSource.rank Source.open
            stage.SourceStage.readPending: Source.resume
            stage.SourceStage.replay: Cursor.advance Cursor.close Cursor.item Cursor.position Source.open
            stage.SourceStage.seekPending: Cursor.close Source.open
            # a source over the user's, which the source stage reads as any other
            again.WantedItems.close: AutoCloseable.close
            again.WantedItems.closePart: Cursor.close
            again.WantedItems.identity: Source.identity
            again.WantedItems.opened: Cursor.position Source.open
            again.WantedItems.owner: ElasticSource.owner
            again.WantedItems.read: Cursor.advance Cursor.item Cursor.place Cursor.position
            # StageGuard: a quarantine or a predicate that throws ends the run
            failure.Failures.failed: Consumer.accept
            failure.Failures.mayRetry: Predicate.test
            failure.Failures.tellSkipped: SkipObserver.skipped
            # StageGuard.refuse, which fails the item
            failure.Failures.skipsAgain: SkipObserver.skipsAgain
            # StageGuard.tell, or the item fails (started), or the run does (begun, ended); EngineRun.tellDelivered
            stage.StageGuard.started: StageObserver.itemStarted
            stage.StageGuard.ended: StageObserver.itemEnded
            stage.Stage.begun: StageObserver.stageStarted
            stage.Stage.ended: StageObserver.stageEnded
            run.Observers.itemEnded: StageObserver.itemEnded
            run.Observers.itemStarted: StageObserver.itemStarted
            run.Observers.stageEnded: StageObserver.stageEnded
            run.Observers.stageStarted: StageObserver.stageStarted
            stage.ItemObservers.admitted: ItemObserver.admitted ItemObserver.placed
            stage.ItemObservers.delivered: ItemObserver.delivered
            stage.ItemObservers.grouped: ItemObserver.grouped
            stage.ItemObservers.worked: ItemObserver.worked
            # ThreadStage.withHooks; ScheduledStage.submit; BackgroundTasks logs
            stage.ThreadStage.hook: Placement.Hook.run
            schedule.ExecutorScheduler.submit: Executor.execute
            run.BackgroundTasks.run: BackgroundTask.run
            # the thread of who starts or replays, before there is a run
            run.Extensions.of: RunExtension.extended
            checkpoint.CheckpointRedistribution.deal: RankedSource.even
            checkpoint.ElasticShares.share: ElasticSource.share ElasticSource.sharing
            checkpoint.RunState.of: ElasticSource.rank ElasticSource.worldSize RankedSource.places RankedSource.rank RankedSource.worldSize
            live.LiveRun.ranks: ElasticSource.rank ElasticSource.worldSize RankedSource.rank RankedSource.worldSize
            run.ComputedCheckpoint.at: RankedSource.rank RankedSource.worldSize
            run.ComputedCheckpoint.perEpoch: RankedSource.size
            # the caller of Pipelines.excerpt; what a close throws is added to what is thrown already
            run.Excerpts.close: AutoCloseable.close
            run.Excerpts.run: RankedSource.places
            run.Gathered.found: RankedSource.places
            run.Gathered.reading: ElasticSource.sharing
            run.Gathered.source: Source.resume
            # the caller who moves a checkpoint on
            checkpoint.ReadAdvance.<init>: ElasticSource.sharing
            checkpoint.ReadAdvance.read: AutoCloseable.close Cursor.advance Cursor.close Cursor.item Cursor.place Cursor.position Source.open
            run.Excerpts.source: RankedSource.worldSize
            run.SourceReading.of: Source.passes Source.size
            stage.SourceStage.<init>: ElasticSource.sharing
            recipe.Recipe.signature: Source.identity
            recipe.Recipe.takes: BiPredicate.test StageFunction.apply
            recipe.SingleElement.alone: AutoCloseable.close
            recipe.SingleElement.of: BiPredicate.test StageFunction.apply
            run.Planner.planSource: Source.resume
            run.Replay.checkSources: Source.resume
            """;

    /// Where functions are called that are the engine's own.
    private static final String OURS = """
            again.StartOrder.of: Comparator.thenComparingLong
            checkpoint.ElasticShares.deal: Comparator.thenComparingLong
            checkpoint.FailedItemJson.item: Function.apply
            checkpoint.GathererStates.of: IntPredicate.test
            checkpoint.Together.<clinit>: Comparator.thenComparing Comparator.thenComparingInt Comparator.thenComparingLong
            checkpoint.Together.compareTo: Comparator.compare
            checkpoint.Together.give: Comparator.thenComparing
            tune.Measurement.error: ToDoubleBiFunction.applyAsDouble
            tune.Measurement.rate: ToDoubleBiFunction.applyAsDouble
            tune.Measurement.trend: ToDoubleBiFunction.applyAsDouble
            tune.Proposals.fewerComputing: ToIntFunction.applyAsInt
            tune.TuningLoop.look: Consumer.accept
            tune.TuningLoop.run: RunHandle.get
            checkpoint.Node.forEachChild: IntConsumer.accept
            checkpoint.Node.renumbered: IntUnaryOperator.applyAsInt
            checkpoint.NodeRows.forEach: LongConsumer.accept
            checkpoint.NodeTable.addAll: UnaryOperator.apply
            checkpoint.NodeTable.forEachGroup: ObjIntConsumer.accept
            checkpoint.NodeTable.forEachOrigin: Consumer.accept
            compute.ComputePool.whileBlocked: Callable.call
            flight.FlightEvents.delivery: Callable.call
            flight.FlightEvents.item: BooleanSupplier.getAsBoolean Supplier.get
            flight.FlightEvents.statistics: Supplier.get
            flight.FlightEvents.stop: Supplier.get
            flight.FlightEvents.unchosen: Supplier.get
            join.Assemblies.takeWhole: BooleanSupplier.getAsBoolean
            join.MarkBarrier.arrive: Consumer.accept
            lineage.Lineage.collect: Consumer.accept
            lineage.Lineage.forEachSplit: Consumer.accept
            lineage.Lineage.walk: Predicate.test
            lineage.TurnQueue.<init>: Comparator.thenComparingLong
            link.Disposer.dispose: Consumer.accept
            link.Link.pollLocked: ToLongFunction.applyAsLong
            link.Link.put: Consumer.accept
            link.LatePassing.look: BooleanSupplier.getAsBoolean
            link.LatePassing.overtaken: BooleanSupplier.getAsBoolean
            link.LinkPolicy.grows: LongSupplier.getAsLong
            link.LinkPolicy.passed: LongSupplier.getAsLong
            link.LinkWaiters.new: IntSupplier.getAsInt
            live.LiveRun.<init>: Function.apply
            live.LiveRun.restart: Function.apply
            run.Planner.ring: LongSupplier.getAsLong
            run.Planner.turn: Recipe.Turns.of
            stage.Budget.admit: BooleanSupplier.getAsBoolean
            stage.Budget.await: BooleanSupplier.getAsBoolean
            stage.WorkerSlot.isParked: BooleanSupplier.getAsBoolean
            """;

    @Test
    void theEngineCallsUserCodeInGuardedPlacesOnly() throws IOException {
        Set<String> listed = new TreeSet<>();
        Stream.of(GUARDED, OURS)
                .flatMap(String::lines)
                .filter(line -> !line.startsWith("#"))
                .forEach(listed::add);
        Set<String> found = new TreeSet<>();
        calls().forEach((place, theirs) -> found.add(place + ": " + String.join(" ", theirs)));

        assertThat(found).containsExactlyElementsOf(listed);
    }

    /// By room, class and method: the users' methods that it calls.
    private static Map<String, Set<String>> calls() throws IOException {
        Map<String, Set<String>> calls = new TreeMap<>();
        try (Stream<Path> sources = Files.walk(SOURCES.resolve(ENGINE))) {
            for (Path source :
                    sources.filter(file -> file.toString().endsWith(".java")).toList()) {
                String name = SOURCES.relativize(source).toString().replace(".java", "");
                if (!name.endsWith("package-info")) {
                    addCalls(name, calls);
                }
            }
        }
        return calls;
    }

    private static void addCalls(String outermost, Map<String, Set<String>> calls) throws IOException {
        ClassModel outer = parsed(outermost);
        addCalls(outermost, outer, calls);
        for (NestMembersAttribute members :
                outer.findAttribute(Attributes.nestMembers()).stream().toList()) {
            for (ClassEntry member : members.nestMembers()) {
                addCalls(outermost, parsed(member.asInternalName()), calls);
            }
        }
    }

    private static ClassModel parsed(String name) throws IOException {
        try (InputStream bytes = GuardedCallsTest.class.getResourceAsStream("/" + name + ".class")) {
            return ClassFile.of().parse(requireNonNull(bytes, name).readAllBytes());
        }
    }

    private static void addCalls(String outermost, ClassModel model, Map<String, Set<String>> calls) {
        for (MethodModel method : model.methods()) {
            String place = outermost.substring(ENGINE.length() + 1).replace('/', '.') + "."
                    + named(method.methodName().stringValue());
            method.code()
                    .ifPresent(code -> code.forEach(element -> {
                        if (element instanceof InvokeInstruction call && isTheirs(call)) {
                            calls.computeIfAbsent(place, _ -> new TreeSet<>()).add(label(call));
                        }
                    }));
        }
    }

    private static boolean isTheirs(InvokeInstruction call) {
        if (call.opcode() != Opcode.INVOKEINTERFACE) {
            return false;
        }
        Class<?> owner = loaded(call.owner().asInternalName().replace('/', '.'));
        return THEIRS.contains(owner)
                || (OPEN.contains(owner.getPackageName()) && !owner.isSealed() && !ENGINES.contains(owner));
    }

    private static Class<?> loaded(String name) {
        try {
            return Class.forName(name);
        } catch (ClassNotFoundException absent) {
            throw new AssertionError(absent);
        }
    }

    private static String label(InvokeInstruction call) {
        String owner = call.owner().asInternalName();
        return owner.substring(owner.lastIndexOf('/') + 1).replace('$', '.') + "."
                + call.name().stringValue();
    }

    /// A lambda belongs to the method around it.
    private static String named(String method) {
        return method.startsWith("lambda$") ? method.split("\\$")[1] : method;
    }
}
