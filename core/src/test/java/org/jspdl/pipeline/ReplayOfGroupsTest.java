package org.jspdl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.pipeline.Remainder.DROP;
import static org.jspdl.pipeline.Remainder.KEEP;
import static org.jspdl.pipeline.StageOptions.cpu;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Gatherers;
import org.jspdl.source.Samplers;
import org.junit.jupiter.api.Test;

/// Items that were grouped, routed or merged before they failed, run again.
class ReplayOfGroupsTest {
    private final AtomicBoolean mended = new AtomicBoolean();

    private <T> T fail(boolean fails, T item) {
        if (fails && !mended.get()) {
            throw new IllegalStateException("cannot use " + item);
        }
        return item;
    }

    private Long failWhenMended(Long item) {
        if (mended.get()) {
            throw new IllegalStateException("replayed beyond the stage that had failed: " + item);
        }
        return item;
    }

    /// Runs `pipeline` with every failure skipped, then replays each: first as it is, then mended.
    private <T> List<FailedItem> replayedTwice(Pipeline<T> pipeline) {
        ConcurrentLinkedQueue<FailedItem> skipped = new ConcurrentLinkedQueue<>();
        try (Run<T> run = pipeline.start(RunOptions.defaults()
                .seed(11)
                .failures(FailurePolicy.skip(1_000).quarantine(skipped::add)))) {
            run.forEach(item -> {});
        }
        List<FailedItem> items = new ArrayList<>();
        skipped.forEach(item -> items.add(FailedItem.parse(item.toJson())));
        List<Replayed> failing =
                Pipelines.replay(pipeline, items, RunOptions.defaults().seed(11));
        mended.set(true);
        List<Replayed> passing =
                Pipelines.replay(pipeline, items, RunOptions.defaults().seed(11));

        assertThat(items).isNotEmpty();
        assertThat(failing)
                .allSatisfy(again -> assertThat(again.item().cause().getMessage())
                        .endsWith(again.failure().orElseThrow().getMessage()));
        assertThat(passing).allSatisfy(again -> {
            assertThat(again.failure()).isEmpty();
            assertThat(again.results()).singleElement().hasToString(again.item().input());
        });
        return items;
    }

    private Pipeline<Long> numbers() {
        return Pipeline.from(Samplers.shuffled(60, 3)).pipe("decode", item -> item, cpu(3));
    }

    @Test
    void aGroupOfAGathererIsFormedAgainFromItsOwnMembers() {
        Pipeline<List<Long>> pipeline = numbers()
                .filter(item -> item % 4 != 1)
                .aggregate("window", Gatherers.windowFixed(4), GathererState.emptyAfterEmission())
                .pipe("stack", window -> fail(window.contains(7L) || window.contains(8L), window), cpu(2));

        assertThat(replayedTwice(pipeline))
                .allSatisfy(item -> assertThat(item.groups()).contains("\"window\""));
    }

    @Test
    void groupsOfGroupsAreFormedAgainAsTheyWere() {
        Pipeline<List<List<Long>>> pipeline = numbers()
                .batch(3, DROP)
                .pipe("inner", batch -> batch, cpu(3))
                .batch(3, KEEP)
                .pipe("outer", batch -> fail(batch.toString().contains("7"), batch), cpu(2));

        assertThat(replayedTwice(pipeline))
                .allSatisfy(item -> assertThat(item.groups()).contains("\"batch(3)\"", "\"batch(3)-2\""));
    }

    @Test
    void aRoutedItemTakesItsWayAgainUpToTheStageWhereItFailed() {
        Pipeline<Long> pipeline = numbers()
                .route("kind", item -> item % 3)
                .when(0L, way -> way.map(item -> item).pipe("work", item -> fail(item % 2 == 0, item), cpu(2)))
                .when(1L, way -> way.batch(2, KEEP).unbatch(batch -> batch))
                .otherwise(way -> way.map(item -> item)
                        .pipe("work", item -> fail(item % 4 == 0, item), cpu(2))
                        .pipe("beyond", this::failWhenMended, cpu(1)))
                .merge();

        assertThat(replayedTwice(pipeline)).extracting(FailedItem::stage).contains("work", "work-2");
    }

    @Test
    void anItemBehindARouteIsReplayedThroughIt() {
        Pipeline<Long> pipeline = numbers()
                .route("parity", item -> item % 2)
                .when(0L, way -> way.pipe("even", item -> item, cpu(2)))
                .otherwise(way -> way.pipe("odd", item -> item + 100, cpu(2)))
                .merge()
                .pipe("store", item -> fail(item % 5 == 0, item), cpu(2));

        assertThat(replayedTwice(pipeline)).hasSize(12);
    }

    @Test
    void anItemBehindAMergeIsReadFromItsOwnSourceAlone() {
        Pipeline<Long> second = Pipeline.from(Samplers.shuffled(40, 5))
                .map(item -> item + 1_000)
                .pipe("decode", item -> fail(item % 7 == 0, item), cpu(2));
        Pipeline<List<Long>> pipeline = Pipeline.mix(9, 2, 1)
                .of(StoppingStrategy.FIRST_EXHAUSTED, numbers(), second)
                .batch(3, KEEP)
                .pipe("stack", batch -> fail(batch.size() == 3 && batch.getFirst() % 3 == 0, batch), cpu(2));

        assertThat(replayedTwice(pipeline)).extracting(FailedItem::stage).contains("decode-2", "stack");
    }

    @Test
    void anItemThatItsOwnStageSkipsFailsAgain() {
        ConcurrentLinkedQueue<FailedItem> skipped = new ConcurrentLinkedQueue<>();
        Pipeline<Long> pipeline = Pipeline.from(Samplers.sequential(20))
                .pipe(
                        "decode",
                        item -> fail(item == 9, item),
                        cpu(1).failures(FailurePolicy.skip(5).quarantine(skipped::add)));
        try (Run<Long> run = pipeline.start()) {
            run.forEach(item -> {});
        }

        List<Replayed> again = Pipelines.replay(pipeline, List.copyOf(skipped), RunOptions.defaults());

        assertThat(again)
                .singleElement()
                .satisfies(replayed -> assertThat(replayed.failure()).isPresent());
        assertThat(skipped).hasSize(1);
    }

    @Test
    void whatAGathererEmitsFromMoreThanItsMembersIsRefused() {
        ConcurrentLinkedQueue<FailedItem> skipped = new ConcurrentLinkedQueue<>();
        Pipeline<List<Long>> pipeline = numbers()
                .aggregate("sliding", Gatherers.windowSliding(3), GathererState.unsaved())
                .pipe("stack", window -> fail(window.contains(7L), window), cpu(2));
        try (Run<List<Long>> run = pipeline.start(
                RunOptions.defaults().failures(FailurePolicy.skip(9).quarantine(skipped::add)))) {
            run.forEach(window -> {});
        }

        assertThatThrownBy(() -> Pipelines.replay(pipeline, List.copyOf(skipped), RunOptions.defaults()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("aggregate sliding lies before it")
                .hasMessageContaining("GathererState.emptyAfterEmission()");
    }
}
