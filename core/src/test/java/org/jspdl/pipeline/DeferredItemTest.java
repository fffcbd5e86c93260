package org.jspdl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspdl.source.Samplers;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// In input order with deferral, others pass an item that is late, but only where no more of them fit.
class DeferredItemTest {
    private static final int PATIENCE_SECONDS = 30;
    private static final int ITEMS = 400;
    private static final int BUFFER = 3;
    private static final Duration SOON = Duration.ofMillis(20);
    private static final Duration NEVER = Duration.ofDays(1);

    /// Items 3 and 5 end when this many of the others were delivered.
    private static final class Late {
        private final CountDownLatch delivered;

        Late(int others) {
            this.delivered = new CountDownLatch(others);
        }

        long pass(long item) throws InterruptedException {
            if ((item == 3 || item == 5) && !delivered.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException(delivered.getCount() + " items were not delivered behind a late one");
            }
            return item;
        }
    }

    private static StageOptions workers(String placement, Duration after) {
        StageOptions options = switch (placement) {
            case "io" -> StageOptions.io(4);
            case "cpu" -> StageOptions.cpu(4);
            default -> StageOptions.async(4);
        };
        return options.buffer(BUFFER).defer(after);
    }

    private static Pipeline<Long> pipeline(Late late, String placement, Duration after) {
        Pipeline<Long> numbers = Pipeline.from(Samplers.sequential(ITEMS));
        Pipeline<Long> worked = placement.equals("async")
                ? numbers.pipeAsync(
                        "work",
                        item -> item == 3 || item == 5
                                ? CompletableFuture.supplyAsync(() -> {
                                    try {
                                        return late.pass(item);
                                    } catch (InterruptedException stop) {
                                        throw new IllegalStateException(stop);
                                    }
                                })
                                : CompletableFuture.completedStage(item),
                        workers(placement, after))
                : numbers.pipe("work", late::pass, workers(placement, after));
        return worked.prefetch(BUFFER);
    }

    private static RunOptions options() {
        return RunOptions.defaults().computeThreads(4);
    }

    private static List<Long> delivered(Run<Long> run, Late late) {
        List<Long> delivered = new ArrayList<>();
        for (long item : run) {
            delivered.add(item);
            late.delivered.countDown();
        }
        return delivered;
    }

    @ParameterizedTest
    @ValueSource(strings = {"io", "cpu", "async"})
    void othersPassLateItemsWhichComeWhenTheyAreThere(String placement) {
        int others = 100;
        Late late = new Late(others);
        List<Long> delivered;
        try (Run<Long> run = pipeline(late, placement, SOON).start(options())) {
            delivered = delivered(run, late);
        }

        assertThat(delivered).containsExactlyInAnyOrderElementsOf(Runs.numbers(0, ITEMS));
        assertThat(delivered.subList(0, others)).doesNotContain(3L, 5L);
        assertThat(delivered.stream().filter(item -> item != 3 && item != 5)).isSorted();
    }

    @ParameterizedTest
    @ValueSource(strings = {"io", "cpu"})
    void nothingPassesBeforeTheTimeIsOver(String placement) {
        Late late = new Late(3);

        try (Run<Long> run = pipeline(late, placement, NEVER).start(options())) {
            assertThat(delivered(run, late)).isEqualTo(Runs.numbers(0, ITEMS));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"io", "cpu"})
    void whereAByteBudgetIsWhatIsFullOthersPassToo(String placement) {
        int others = 100;
        Late late = new Late(others);
        StageOptions growing = placement.equals("io") ? StageOptions.io(4) : StageOptions.cpu(4);
        Pipeline<Long> pipeline =
                Pipeline.from(Samplers.sequential(ITEMS)).pipe("work", late::pass, growing.defer(SOON));
        List<Long> delivered;
        try (Run<Long> run = pipeline.start(options().byteBudget(new ByteBudget(20, 1)))) {
            delivered = delivered(run, late);
            assertThat(run.stats().budget().admittedBeyond()).isZero();
        }

        assertThat(delivered).containsExactlyInAnyOrderElementsOf(Runs.numbers(0, ITEMS));
        assertThat(delivered.subList(0, others)).doesNotContain(3L, 5L);
    }

    @Test
    void epochsKeepWhatIsLateAndARunGoesOnWithIt() {
        Late late = new Late(50);
        Pipeline<Long> pipeline = pipeline(late, "io", SOON);
        List<Long> first = new ArrayList<>();
        Checkpoint checkpoint;
        try (Run<Long> run = pipeline.start(options().epochs(2))) {
            var items = run.iterator();
            while (first.size() < 40) {
                first.add(items.next());
            }
            checkpoint = run.checkpoint();
        }
        assertThat(first).doesNotContain(3L, 5L);
        Late none = new Late(0);
        List<Long> rest = new ArrayList<>();
        List<Long> second;
        try (Run<Long> run =
                pipeline(none, "cpu", SOON).start(options().epochs(2).resumeFrom(checkpoint))) {
            run.forEach(rest::add);
            run.nextEpoch();
            second = delivered(run, none);
        }

        rest.addAll(first);
        assertThat(rest).containsExactlyInAnyOrderElementsOf(Runs.numbers(0, ITEMS));
        assertThat(second).containsExactlyInAnyOrderElementsOf(Runs.numbers(0, ITEMS));
    }

    @Test
    void aLateItemThatFailsIsSkippedAloneOrEndsTheRun() {
        for (boolean skips : new boolean[] {true, false}) {
            Late late = new Late(100);
            Pipeline<Long> pipeline = Pipeline.from(Sources.range(ITEMS))
                    .pipe(
                            "work",
                            item -> {
                                if (late.pass(item) == 5) {
                                    throw new IllegalArgumentException("five");
                                }
                                return item;
                            },
                            workers("io", SOON))
                    .prefetch(BUFFER);
            RunOptions how = skips ? options().failures(FailurePolicy.skip(1)) : options();
            try (Run<Long> run = pipeline.start(how)) {
                if (skips) {
                    assertThat(delivered(run, late)).hasSize(ITEMS - 1).doesNotContain(5L);
                } else {
                    assertThatThrownBy(() -> delivered(run, late)).hasMessageContaining("five");
                }
            }
        }
    }

    @Test
    void aRunCanBeClosedWhileItemsAreLate() {
        Late late = new Late(60);
        try (Run<Long> run = pipeline(late, "io", SOON).start(options())) {
            var items = run.iterator();
            for (int i = 0; i < 50; i++) {
                items.next();
            }
        }
    }

    @Test
    void whatTimeDecidesIsNotTakenForAnOrder() {
        Pipeline<Long> deferring = pipeline(new Late(0), "io", SOON);

        assertThatThrownBy(deferring::requireSameOrder).hasMessageContaining("lets others pass items that are late");
        assertThatThrownBy(() -> deferring.checkpointAt(3, RunOptions.defaults()))
                .hasMessageContaining("lets others pass items that are late");
        assertThat(StageOptions.io(4).defer(SOON).inputOrder().isTimed()).isFalse();
        assertThatThrownBy(() -> Pipeline.from(Sources.range(3))
                        .flatMap(
                                "parts",
                                item -> List.of(item),
                                StageOptions.io(2).defer(SOON)))
                .hasMessageContaining("can't defer late items");
    }
}
