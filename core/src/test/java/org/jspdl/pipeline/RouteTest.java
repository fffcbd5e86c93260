package org.jspdl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.pipeline.Remainder.KEEP;
import static org.jspdl.pipeline.Runs.deliveries;
import static org.jspdl.pipeline.Runs.numbers;
import static org.jspdl.pipeline.StageOptions.cpu;
import static org.jspdl.pipeline.StageOptions.io;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RouteTest {
    private final Pipeline<Long> items = Pipeline.from(Sources.range(60));

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#all")
    void everyItemTakesTheWayOfItsKey(Setting setting) {
        Pipeline<String> pipeline = items.route("kind", item -> item % 3)
                .<String>when(0L, way -> way.pipe("zero", item -> "zero " + item, setting.options()))
                .when(
                        1L,
                        way -> way.map(item -> 10 * item)
                                .pipe("one", item -> "one " + item, setting.options())
                                .pipe("more", item -> item + "!", setting.options()))
                .otherwise(way -> way.map(item -> "two " + item))
                .merge();

        assertThat(deliveries(pipeline))
                .containsExactlyInAnyOrderElementsOf(numbers(0, 60).stream()
                        .map(item -> item % 3 == 0
                                ? "zero " + item
                                : item % 3 == 1 ? "one " + 10 * item + "!" : "two " + item)
                        .toList());
    }

    sealed interface Sample {
        record Image(int width) implements Sample {}

        record Video(int frames) implements Sample {}
    }

    @Test
    void aWayMayNarrowTheTypeOfItsItems() {
        Pipeline<Integer> pipeline = Pipeline.from(
                        List.<Sample>of(new Sample.Image(3), new Sample.Video(40), new Sample.Image(5)))
                .route("kind", Sample::toString)
                .<Sample.Image, Integer>when(Sample.Image.class, way -> way.map(Sample.Image::width))
                .when(Sample.Video.class, way -> way.map(Sample.Video::frames))
                .merge();

        assertThat(deliveries(pipeline)).containsExactlyInAnyOrder(3, 40, 5);
    }

    @Test
    void anItemThatNoWayTakesFailsTheRunWithItsKeyAndTheWays() {
        Pipeline<Long> pipeline = items.route("kind", item -> item)
                .when(0L, way -> way.map(item -> item))
                .when(1L, way -> way.map(item -> item))
                .merge();

        assertThatThrownBy(() -> deliveries(pipeline))
                .isInstanceOf(PipelineException.class)
                .hasMessageContaining("stage 'kind'")
                .hasMessageContaining("key 2")
                .hasMessageContaining("[0, 1]")
                .hasMessageContaining("otherwise");
    }

    @Test
    void aRouterThatThrowsFailsTheRun() {
        Pipeline<Long> pipeline = items.route("kind", RouteTest::noKeyForSeven)
                .when(0L, way -> way.pipe("work", item -> item, cpu(2)))
                .merge();

        assertThatThrownBy(() -> deliveries(pipeline))
                .isInstanceOf(PipelineException.class)
                .hasMessageContaining("stage 'kind'")
                .hasMessageContaining("index 7")
                .hasMessageContaining("no key");
    }

    private static long noKeyForSeven(long item) {
        if (item == 7) {
            throw new IllegalStateException("no key");
        }
        return 0;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 8})
    void aKeyMayComeLater(int calls) {
        Pipeline<String> pipeline = items.routeAsync(
                        "kind",
                        item -> CompletableFuture.supplyAsync(() -> item % 2),
                        StageOptions.async(calls).inputOrder())
                .<String>when(0L, way -> way.pipe("even", item -> "even " + item, cpu(2)))
                .otherwise(way -> way.map(item -> "odd " + item))
                .merge();

        assertThat(Runs.epochs(pipeline, RunOptions.defaults().epochs(2)))
                .hasSize(2)
                .allSatisfy(epoch -> assertThat(epoch)
                        .containsExactlyInAnyOrderElementsOf(numbers(0, 60).stream()
                                .map(item -> (item % 2 == 0 ? "even " : "odd ") + item)
                                .toList())
                        .filteredOn(item -> item.startsWith("odd"))
                        .as("one way in input order")
                        .isEqualTo(numbers(0, 60).stream()
                                .filter(item -> item % 2 == 1)
                                .map(item -> "odd " + item)
                                .toList()));
    }

    @Test
    void aWayOfATypeMayFollowAKeyThatComesLater() {
        Pipeline<Integer> pipeline = Pipeline.from(List.<Sample>of(new Sample.Image(3), new Sample.Video(40)))
                .routeAsync("kind", item -> CompletableFuture.completedFuture("any"), StageOptions.async(2))
                .<Sample.Image, Integer>when(Sample.Image.class, way -> way.map(Sample.Image::width))
                .when(Sample.Video.class, way -> way.map(Sample.Video::frames))
                .merge();

        assertThat(deliveries(pipeline)).containsExactlyInAnyOrder(3, 40);
    }

    @Test
    void aLateKeyThatFailsIsTriedAgainAndItsItemNamed() {
        AtomicInteger calls = new AtomicInteger();
        Pipeline<Long> pipeline = items.routeAsync(
                        "kind",
                        item -> item == 7 && calls.incrementAndGet() < 3
                                ? CompletableFuture.failedFuture(new IllegalStateException("busy"))
                                : CompletableFuture.completedFuture(item == 30 ? null : "way"),
                        StageOptions.async(1)
                                .inputOrder()
                                .failures(FailurePolicy.failFast().retry(3, Duration.ZERO)))
                .<Long>when("way", way -> way.pipe("work", item -> item, cpu(1).inputOrder()))
                .merge();

        assertThatThrownBy(() -> deliveries(pipeline))
                .isInstanceOf(PipelineException.class)
                .hasMessageContaining("stage 'kind'")
                .hasMessageContaining("index 30")
                .hasMessageContaining("the key is null");
        assertThat(calls).hasValue(3);
    }

    @Test
    void itemsThatWaitForTheirKeyOrTheirWayAreClosedWithTheRun() {
        Tracker tracker = new Tracker();
        // Ends when all keys have come: what is still asked for when the run is closed is closed with its key.
        try (ExecutorService keys = Executors.newSingleThreadExecutor()) {
            Pipeline<Tracker.Item> pipeline = items.map(tracker::item)
                    .routeAsync(
                            "kind",
                            item -> CompletableFuture.supplyAsync(() -> item.id() % 2, keys),
                            StageOptions.async(4))
                    .<Tracker.Item>when(0L, way -> way.pipe("work", item -> item, cpu(1)))
                    .otherwise(way -> way.filter(item -> item.id() % 3 == 0))
                    .merge();
            for (int taken : new int[] {0, 1, 20}) {
                try (Run<Tracker.Item> run = pipeline.start()) {
                    Runs.take(run, taken).forEach(Tracker.Item::close);
                }
            }
        }
        tracker.assertEachClosedOnce();
    }

    @Test
    void aWayMayGroupDivideRouteAndWaitForPromises() {
        Pipeline<Long> pipeline = items.route("parity", item -> item % 2)
                .<Long>when(0L, way -> way.batch(7, KEEP).unbatch(batch -> batch))
                .otherwise(way -> way.route("again", item -> item % 3)
                        .<Long>when(
                                0L,
                                inner -> inner.pipeAsync(
                                        "ask", CompletableFuture::completedFuture, StageOptions.async(2)))
                        .otherwise(inner -> inner.flatMap("twice", item -> List.of(item, -item), cpu(2)))
                        .merge())
                .merge();

        assertThat(Runs.epochs(pipeline, RunOptions.defaults().epochs(3)))
                .hasSize(3)
                .allSatisfy(epoch -> assertThat(epoch)
                        .containsExactlyInAnyOrderElementsOf(numbers(0, 60).stream()
                                .flatMap(item ->
                                        item % 2 == 0 || item % 3 == 0 ? Stream.of(item) : Stream.of(item, -item))
                                .toList()));
    }

    @Test
    void aWayThatGetsNothingHoldsUpNothing() {
        Pipeline<Long> pipeline = items.route("all one way", item -> 1)
                .when(0, way -> way.batch(3, KEEP).unbatch(batch -> batch))
                .otherwise(way -> way.pipe("work", item -> item, cpu(2).inputOrder()))
                .merge();

        assertThat(Runs.epochs(pipeline, RunOptions.defaults().epochs(2))).containsOnly(numbers(0, 60));
        assertThat(deliveries(Pipeline.from(Sources.range(0))
                        .route("nothing at all", item -> 1)
                        .when(1, way -> way.pipe("work", item -> item, cpu(2)))
                        .merge()))
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#all")
    void elementsTakeTheirOldPlacesInBatchesThatKeepTheirOrder(Setting setting) {
        Pipeline<List<Long>> batches = items.batch(7, KEEP);
        Pipeline<List<String>> pipeline = Pipeline.<Long, String>routeElements(batches, "kind", item -> item % 3)
                .when(0L, way -> way.pipe("zero", item -> item + "!", setting.options()))
                .when(
                        1L,
                        way -> way.pipe("one", item -> item + "?", setting.options())
                                .pipe("same", item -> item, setting.options()))
                .otherwise(way -> way.filter(item -> item % 5 != 0).map(String::valueOf))
                .merge();

        assertThat(deliveries(pipeline))
                .isEqualTo(deliveries(batches).stream()
                        .map(batch -> batch.stream()
                                .filter(item -> item % 3 != 2 || item % 5 != 0)
                                .map(item -> item + (item % 3 == 0 ? "!" : item % 3 == 1 ? "?" : ""))
                                .toList())
                        .toList());
    }

    /// An element with the key that came for it.
    private record WithKey(long element, long key) {}

    @Test
    void elementsTakeTheWayOfAKeyThatComesLater() {
        Pipeline<List<Long>> batches = Pipeline.from(Sources.range(40)).batch(4, Remainder.KEEP);
        Pipeline<List<WithKey>> withKeys = batches.pipeAsync(
                "keys",
                batch -> CompletableFuture.supplyAsync(() -> batch.stream()
                        .map(element -> new WithKey(element, element % 3))
                        .toList()),
                StageOptions.async(3));
        Pipeline<List<Long>> pipeline = Pipeline.<WithKey, Long>routeElements(withKeys, "kind", WithKey::key)
                .when(0L, way -> way.pipe("zero", each -> each.element() + 1_000, StageOptions.cpu(2)))
                .otherwise(way -> way.map(WithKey::element))
                .merge();

        assertThat(Runs.deliveries(pipeline))
                .containsExactlyInAnyOrderElementsOf(LongStream.range(0, 10)
                        .mapToObj(batch -> LongStream.range(4 * batch, 4 * batch + 4)
                                .mapToObj(element -> element % 3 == 0 ? element + 1_000 : element)
                                .toList())
                        .toList());
    }

    @Test
    void aWayOfElementsThatIsNotOneToOneIsRefusedWithTheStep() {
        Pipeline<List<Long>> batches = items.batch(7, KEEP);
        ElementRoute<Long, List<Long>> route = Pipeline.routeElements(batches, "kind", item -> item % 2);

        assertThatThrownBy(() -> route.when(0L, way -> way.batch(2, KEEP)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must be one-to-one")
                .hasMessageContaining("batch(2)")
                .hasMessageContaining("RouteTest.java");
    }
}
