package org.jspdl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jspdl.pipeline.Remainder.KEEP;
import static org.jspdl.pipeline.StageOptions.cpu;
import static org.jspdl.pipeline.StageOptions.io;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspdl.source.Samplers;
import org.junit.jupiter.api.Test;

/// Elements of batches that were skipped in the sub-chains of a route, and what failed behind one, run again.
class ReplayOfElementsTest {
    private final AtomicBoolean mended = new AtomicBoolean();
    private final Tracker tracker = new Tracker();

    /// Fails with the item in its message, so that a replay that fails for another element is found out.
    private <T> T fail(boolean fails, T item) {
        if (fails && !mended.get()) {
            throw new IllegalStateException("cannot use " + item);
        }
        return item;
    }

    private static <T> List<FailedItem> skippedBy(Pipeline<T> pipeline) {
        ConcurrentLinkedQueue<FailedItem> skipped = new ConcurrentLinkedQueue<>();
        try (Run<T> run = pipeline.start(RunOptions.defaults()
                .epochs(2)
                .seed(5)
                .failures(FailurePolicy.skip(1_000).quarantine(skipped::add)))) {
            do {
                run.forEach(item -> {});
            } while (run.nextEpoch());
        }
        List<FailedItem> items = new ArrayList<>();
        skipped.forEach(item -> items.add(FailedItem.parse(item.toJson())));
        return items;
    }

    private List<Replayed> replayed(Pipeline<?> pipeline, List<FailedItem> items) {
        return Pipelines.replay(pipeline, items, RunOptions.defaults().seed(5));
    }

    /// Batches of which most have several elements that fail, in two ways and at two stages of one of them.
    private Pipeline<List<String>> recipe() {
        Pipeline<List<Long>> batches = Pipeline.from(Samplers.shuffled(60, 3))
                .pipe("read", item -> item, cpu(3))
                .batch(5, KEEP);
        return Pipeline.<Long, String>routeElements(batches, "kind", item -> item % 3)
                .when(
                        0L,
                        way -> way.map(item -> item)
                                .pipe("decode", item -> fail(item % 2 == 0, item), cpu(2))
                                .pipeSeeded("augment", this::augmented, io(2)))
                .when(
                        1L,
                        way -> way.pipe("decode", item -> fail(item % 4 == 0, item), cpu(2))
                                .map(String::valueOf))
                .otherwise(way -> way.filter(item -> item % 5 != 0).map(String::valueOf))
                .merge();
    }

    private String augmented(Long item, java.util.random.RandomGenerator random) {
        return fail(item % 9 == 0, item + " turned by " + random.nextInt(360));
    }

    @Test
    void eachElementFailsAgainInTheSameStageForItsOwnReason() {
        Pipeline<List<String>> pipeline = recipe();
        List<FailedItem> items = skippedBy(pipeline);

        assertThat(items).extracting(FailedItem::stage).contains("decode", "decode-2", "augment");
        assertThat(replayed(pipeline, items)).allSatisfy(again -> {
            assertThat(again.results()).isEmpty();
            assertThat(again.item().cause().getMessage())
                    .endsWith(again.failure().orElseThrow().getMessage());
        });
    }

    @Test
    void aMendedStageReturnsTheElementAloneAsItWouldHaveInItsBatch() {
        Pipeline<List<String>> pipeline = recipe();
        List<FailedItem> items = skippedBy(pipeline);
        mended.set(true);

        assertThat(replayed(pipeline, items)).isNotEmpty().allSatisfy(again -> {
            assertThat(again.failure()).isEmpty();
            String cause = String.valueOf(again.item().cause().getMessage());
            // With the same randomness, which is in the message.
            assertThat(again.results())
                    .singleElement()
                    .hasToString(cause.substring(cause.indexOf("cannot use ") + "cannot use ".length()));
        });
    }

    @Test
    void theOtherElementsOfItsBatchAreClosed() {
        Pipeline<List<Tracker.Item>> batches = Pipeline.from(Samplers.sequential(12))
                .pipe("read", tracker::item, cpu(2).inputOrder())
                .batch(4, KEEP);
        Pipeline<Tracker.Item> pipeline = Pipeline.<Tracker.Item, Tracker.Item>routeElements(
                        batches, "parity", item -> item.id() % 2)
                .when(0L, way -> way.pipe("even", item -> fail(item.id() % 4 == 2, item), cpu(2)))
                .otherwise(way -> way)
                .merge()
                .unbatch(batch -> batch);
        ConcurrentLinkedQueue<FailedItem> skipped = new ConcurrentLinkedQueue<>();
        try (Run<Tracker.Item> run = pipeline.start(
                RunOptions.defaults().failures(FailurePolicy.skip(1_000).quarantine(skipped::add)))) {
            run.forEach(Tracker.Item::close);
        }
        mended.set(true);

        List<Replayed> again = replayed(pipeline, List.copyOf(skipped));

        assertThat(again).hasSize(3).allSatisfy(replayed -> {
            assertThat(replayed.item().element()).hasValue(2);
            Tracker.Item item = (Tracker.Item) replayed.results().getFirst();
            assertThat(item.id() % 4).isEqualTo(2);
            item.close();
        });
        tracker.assertEachClosedOnce();
    }

    @Test
    void aBatchThatFailedBehindTheRouteGoesThroughItWhole() {
        Pipeline<List<Long>> batches = Pipeline.from(Samplers.shuffled(60, 3)).batch(5, KEEP);
        Pipeline<List<Long>> pipeline = Pipeline.<Long, Long>routeElements(batches, "parity", item -> item % 2)
                .when(0L, way -> way.pipe("double", item -> 2 * item, cpu(2)))
                .otherwise(way -> way.filter(item -> item % 5 != 0))
                .merge()
                .pipe("stack", batch -> fail(batch.contains(7L) || batch.contains(8L), batch), cpu(2));
        List<FailedItem> items = skippedBy(pipeline);
        List<Replayed> failing = replayed(pipeline, items);
        mended.set(true);

        assertThat(items).isNotEmpty().extracting(FailedItem::element).containsOnly(OptionalInt.empty());
        assertThat(failing)
                .allSatisfy(again -> assertThat(again.item().cause().getMessage())
                        .endsWith(again.failure().orElseThrow().getMessage()));
        assertThat(replayed(pipeline, items))
                .allSatisfy(again -> assertThat(again.results())
                        .singleElement()
                        .hasToString(again.item().input()));
    }
}
