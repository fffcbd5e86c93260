package org.jspdl.pipeline;

import static org.jspdl.pipeline.StageOptions.async;
import static org.jspdl.pipeline.StageOptions.cpu;
import static org.jspdl.pipeline.StageOptions.io;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.stream.Gatherer;
import org.jspdl.source.Sources;

/// Every place of a pipeline where code of the user's runs for an item.
///
/// A pipeline for a place counts from 0 to 19 and calls the code once for each number, and nothing else that can fail.
enum UserCodePlace {
    PIPE_IO(code -> numbers().pipe("stage", code::apply, io(2))),
    PIPE_CPU(code -> numbers().pipe("stage", code::apply, cpu(2))),
    PIPE_DEDICATED(code -> numbers().pipe("stage", code::apply, StageOptions.dedicated())),
    PIPE_ON(code -> numbers().pipe("stage", code::apply, StageOptions.on(Setting.THREAD_PER_TASK, 2))),
    PIPE_IN_EPOCH(code -> numbers().pipeInEpoch("stage", (item, epoch) -> code.apply(item), cpu(2))),
    PIPE_SEEDED(code -> numbers().pipeSeeded("stage", (item, random) -> code.apply(item), cpu(2))),
    ASYNC_CALL(code ->
            numbers().pipeAsync("stage", item -> CompletableFuture.completedFuture(code.apply(item)), async(2))),
    ASYNC_RESULT(code ->
            numbers().pipeAsync("stage", item -> CompletableFuture.supplyAsync(() -> code.unchecked(item)), async(2))),
    ASYNC_FLAT_MAP(code -> numbers()
            .flatMapAsync("stage", item -> CompletableFuture.completedFuture(List.of(code.apply(item))), async(2))),
    ELEMENT_OF_PROMISE(code -> numbers()
            .flatMapAsync(
                    "stage", item -> CompletableFuture.completedFuture(Elements.of(lazily(code, item))), async(2))),
    PUBLISHED_ELEMENT(code -> numbers().flatMap("stage", item -> Elements.of(published(code, item)), io(2))),
    MAP_BEHIND_SOURCE(code -> numbers().map(code::apply)),
    FILTER_BEHIND_SOURCE(code -> numbers().filter(item -> code.apply(item) >= 0)),
    WEIGH_BEHIND_SOURCE(code -> numbers().weigh(code::unchecked)),
    MAP_BEHIND_PIPE(code -> numbers().pipe("stage", item -> item, cpu(2)).map(code::apply)),
    FILTER_BEHIND_IO(code -> numbers().pipe("stage", item -> item, io(2)).filter(item -> code.apply(item) >= 0)),
    MAP_BEHIND_ASYNC(code -> numbers()
            .pipeAsync("stage", CompletableFuture::completedFuture, async(2))
            .map(code::apply)),
    MAP_BEHIND_BATCH(code -> numbers().batch(1, Remainder.KEEP).map(batch -> code.apply(batch.getFirst()))),
    FILTER_BEHIND_BATCH(code -> numbers()
            .batch(1, Remainder.KEEP)
            .filter(batch -> code.apply(batch.getFirst()) >= 0)
            .map(List::getFirst)),
    UNBATCH(code -> numbers().unbatch(item -> List.of(code.apply(item)))),
    UNBATCH_ITERATOR(code -> numbers().unbatch(item -> Elements.of(lazily(code, item)))),
    MAP_BEHIND_UNBATCH(
            code -> numbers().batch(3, Remainder.KEEP).unbatch(batch -> batch).map(code::apply)),
    FLAT_MAP(code -> numbers().flatMap("stage", item -> List.of(code.apply(item)), cpu(2))),
    FLAT_MAP_IO_ITERATOR(code -> numbers().flatMap("stage", item -> Elements.of(lazily(code, item)), io(2))),
    FLAT_MAP_ITERATOR(code -> numbers().flatMap("stage", item -> Elements.of(lazily(code, item)), cpu(2))),
    MAP_BEHIND_FLAT_MAP(code -> numbers()
            .batch(3, Remainder.KEEP)
            .flatMap("stage", batch -> batch, cpu(2))
            .map(code::apply)),
    MAP_BEHIND_MERGE(code -> Pipeline.<Long>merge(numbers(), empty()).map(code::apply)),
    MAP_BEHIND_ROUND_ROBIN(code -> Pipeline.<Long>roundRobin(StoppingStrategy.ALL_EXHAUSTED, numbers(), empty())
            .map(code::apply)),
    MAP_BEHIND_MIX(code -> Pipeline.mix(1, 1, 1)
            .<Long>of(StoppingStrategy.ALL_EXHAUSTED, numbers(), empty())
            .map(code::apply)),
    CHOICE_OF_MERGE(code -> Pipeline.merge(
            "stage",
            MergePolicy.<Long>of(inputs -> inputs.hasNext(0) && code.apply(inputs.peek(0)) < 0 ? MergePolicy.END : 0),
            numbers(),
            empty())),
    MAP_BEHIND_EPOCHS(code -> numbers().epochs("stage", new EpochListener() {}).map(code::apply)),
    ROUTE_KEY(code -> numbers()
            .route("stage", item -> code.apply(item) >= 0)
            .<Long>when(true, way -> way.pipe("through", item -> item, cpu(1)))
            .merge()),
    ASYNC_ROUTE_KEY(code -> numbers()
            .routeAsync("stage", item -> CompletableFuture.completedFuture(code.apply(item) >= 0), async(2))
            .<Long>when(true, way -> way.pipe("through", item -> item, cpu(1)))
            .merge()),
    MAP_IN_BRANCH_ENTRY(code -> numbers()
            .route("route", item -> true)
            .<Long>when(true, way -> way.map(code::apply))
            .merge()),
    MAP_BEHIND_ROUTE(code -> numbers()
            .route("route", item -> true)
            .<Long>when(true, way -> way.pipe("through", item -> item, cpu(1)))
            .merge()
            .map(code::apply)),
    ELEMENT_ROUTE_KEY(code -> Pipeline.<Long, Long>routeElements(
                    numbers().batch(3, Remainder.KEEP), "stage", item -> code.apply(item) >= 0)
            .when(true, way -> way)
            .merge()
            .unbatch(batch -> batch)),
    MAP_IN_ELEMENT_BRANCH(code -> Pipeline.<Long, Long>routeElements(
                    numbers().batch(3, Remainder.KEEP), "route", item -> true)
            .when(true, way -> way.map(code::apply))
            .merge()
            .unbatch(batch -> batch)),
    MAP_BEHIND_ELEMENT_ROUTE(code -> Pipeline.<Long, Long>routeElements(
                    numbers().batch(1, Remainder.KEEP), "route", item -> true)
            .when(true, way -> way)
            .merge()
            .map(batch -> code.apply(batch.getFirst()))),
    AGGREGATE(code -> numbers()
            .aggregate(
                    "stage",
                    Gatherer.<Long, Long>ofSequential((_, item, downstream) -> downstream.push(code.unchecked(item))),
                    GathererState.emptyAfterEmission())),
    MAP_BEHIND_AGGREGATE(code -> numbers()
            .aggregate(
                    "stage",
                    Gatherer.<Long, Long>ofSequential((_, item, downstream) -> downstream.push(item)),
                    GathererState.emptyAfterEmission())
            .map(code::apply));

    /// The user's code.
    @FunctionalInterface
    interface Code {
        Long apply(Long item) throws Exception;

        /// As [#apply], where the compiler wants no exception.
        default Long unchecked(Long item) {
            try {
                return apply(item);
            } catch (RuntimeException failure) {
                throw failure;
            } catch (Exception failure) {
                throw sneaky(failure);
            }
        }
    }

    private interface Maker {
        Pipeline<Long> make(Code code);
    }

    private final Maker maker;

    UserCodePlace(Maker maker) {
        this.maker = maker;
    }

    Pipeline<Long> pipeline(Code code) {
        return maker.make(code);
    }

    /// Whether the run's retries apply: to calls of functions, not to what runs behind them.
    boolean retries() {
        return name().startsWith("PIPE") || name().startsWith("ASYNC") || this == FLAT_MAP;
    }

    private static Pipeline<Long> numbers() {
        return Pipeline.from(Sources.range(20));
    }

    private static Pipeline<Long> empty() {
        return Pipeline.from(Sources.range(0));
    }

    private static java.util.Iterator<Long> lazily(Code code, Long item) {
        return List.of(item).stream().map(code::unchecked).iterator();
    }

    /// Publishes what the code makes of the item, or its failure.
    private static Flow.Publisher<Long> published(Code code, Long item) {
        return subscriber -> subscriber.onSubscribe(new Flow.Subscription() {
            @Override
            public void request(long n) {
                try {
                    subscriber.onNext(code.apply(item));
                    subscriber.onComplete();
                } catch (Throwable failure) {
                    subscriber.onError(failure);
                }
            }

            @Override
            public void cancel() {}
        });
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <E extends Throwable> RuntimeException sneaky(Throwable failure) throws E {
        throw (E) failure;
    }
}
