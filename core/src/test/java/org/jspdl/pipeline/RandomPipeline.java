package org.jspdl.pipeline;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.stream.Gatherers;
import org.jspdl.source.Sources;

/// A pipeline made from a seed, with a sequential model of what it delivers in each epoch.
///
/// All decisions about an item depend on its number and on the stage alone, so that the model needs no threads.
final class RandomPipeline {
    private static final ForkJoinPool SOMEBODY_ELSE = ForkJoinPool.commonPool();

    private final SplittableRandom random;
    private final Tracker tracker;
    private final boolean mayFail;
    private final Trap trap;
    private final Queue<Runnable> late = new ConcurrentLinkedQueue<>();
    private final StringBuilder text = new StringBuilder();
    private boolean fails;
    private boolean gathers;
    private boolean batches;
    private boolean cuts;
    private int inputs;
    private int stages;
    private int joins = 1;
    /// What kind of trouble the functions of the stage at hand have.
    private int troubles;

    /// Long enough for a call that does next to nothing on a busy machine.
    private static final Duration HANGS = Duration.ofMillis(300);

    /// The most that an item weighs.
    static final long HEAVIEST = 7;

    /// Stands for the stage of a source.
    private static final int SOURCE = 0;

    /// @param mayFail whether one of the functions may fail without a policy that skips, which ends the run
    RandomPipeline(long seed, Tracker tracker, boolean mayFail) {
        this(seed, tracker, mayFail, Trap.NONE);
    }

    /// @param trap what the user's code calls wherever it runs
    RandomPipeline(long seed, Tracker tracker, boolean mayFail, Trap trap) {
        this.random = new SplittableRandom(seed);
        this.tracker = tracker;
        this.mayFail = mayFail;
        this.trap = trap;
    }

    /// A pipeline and what it should deliver.
    ///
    /// @param expected the numbers of the items of an epoch; if the run fails, it delivers some of them
    /// @param ordered  whether they come in the order of `expected`
    record Modelled(Pipeline<Tracker.Item> pipeline, List<Long> expected, boolean ordered) {}

    /// Whether the run ends with a failure if the consumer waits for it.
    boolean fails() {
        return fails;
    }

    /// Whether items wait for others anywhere: in a batch or in front of a merge.
    boolean gathers() {
        return gathers;
    }

    /// Whether items wait for others in a batch.
    boolean batches() {
        return batches;
    }

    /// Whether a stage may end an epoch early. What is before it may still hold items when the consumer hears of
    /// the end.
    boolean cuts() {
        return cuts;
    }

    /// How many sources there are.
    int inputs() {
        return inputs;
    }

    /// Makes a pipeline of several sources; called once.
    Modelled makeJoined() {
        joins = 4;
        return made(joined());
    }

    /// Makes a pipeline; called once.
    Modelled make() {
        return made(random.nextInt(4) == 0 ? joined() : source(0));
    }

    private Modelled made(Modelled start) {
        Modelled made = start;
        for (int i = random.nextInt(1, 5); i > 0; i--) {
            made = extended(made);
        }
        int sink = random.nextInt(1, 5);
        text.append(".prefetch(").append(sink).append(')');
        return new Modelled(made.pipeline.prefetch(sink), made.expected, made.ordered);
    }

    private Modelled source(long first) {
        inputs++;
        int size = random.nextInt(10) == 0 ? 0 : random.nextInt(1, 80);
        text.append("range(").append(size).append(')');
        return new Modelled(
                Pipeline.from(Sources.range(size))
                        .map(index -> tracker.item(first + index))
                        .map(item -> trap.at("map", stumbled(item, SOURCE)))
                        .weigh(item -> trap.at("weigher", weight(item))),
                Runs.numbers(first, first + size).stream()
                        .filter(id -> !stumbles(id, SOURCE))
                        .toList(),
                true);
    }

    private static long weight(Tracker.Item item) {
        return 1 + Math.floorMod(mixed(item.id(), 5), HEAVIEST);
    }

    private Modelled joined() {
        joins--;
        gathers = true;
        int kind = random.nextInt(4);
        text.append(List.of("merge(", "roundRobin(", "mix(", "chosen(").get(kind));
        long first = (long) joins << 20;
        Modelled one = extended(source(first));
        text.append(", ");
        Modelled two = joins > 0 && random.nextBoolean() ? joined() : source(first | 1L << 32);
        text.append(')');
        if (kind == 1 && one.ordered && two.ordered && !mayFail && random.nextBoolean()) {
            cuts = true;
            text.append(".untilFirstEnds");
            return new Modelled(
                    Pipeline.roundRobin(StoppingStrategy.FIRST_EXHAUSTED, one.pipeline, two.pipeline),
                    inTurn(one.expected, two.expected),
                    true);
        }
        List<Long> all = new ArrayList<>(one.expected);
        all.addAll(two.expected);
        Pipeline<Tracker.Item> pipeline = switch (kind) {
            case 0 -> Pipeline.merge(one.pipeline, two.pipeline);
            case 1 -> Pipeline.roundRobin(StoppingStrategy.ALL_EXHAUSTED, one.pipeline, two.pipeline);
            case 2 -> Pipeline.mix(7, 1, 2).of(StoppingStrategy.ALL_EXHAUSTED, one.pipeline, two.pipeline);
            default -> Pipeline.merge("chosen" + ++stages, policy(), one.pipeline, two.pipeline);
        };
        return new Modelled(pipeline, all, false);
    }

    private MergePolicy<Tracker.Item> policy() {
        int kind = random.nextInt(3);
        text.append(List.of(".least", ".any", ".turns").get(kind));
        return switch (kind) {
            case 0 ->
                MergePolicy.of(inputs -> !inputs.hasNext(0)
                        ? 1
                        : !inputs.hasNext(1)
                                ? 0
                                : trap.at("policy", inputs.peek(0)).id() % 64
                                                <= inputs.peek(1).id() % 64
                                        ? 0
                                        : 1);
            case 1 -> MergePolicy.of(MergeInputs::awaitAny);
            default -> MergePolicy.stateful(() -> new int[1], (turn, inputs) -> trap.at("policy", turn[0]++ / 3 % 2));
        };
    }

    private static List<Long> inTurn(List<Long> one, List<Long> two) {
        List<Long> all = new ArrayList<>();
        for (int i = 0; i < one.size(); i++) {
            all.add(one.get(i));
            if (i == two.size()) {
                break;
            }
            all.add(two.get(i));
        }
        return all;
    }

    private Modelled extended(Modelled before) {
        return switch (random.nextInt(10)) {
            case 9 -> {
                text.append(".epochs");
                yield new Modelled(
                        before.pipeline.epochs("epochs" + ++stages, new EpochListener() {}),
                        before.expected,
                        before.ordered);
            }
            case 8 -> before.ordered && !mayFail ? taken(before) : piped(before);
            case 0, 1, 2 -> piped(before);
            case 3 -> filtered(before);
            case 4 -> batched(before);
            case 5 -> multiplied(before);
            case 6 -> routed(before);
            default -> asynchronous(before);
        };
    }

    private StageOptions options() {
        int n = random.nextInt(1, 5);
        StageOptions options = switch (random.nextInt(4)) {
            case 0 -> StageOptions.io(n);
            case 1 -> StageOptions.cpu(n);
            case 2 -> StageOptions.on(Setting.THREAD_PER_TASK, n);
            default -> StageOptions.dedicated();
        };
        options = options.buffer(random.nextInt(1, 5));
        return random.nextBoolean() ? options.inputOrder() : options;
    }

    private StageOptions singleOptions() {
        StageOptions options = options();
        return random.nextInt(4) == 0 ? options.defer(Duration.ofNanos(random.nextInt(1, 300_000))) : options;
    }

    private static boolean keepsOrder(StageOptions options) {
        // Of other stages one call at once may become several while the run goes on.
        boolean staysAlone =
                options.placement() instanceof Placement.Dedicated || options.placement() instanceof Placement.Async;
        return (options.order() == Order.INPUT && !options.isTimed()) || (options.concurrency() == 1 && staysAlone);
    }

    private Modelled piped(Modelled before) {
        StageOptions options = singleOptions();
        text.append(".pipe(").append(options);
        int salt = ++stages;
        if (mayFail && !fails && !before.expected.isEmpty() && random.nextInt(3) == 0) {
            long bad = before.expected.get(random.nextInt(before.expected.size()));
            fails = true;
            text.append(", fails on ").append(bad).append(')');
            return new Modelled(
                    before.pipeline.pipe(
                            "stage" + salt,
                            item -> failOn(item.id() == bad, item),
                            options.failures(FailurePolicy.failFast())),
                    before.expected,
                    before.ordered && keepsOrder(options));
        }
        int oneIn = random.nextInt(2, 12);
        text.append(", skips 1 in ").append(oneIn);
        StageOptions repeating = withRetries(options);
        text.append(')');
        return new Modelled(
                before.pipeline.pipe(
                        "stage" + salt,
                        troubled(
                                salt,
                                item -> trap.at("function", dawdled(failOn(hit(item.id(), salt, oneIn), item)))
                                        .replaced()),
                        repeating),
                before.expected.stream().filter(id -> !hit(id, salt, oneIn)).toList(),
                before.ordered && keepsOrder(options));
    }

    private Modelled taken(Modelled before) {
        int items = random.nextInt(1, 60);
        cuts = true;
        text.append(".take(").append(items).append(')');
        return new Modelled(
                before.pipeline.take(items), before.expected.subList(0, Math.min(items, before.expected.size())), true);
    }

    private Modelled filtered(Modelled before) {
        int salt = ++stages;
        text.append(".filter");
        return new Modelled(
                before.pipeline.filter(item ->
                        !hit(trap.at("filter", stumbled(item, salt)).id(), salt, 3)),
                before.expected.stream()
                        .filter(id -> !hit(id, salt, 3) && !stumbles(id, salt))
                        .toList(),
                before.ordered);
    }

    private Modelled batched(Modelled before) {
        gathers = true;
        batches = true;
        int size = random.nextInt(1, 9);
        boolean drop = before.ordered && random.nextBoolean();
        boolean elements = random.nextBoolean();
        text.append(".batch(").append(size).append(drop ? ", drop)" : ")");
        Pipeline<List<Tracker.Item>> batches = drop
                ? before.pipeline.batch(size, Remainder.DROP)
                : switch (random.nextInt(3)) {
                    case 0 -> before.pipeline.batch(size, Remainder.KEEP, Duration.ofMillis(random.nextInt(1, 4)));
                    case 1 ->
                        before.pipeline.aggregate(
                                "window" + ++stages, Gatherers.windowFixed(size), GathererState.emptyAfterEmission());
                    default -> before.pipeline.batch(size, Remainder.KEEP);
                };
        List<Long> expected = drop ? before.expected.subList(0, before.expected.size() / size * size) : before.expected;
        if (elements) {
            StageOptions options = options();
            int salt = ++stages;
            text.append(".elements(").append(options).append(')');
            batches = Pipeline.<Tracker.Item, Tracker.Item>routeElements(batches, "kind" + salt, item -> item.id() % 2)
                    .when(
                            0L,
                            way -> way.pipe("even" + salt, item -> dawdled(item).replaced(), options))
                    .otherwise(way -> way.filter(item -> !hit(item.id(), salt, 4)))
                    .merge();
            expected = expected.stream()
                    .filter(id -> id % 2 == 0 || !hit(id, salt, 4))
                    .toList();
        }
        return new Modelled(batches.unbatch(batch -> trap.at("elements", batch)), expected, before.ordered);
    }

    private Modelled multiplied(Modelled before) {
        StageOptions options = options();
        int salt = ++stages;
        text.append(".flatMap(").append(options).append(')');
        List<Long> expected = new ArrayList<>();
        before.expected.forEach(id -> {
            for (long j = 0; j < parts(id, salt); j++) {
                expected.add(id * 4 + j);
            }
        });
        if (random.nextInt(4) == 0) {
            StageOptions later = StageOptions.async(random.nextInt(1, 5)).buffer(random.nextInt(1, 5));
            text.append(".later(").append(later).append(')');
            return new Modelled(
                    before.pipeline.flatMapAsync(
                            "stage" + salt,
                            item -> CompletableFuture.supplyAsync(
                                    () -> Elements.of(lazily(item, parts(item.id(), salt))), SOMEBODY_ELSE),
                            later),
                    expected,
                    false);
        }
        return new Modelled(
                before.pipeline.flatMap(
                        "stage" + salt, item -> Elements.of(lazily(item, parts(item.id(), salt))), options),
                expected,
                before.ordered && keepsOrder(options));
    }

    /// Parts that are made only when they are asked for. The input is used up at once.
    private Iterator<Tracker.Item> lazily(Tracker.Item whole, long parts) {
        whole.close();
        return new Iterator<>() {
            private long next;

            @Override
            public boolean hasNext() {
                return next < trap.at("iterator", parts);
            }

            @Override
            public Tracker.Item next() {
                return tracker.item(whole.id() * 4 + next++);
            }
        };
    }

    private Modelled routed(Modelled before) {
        StageOptions one = options();
        StageOptions two = options();
        int salt = ++stages;
        text.append(".route(").append(one).append(", ").append(two).append(')');
        boolean later = random.nextInt(3) == 0;
        text.append(later ? ".later" : "");
        Pipeline<Tracker.Item> pipeline = (later
                        ? before.pipeline.routeAsync(
                                "route" + salt,
                                item -> CompletableFuture.supplyAsync(
                                        () -> trap.at("key", stumbled(dawdled(item), salt))
                                                                .id()
                                                        % 2
                                                == 0,
                                        SOMEBODY_ELSE),
                                StageOptions.async(2))
                        : before.pipeline.route(
                                "route" + salt,
                                item -> trap.at("key", stumbled(item, salt)).id() % 2 == 0))
                .<Tracker.Item>when(
                        true,
                        way -> way.pipe("even" + salt, item -> dawdled(item).replaced(), one)
                                .pipe("again" + salt, item -> item, two))
                .otherwise(way -> way.pipe("odd" + salt, item -> dawdled(item), two))
                .merge();
        return new Modelled(
                pipeline,
                before.expected.stream().filter(id -> !stumbles(id, salt)).toList(),
                false);
    }

    private Modelled asynchronous(Modelled before) {
        int n = random.nextInt(1, 5);
        StageOptions options = StageOptions.async(n).buffer(random.nextInt(1, 5));
        options = random.nextBoolean() ? options.inputOrder() : options;
        int salt = ++stages;
        boolean limited = random.nextInt(4) == 0;
        text.append(".async(").append(options).append(limited ? ", with a deadline)" : ")");
        FailurePolicy skips = FailurePolicy.skip(Long.MAX_VALUE);
        StageOptions guarded = options.failures(trap.guarded(skips));
        return new Modelled(
                before.pipeline.pipeAsync(
                        "stage" + salt,
                        item -> limited && isLate(item.id(), salt) ? kept(item) : later(item, salt),
                        limited ? guarded.deadline(HANGS) : guarded),
                before.expected.stream()
                        .filter(id -> !limited || !isLate(id, salt))
                        .toList(),
                before.ordered && keepsOrder(options));
    }

    private static boolean isLate(long id, int salt) {
        return hit(id, salt + 70, 1_000);
    }

    /// A promise that is kept long after its deadline.
    private CompletionStage<Tracker.Item> kept(Tracker.Item item) {
        CompletableFuture<Tracker.Item> promise = new CompletableFuture<>();
        late.add(() -> promise.complete(item.replaced()));
        return promise;
    }

    /// A call that goes on when it is cancelled, and then still has a result.
    private CompletionStage<Tracker.Item> later(Tracker.Item item, int salt) {
        return hit(item.id(), salt, 2)
                ? CompletableFuture.completedFuture(item.replaced())
                : CompletableFuture.supplyAsync(
                                () -> trap.at("promise", dawdled(item)).replaced(), SOMEBODY_ELSE)
                        .minimalCompletionStage();
    }

    /// Options that repeat calls, with a deadline that only a call that hangs exceeds.
    private StageOptions withRetries(StageOptions options) {
        FailurePolicy skips = FailurePolicy.skip(Long.MAX_VALUE);
        troubles = Math.max(0, random.nextInt(6) - 3);
        text.append(troubles == 0 ? "" : troubles == 1 ? ", with retries" : ", with a deadline");
        return switch (troubles) {
            case 0 -> options.failures(trap.guarded(skips));
            case 1 -> options.failures(trap.guarded(skips.retry(2, Duration.ofNanos(random.nextInt(1_000)))));
            default -> {
                boolean total = random.nextBoolean();
                StageOptions limited = options.failures(trap.guarded(skips.retry(3, Duration.ZERO)))
                        .deadline(HANGS);
                yield total ? limited.totalDeadline(HANGS.multipliedBy(100)) : limited;
            }
        };
    }

    /// A function that has trouble with some items at first: it fails, or hangs until it is interrupted.
    private StageFunction<Tracker.Item, Tracker.Item> troubled(
            int salt, StageFunction<Tracker.Item, Tracker.Item> function) {
        int kind = troubles;
        Set<Tracker.Item> seen = ConcurrentHashMap.newKeySet();
        return item -> {
            if (kind == 1 && hit(item.id(), salt + 50, 4) && seen.add(item)) {
                throw new IllegalStateException("not at once");
            }
            if (kind == 2 && hit(item.id(), salt + 50, 1_000) && seen.add(item)) {
                new CountDownLatch(1).await();
            }
            return function.apply(item);
        };
    }

    /// What an asynchronous call brings after the run has ended is closed then.
    void awaitCallsThatWereGivenUp() {
        late.forEach(Runnable::run);
        if (!SOMEBODY_ELSE.awaitQuiescence(30, TimeUnit.SECONDS)) {
            throw new AssertionError("asynchronous calls go on after 30 s");
        }
    }

    private static Tracker.Item dawdled(Tracker.Item item) {
        if (hit(item.id(), 99, 5)) {
            Runs.dawdle(10);
        }
        return item;
    }

    private static Tracker.Item failOn(boolean bad, Tracker.Item item) {
        if (bad) {
            throw new IllegalStateException("injected failure of " + item.id());
        }
        return item;
    }

    /// Fails for some items, which the run's policy skips.
    private static Tracker.Item stumbled(Tracker.Item item, int salt) {
        return failOn(stumbles(item.id(), salt), item);
    }

    private static boolean stumbles(long id, int salt) {
        return hit(id, salt + 30, 23);
    }

    private static long parts(long id, int salt) {
        return Math.floorMod(mixed(id, salt), 4);
    }

    private static boolean hit(long id, int salt, int oneIn) {
        return Math.floorMod(mixed(id, salt), oneIn) == 0;
    }

    private static int mixed(long id, int salt) {
        long hash = (id * 31 + salt) * 0x9E3779B97F4A7C15L;
        return (int) (hash >>> 40);
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
