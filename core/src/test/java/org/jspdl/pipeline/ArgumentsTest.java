package org.jspdl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.Gatherers;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspdl.source.Samplers;
import org.jspdl.source.Sources;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// An argument that cannot work is refused by the method that takes it, with its name and value.
class ArgumentsTest {
    private static final Pipeline<Long> NUMBERS = Pipeline.from(Sources.range(3));
    private static final StageOptions ONE = StageOptions.cpu(1);
    private static final Duration TOO_LONG = Duration.ofSeconds(Long.MAX_VALUE);

    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals", "unchecked"})
    private static <T> T nothing() {
        return (T) (@Nullable Object) null;
    }

    private static Arguments wrong(String what, ThrowingCallable call, String... parts) {
        return Arguments.argumentSet(what, call, parts);
    }

    static List<Arguments> calls() {
        return Stream.of(ofPipelines(), ofRoutes(), ofStages(), ofRuns(), ofPolicies(), ofSources())
                .flatMap(Collection::stream)
                .toList();
    }

    private static List<Arguments> ofPipelines() {
        StageFunction<Long, Long> same = item -> item;
        return List.of(
                wrong(
                        "from: null source",
                        () -> Pipeline.from(ArgumentsTest.<org.jspdl.source.Source<Long>>nothing()),
                        "source"),
                wrong("from: null iterable", () -> Pipeline.from(ArgumentsTest.<Iterable<Long>>nothing()), "iterable"),
                wrong("named: null", () -> NUMBERS.named(nothing()), "name"),
                wrong("named: blank", () -> NUMBERS.named(" "), "name", "blank", "' '"),
                wrong("map: null", () -> NUMBERS.map(nothing()), "function"),
                wrong("filter: null", () -> NUMBERS.filter(nothing()), "predicate"),
                wrong("weigh: null", () -> NUMBERS.weigh(nothing()), "bytes"),
                wrong("pipe: null name", () -> NUMBERS.pipe(nothing(), same, ONE), "stage"),
                wrong("pipe: blank name", () -> NUMBERS.pipe("", same, ONE), "stage", "''"),
                wrong("pipe: null function", () -> NUMBERS.pipe("a", nothing(), ONE), "function"),
                wrong("pipe: null options", () -> NUMBERS.pipe("a", same, nothing()), "options"),
                wrong("pipe: async options", () -> NUMBERS.pipe("a", same, StageOptions.async(2)), "'a'", "async(2)"),
                wrong("pipeSeeded: null function", () -> NUMBERS.pipeSeeded("a", nothing(), ONE), "function"),
                wrong("pipeSeeded: null options", () -> NUMBERS.pipeSeeded("a", (n, r) -> n, nothing()), "options"),
                wrong(
                        "pipeAsync: threads",
                        () -> NUMBERS.pipeAsync("a", CompletableFuture::completedFuture, StageOptions.io(7)),
                        "'a'",
                        "io(7)",
                        "StageOptions.async"),
                wrong(
                        "pipeAsync: null function",
                        () -> NUMBERS.pipeAsync("a", nothing(), StageOptions.async(1)),
                        "function"),
                wrong("flatMap: null function", () -> NUMBERS.flatMap("a", nothing(), ONE), "function"),
                wrong("flatMap: null options", () -> NUMBERS.flatMap("a", n -> List.of(n), nothing()), "options"),
                wrong(
                        "flatMap: deadline",
                        () -> NUMBERS.flatMap("a", n -> List.of(n), ONE.deadline(Duration.ofSeconds(3))),
                        "'a'",
                        "PT3S"),
                wrong(
                        "aggregate: null gatherer",
                        () -> NUMBERS.aggregate("a", nothing(), GathererState.unsaved()),
                        "gatherer"),
                wrong(
                        "aggregate: null state",
                        () -> NUMBERS.aggregate("a", Gatherers.windowFixed(2), nothing()),
                        "state"),
                wrong("saved: null write", () -> GathererState.saved(nothing(), text -> text), "write"),
                wrong("saved: null read", () -> GathererState.saved(String::valueOf, nothing()), "read"),
                wrong("merge: none", () -> Pipeline.merge(), "no pipeline"),
                wrong("merge: null", () -> Pipeline.merge(NUMBERS, nothing()), "pipelines[1]"),
                wrong("roundRobin: null strategy", () -> Pipeline.roundRobin(nothing(), NUMBERS), "strategy"),
                wrong("mix: null weights", () -> Pipeline.mix(1, ArgumentsTest.<double[]>nothing()), "weights"),
                wrong("mix: negative weight", () -> Pipeline.mix(1, 1, -2), "-2.0"),
                wrong("mix: no number", () -> Pipeline.mix(1, Double.NaN), "NaN"),
                wrong("mix: all zero", () -> Pipeline.mix(1, 0, 0), "0.0"),
                wrong(
                        "mix: another number of pipelines",
                        () -> Pipeline.mix(1, 1, 1).of(StoppingStrategy.ALL_EXHAUSTED, NUMBERS),
                        "2 weights",
                        "1 pipelines"),
                wrong("batch: 0", () -> NUMBERS.batch(0, Remainder.KEEP), "batch size", "0"),
                wrong("batch: negative", () -> NUMBERS.batch(-5, Remainder.KEEP), "batch size", "-5"),
                wrong(
                        "batch: too large",
                        () -> NUMBERS.batch(Integer.MAX_VALUE, Remainder.KEEP),
                        "batch size",
                        "2,147,483,647"),
                wrong("batch: null remainder", () -> NUMBERS.batch(2, nothing()), "remainder"),
                wrong("batch: null time", () -> NUMBERS.batch(2, Remainder.KEEP, nothing()), "flushAfter"),
                wrong("batch: no time", () -> NUMBERS.batch(2, Remainder.KEEP, Duration.ZERO), "flushAfter", "PT0S"),
                wrong("unbatch: null", () -> NUMBERS.unbatch(nothing()), "elements"),
                wrong("prefetch: 0", () -> NUMBERS.prefetch(0), "prefetch", "0"),
                wrong("prefetch: too large", () -> NUMBERS.prefetch(1_000_001), "prefetch", "1,000,001"),
                wrong("start: null", () -> NUMBERS.start(nothing()), "options"),
                wrong(
                        "elements: null iterator",
                        () -> Elements.of(ArgumentsTest.<java.util.Iterator<Long>>nothing()),
                        "iterator"),
                wrong("elements: null stream", () -> Elements.of(ArgumentsTest.<Stream<Long>>nothing()), "stream"),
                wrong("parts: null", () -> Pipelines.parts(nothing()), "pipeline"),
                wrong("toMermaid: null", () -> Pipelines.toMermaid(nothing()), "pipeline"),
                wrong("replay: null options", () -> Pipelines.replay(NUMBERS, List.of(), nothing()), "options"));
    }

    private static List<Arguments> ofRoutes() {
        Route<Long, Long> route = NUMBERS.route("parity", item -> item % 2);
        ElementRoute<Long, Long> elements =
                Pipeline.routeElements(NUMBERS.batch(2, Remainder.KEEP), "parity", item -> item % 2);
        return List.of(
                wrong("route: null name", () -> NUMBERS.route(nothing(), n -> n), "stage"),
                wrong("route: null key", () -> NUMBERS.route("a", nothing()), "key"),
                wrong("when: null key", () -> route.when(ArgumentsTest.<Long>nothing(), each -> each), "wanted"),
                wrong("when: null chain", () -> route.when(1L, ArgumentsTest.nothing()), "chain"),
                wrong("when: a chain of nothing", () -> route.when(1L, each -> nothing()), "'1'"),
                wrong("when: twice", () -> route.when(1L, each -> each).when(1L, each -> each), "'parity'", "'1'"),
                wrong(
                        "when: behind otherwise",
                        () -> route.when(1L, each -> each)
                                .otherwise(each -> each)
                                .when(0L, each -> each),
                        "'0'",
                        "'otherwise'"),
                wrong(
                        "otherwise: twice",
                        () -> route.when(1L, each -> each)
                                .otherwise(each -> each)
                                .otherwise(each -> each),
                        "'otherwise'"),
                wrong("elements: null batches", () -> Pipeline.routeElements(nothing(), "a", n -> n), "batches"),
                wrong("elements: null key", () -> elements.when(nothing(), each -> each), "wanted"),
                wrong("elements: twice", () -> elements.when(1L, each -> each).when(1L, each -> each), "'1'"));
    }

    private static List<Arguments> ofStages() {
        return List.of(
                wrong("io: 0", () -> StageOptions.io(0), "concurrency", "0"),
                wrong("cpu: negative", () -> StageOptions.cpu(-1), "concurrency", "-1"),
                wrong("cpu: too large", () -> StageOptions.cpu(65_537), "concurrency", "65,537"),
                wrong("async: 0", () -> StageOptions.async(0), "concurrency", "0"),
                wrong("on: null", () -> StageOptions.on(ArgumentsTest.<Executor>nothing(), 1), "executor"),
                wrong("dedicated: null start", () -> StageOptions.dedicated(nothing(), Placement.Hook.NONE), "onStart"),
                wrong("dedicated: null close", () -> StageOptions.dedicated(Placement.Hook.NONE, nothing()), "onClose"),
                wrong("dedicated: two", () -> StageOptions.dedicated().concurrency(2), "2"),
                wrong("concurrency: 0", () -> ONE.concurrency(0), "concurrency", "0"),
                wrong("buffer: 0", () -> ONE.buffer(0), "buffer", "0"),
                wrong("buffer: too large", () -> ONE.buffer(Integer.MAX_VALUE), "buffer", "2,147,483,647"),
                wrong("failures: null", () -> ONE.failures(nothing()), "policy"),
                wrong("deadline: null", () -> ONE.deadline(nothing()), "deadline"),
                wrong("deadline: 0", () -> ONE.deadline(Duration.ZERO), "deadline", "PT0S"),
                wrong("deadline: negative", () -> ONE.deadline(Duration.ofMillis(-1)), "deadline", "PT-0.001S"));
    }

    private static List<Arguments> ofRuns() {
        RunOptions options = RunOptions.defaults();
        return List.of(
                wrong("epochs: 0", () -> options.epochs(0), "epochs", "0"),
                wrong("epochs: negative", () -> options.epochs(-3), "epochs", "-3"),
                wrong("resumeFrom: null", () -> options.resumeFrom(nothing()), "checkpoint"),
                wrong("failures: null", () -> options.failures(nothing()), "policy"),
                wrong("grace: null", () -> options.grace(nothing()), "grace"),
                wrong("grace: negative", () -> options.grace(Duration.ofSeconds(-1)), "grace", "PT-1S"),
                wrong("abandonedLimit: negative", () -> options.abandonedLimit(-1), "abandonedLimit", "-1"),
                wrong("computeThreads: 0", () -> options.computeThreads(0), "computeThreads", "0"),
                wrong(
                        "computeThreads: too large",
                        () -> options.computeThreads(1 << 20),
                        "computeThreads",
                        "1,048,576"),
                wrong("observer: null", () -> options.observer(nothing()), "observer"),
                wrong("byteBudget: null", () -> options.byteBudget(nothing()), "budget"),
                wrong("byteBudget: 0", () -> new ByteBudget(0, 0), "0"),
                wrong("byteBudget: an item beyond it", () -> new ByteBudget(10, 11), "10", "11"),
                wrong("background: null name", () -> options.background(nothing(), running -> {}), "name"),
                wrong("background: blank name", () -> options.background(" ", running -> {}), "name", "' '"),
                wrong("background: null task", () -> options.background("a", nothing()), "task"),
                wrong(
                        "background: twice",
                        () -> options.background("a", running -> {}).background("a", running -> {}),
                        "'a'"),
                wrong("checkpoint: null", () -> Checkpoint.parse(nothing()), "json"));
    }

    private static List<Arguments> ofSources() {
        return List.of(
                wrong("of: null list", () -> Sources.of(ArgumentsTest.<List<Long>>nothing()), "list"),
                wrong("of: null iterable", () -> Sources.of(ArgumentsTest.<Iterable<Long>>nothing()), "iterable"),
                wrong("range: negative", () -> Sources.range(-1), "size", "-1"),
                wrong("indexed: null", () -> Sources.indexed(1, nothing()), "get"),
                wrong("once: null", () -> Sources.once(nothing()), "iterator"),
                wrong("queue: null", () -> Sources.queue(nothing()), "queue"),
                wrong("growing: null folder", () -> Sources.growing(nothing(), "*"), "folder"),
                wrong("growing: null glob", () -> Sources.growing(java.nio.file.Path.of(""), nothing()), "glob"),
                wrong("map: null function", () -> Sources.map(Sources.range(1), nothing()), "function"),
                wrong("map: null source", () -> Sources.map(nothing(), item -> item), "source"),
                wrong("sampler: negative", () -> Samplers.sequential(-2), "-2"),
                wrong("sampler: no ranks", () -> Samplers.sequential(4).shard(0, 0), "0"),
                wrong(
                        "sampler: a rank beyond the last",
                        () -> Samplers.sequential(4).shard(2, 2),
                        "2"));
    }

    private static List<Arguments> ofPolicies() {
        FailurePolicy base = FailurePolicy.failFast();
        return List.of(
                wrong("skip: negative", () -> FailurePolicy.skip(-1), "-1"),
                wrong("skipRate: 0", () -> FailurePolicy.skipRate(0), "0.0"),
                wrong("skipRate: above 1", () -> FailurePolicy.skipRate(1.5), "1.5"),
                wrong("skipRate: no number", () -> FailurePolicy.skipRate(Double.NaN), "NaN"),
                wrong("skipRate: no calls", () -> FailurePolicy.skipRate(0.1, 0), "minCalls", "0"),
                wrong("retry: 0", () -> base.retry(0, Duration.ZERO), "maxAttempts", "0"),
                wrong("retry: null backoff", () -> base.retry(2, nothing()), "backoff"),
                wrong(
                        "retry: negative backoff",
                        () -> base.retry(2, Duration.ofNanos(-1)),
                        "backoff",
                        "PT-0.000000001S"),
                wrong("retry: null predicate", () -> base.retry(2, Duration.ZERO, nothing()), "retryable"),
                wrong("quarantine: null", () -> base.quarantine(nothing()), "quarantine"));
    }

    @ParameterizedTest
    @MethodSource("calls")
    void aWrongArgumentIsRefusedWhereItIsGiven(ThrowingCallable call, String[] parts) {
        assertThatThrownBy(call)
                .isInstanceOfAny(IllegalArgumentException.class, NullPointerException.class)
                .message()
                .contains(Arrays.asList(parts));
    }

    @Test
    void aTimeOfThousandsOfYearsIsAsGoodAsNone() {
        StageOptions options = ONE.deadline(TOO_LONG)
                .totalDeadline(TOO_LONG)
                .failures(FailurePolicy.failFast().retry(2, TOO_LONG));
        Pipeline<List<Long>> pipeline =
                NUMBERS.pipe("same", item -> item, options).batch(2, Remainder.KEEP, TOO_LONG);

        assertThat(Runs.deliveries(pipeline, RunOptions.defaults().grace(TOO_LONG)))
                .isEqualTo(Runs.deliveries(NUMBERS.batch(2, Remainder.KEEP)));
    }
}
