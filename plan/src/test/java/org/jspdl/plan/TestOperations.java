package org.jspdl.plan;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Gatherer;
import java.util.stream.Gatherers;
import org.jspdl.pipeline.GathererState;
import org.jspdl.pipeline.MergePolicy;

/// Operations on numbers and words, for plans in tests.
final class TestOperations implements OperationProvider {
    private static final TypeToken<Long> NUMBER = TypeToken.of(Long.class);
    private static final TypeToken<String> WORD = TypeToken.of(String.class);
    private static final Parameter<Long> BY = Parameter.whole("by", -1000, 1000);
    private static final Parameter<Long> AT = Parameter.whole("at", 0, Long.MAX_VALUE);
    private static final Parameter<Style> STYLE =
            Parameter.choice("style", Style.class).orElse(Style.PLAIN);
    private static final Parameter<Double> SHARE =
            Parameter.decimal("share", 0, 1).orElse(0.5);
    private static final Parameter<Boolean> LOUD = Parameter.flag("loud").orElse(false);
    private static final Parameter<Integer> SIZE = Parameter.count("size", 1, 100);

    enum Style {
        PLAIN,
        IN_BRACKETS
    }

    private final AtomicInteger opened = new AtomicInteger();

    static Operations known() {
        return Operations.of(List.of(new StandardOperations(), new TestOperations()));
    }

    Operations withStandard() {
        return Operations.of(List.of(new StandardOperations(), this));
    }

    /// Resources that are open now.
    int opened() {
        return opened.get();
    }

    @Override
    public List<Operation> operations() {
        return List.of(
                Operation.function("times", NUMBER, NUMBER, given -> number -> number * given.get(BY), BY),
                Operation.function("spell", NUMBER, WORD, given -> number -> spelled(number, given.get(STYLE)), STYLE),
                Operation.function("parity", NUMBER, WORD, given -> number -> number % 2 == 0 ? "even" : "odd"),
                Operation.function(
                        "sum",
                        new TypeToken<List<Long>>() {},
                        NUMBER,
                        given -> numbers ->
                                numbers.stream().mapToLong(Long::longValue).sum()),
                Operation.function("refuse", NUMBER, NUMBER, given -> number -> refuse(number, given.get(AT)), AT),
                Operation.filter("multiples", NUMBER, given -> number -> number % given.get(BY) == 0, BY),
                Operation.seeded(
                        "jitter",
                        NUMBER,
                        NUMBER,
                        given -> (number, random) -> random.nextDouble() < given.get(SHARE) ? -number : number,
                        SHARE,
                        LOUD),
                Operation.flatMap("twice", NUMBER, NUMBER, given -> number -> List.of(number, number)),
                Operation.gatherer(
                        "windows",
                        NUMBER,
                        new TypeToken<List<Long>>() {},
                        given -> Gatherers.windowFixed(given.get(SIZE)),
                        GathererState.unsaved(),
                        SIZE),
                Operation.gatherer(
                        "packs",
                        NUMBER,
                        new TypeToken<List<Long>>() {},
                        given -> Gatherers.windowFixed(given.get(SIZE)),
                        GathererState.emptyAfterEmission(),
                        SIZE),
                Operation.gatherer(
                        "running-sum",
                        NUMBER,
                        NUMBER,
                        given -> runningSum(),
                        GathererState.saved(sum -> Long.toString(sum[0]), text -> new long[] {Long.parseLong(text)})),
                Operation.async(
                        "later",
                        NUMBER,
                        NUMBER,
                        given -> number -> CompletableFuture.supplyAsync(() -> number + given.get(BY)),
                        BY),
                Operation.async(
                        "later-parity",
                        NUMBER,
                        WORD,
                        given -> number -> CompletableFuture.supplyAsync(() -> number % 2 == 0 ? "even" : "odd")),
                Operation.flatMapAsync(
                        "later-twice",
                        NUMBER,
                        NUMBER,
                        given -> number -> CompletableFuture.supplyAsync(() -> List.of(number, number))),
                Operation.mergePolicy(
                        "in-turns-of",
                        NUMBER,
                        given -> MergePolicy.of(inputs -> (int) (inputs.taken() / given.get(SIZE) % inputs.count())),
                        SIZE),
                Operation.function("held", NUMBER, NUMBER, given -> {
                    opened.incrementAndGet();
                    given.keep(opened::decrementAndGet);
                    return number -> number;
                }),
                Operation.function("broken", NUMBER, NUMBER, given -> {
                    throw new java.io.IOException("there is no table for this machine");
                }));
    }

    private static Gatherer<Long, long[], Long> runningSum() {
        return Gatherer.ofSequential(() -> new long[1], (sum, number, downstream) -> {
            sum[0] += number;
            return downstream.push(sum[0]);
        });
    }

    private static String spelled(long number, Style style) {
        return style == Style.PLAIN ? "n" + number : "[" + number + "]";
    }

    private static Long refuse(long number, long at) {
        if (number == at) {
            throw new IllegalStateException("number " + number + " is refused");
        }
        return number;
    }
}
