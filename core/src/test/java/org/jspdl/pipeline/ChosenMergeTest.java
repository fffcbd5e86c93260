package org.jspdl.pipeline;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.pipeline.Runs.deliveries;
import static org.jspdl.pipeline.Runs.numbers;
import static org.jspdl.pipeline.StageOptions.cpu;
import static org.jspdl.pipeline.StageOptions.io;

import java.util.List;
import java.util.NoSuchElementException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Merges whose order the user's code chooses.
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ChosenMergeTest {
    /// The least of the next items.
    static final MergePolicy<Long> SORTED = MergePolicy.of(inputs -> {
        int least = MergePolicy.END;
        for (int i = 0; i < inputs.count(); i++) {
            if (inputs.hasNext(i) && (least < 0 || inputs.peek(i) < inputs.peek(least))) {
                least = i;
            }
        }
        return least;
    });

    /// Every `step`th number from `first` to before `end`.
    private static Pipeline<Long> every(long step, long first, long end) {
        return Pipeline.from(Sources.range((end - first + step - 1) / step)).map(item -> first + step * item);
    }

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#all")
    void sortedPipelinesBecomeOneSortedPipelineInEveryEpoch(Setting setting) {
        Pipeline<Long> pipeline = Pipeline.merge(
                "sorted",
                SORTED,
                every(3, 0, 90).pipe("a", item -> item, setting.options().inputOrder()),
                every(3, 1, 60),
                every(3, 2, 90).filter(item -> item % 2 == 0),
                Pipeline.from(Sources.range(0)));
        List<Long> sorted = numbers(0, 90).stream()
                .filter(item -> item % 3 == 0 || (item % 3 == 1 && item < 60) || (item % 3 == 2 && item % 2 == 0))
                .toList();

        assertThat(Runs.epochs(pipeline, RunOptions.defaults().epochs(3))).containsExactly(sorted, sorted, sorted);
    }

    @Test
    void aStateDecidesWhoseTurnItIs() {
        Pipeline<String> letters = Pipeline.from(List.of("a", "b", "c", "d"));
        Pipeline<String> digits = Pipeline.from(List.of("1", "2", "3", "4", "5", "6", "7", "8"));
        MergePolicy<String> twoDigitsForALetter =
                MergePolicy.stateful(() -> new int[1], (turn, inputs) -> turn[0]++ % 3 == 0 ? 0 : 1);

        assertThat(Runs.epochs(
                        Pipeline.merge("2:1", twoDigitsForALetter, letters, digits),
                        RunOptions.defaults().epochs(2)))
                .allSatisfy(epoch -> assertThat(String.join("", epoch)).isEqualTo("a12b34c56d78"));
    }

    @Test
    void theNumberOfItemsTakenAndTheEpochAreKnown() {
        MergePolicy<Long> alternating =
                MergePolicy.of(inputs -> (int) ((inputs.taken() + inputs.epoch()) % inputs.count()));
        Pipeline<Long> pipeline =
                Pipeline.merge("alternating", alternating, Pipeline.from(Sources.range(3)), every(1, 100, 103));

        assertThat(Runs.epochs(pipeline, RunOptions.defaults().epochs(2)))
                .containsExactly(List.of(0L, 100L, 1L, 101L, 2L, 102L), List.of(100L, 0L, 101L, 1L, 102L, 2L));
    }

    @Test
    void aPolicyMayEndTheEpochAndTheNextBeginsAnew() {
        MergePolicy<Long> five = MergePolicy.of(inputs -> inputs.taken() == 5 ? MergePolicy.END : 1);
        Pipeline<Long> pipeline = Pipeline.merge(
                "five",
                five,
                Pipeline.from(Sources.range(1_000_000)),
                Pipeline.from(Sources.range(Long.MAX_VALUE)).pipe("endless", item -> item, cpu(2).inputOrder()));

        assertThat(Runs.epochs(pipeline, RunOptions.defaults().epochs(3)))
                .containsExactly(numbers(0, 5), numbers(0, 5), numbers(0, 5));
    }

    @Test
    void whatIsLookedAtAndNotTakenIsClosed() {
        Tracker tracker = new Tracker();
        Pipeline<Tracker.Item> items = Pipeline.from(Sources.range(50)).map(tracker::item);
        MergePolicy<Tracker.Item> onlyTheFirst = MergePolicy.of(inputs -> {
            inputs.peek(1);
            return inputs.taken() == 10 ? MergePolicy.END : 0;
        });
        Pipeline<Tracker.Item> pipeline = Pipeline.merge("first", onlyTheFirst, items, items);

        for (List<Tracker.Item> epoch :
                Runs.epochs(pipeline, RunOptions.defaults().epochs(2))) {
            assertThat(epoch).extracting(Tracker.Item::id).isEqualTo(numbers(0, 10));
            epoch.forEach(Tracker.Item::close);
        }
        try (Run<Tracker.Item> run = pipeline.start()) {
            Runs.take(run, 3).forEach(Tracker.Item::close);
        }
        tracker.assertEachClosedOnce();
    }

    @Test
    void anEpochThatTheConsumerLeavesSurprisesNoPolicy() {
        MergePolicy<Long> without = MergePolicy.of(inputs -> inputs.peek(0) <= inputs.peek(1) ? 0 : 1);
        Pipeline<Long> pipeline = Pipeline.merge(
                "unchecked",
                without,
                Pipeline.from(Sources.range(Long.MAX_VALUE)),
                Pipeline.from(Sources.range(Long.MAX_VALUE)));
        try (Run<Long> run = pipeline.start(RunOptions.defaults().epochs(20))) {
            do {
                assertThat(Runs.take(run, 4)).containsExactly(0L, 0L, 1L, 1L);
            } while (run.nextEpoch());
            assertThat(run.epoch()).isEqualTo(19);
        }
    }

    @Test
    void aFailureOfThePolicyIsThatOfTheItemItHasLookedAtLast() {
        Queue<FailedItem> told = new ConcurrentLinkedQueue<>();
        Tracker tracker = new Tracker();
        MergePolicy<Tracker.Item> picky = MergePolicy.of(inputs -> {
            for (int i = 0; i < 2; i++) {
                if (inputs.hasNext(i)) {
                    if (inputs.peek(i).id() % 10 == 7) {
                        throw new IllegalStateException("seven");
                    }
                    return i;
                }
            }
            return MergePolicy.END;
        });
        Pipeline<Tracker.Item> pipeline = Pipeline.merge(
                "picky",
                picky,
                Pipeline.from(Sources.range(20)).map(tracker::item),
                every(1, 20, 30).map(tracker::item));

        List<Tracker.Item> delivered = deliveries(
                pipeline, RunOptions.defaults().failures(FailurePolicy.skip(3).quarantine(told::add)));

        assertThat(delivered)
                .extracting(Tracker.Item::id)
                .isEqualTo(
                        numbers(0, 30).stream().filter(item -> item % 10 != 7).toList());
        assertThat(told).hasSize(3).allSatisfy(item -> {
            assertThat(item.stage()).isEqualTo("picky");
            assertThat(item.cause()).hasMessage("seven");
        });
        delivered.forEach(Tracker.Item::close);
        assertThatThrownBy(() -> deliveries(pipeline.map(Tracker.Item::replaced)))
                .isInstanceOf(PipelineException.class)
                .hasMessageContaining("stage 'picky'")
                .hasMessageContaining("index 7")
                .hasMessageContaining("seven");
        assertThat(tracker.items()).filteredOn(item -> item.timesClosed() > 1).isEmpty();
    }

    static Stream<MergePolicy<Long>> broken() {
        return Stream.of(
                MergePolicy.of(inputs -> {
                    throw new IllegalStateException("nothing looked at");
                }),
                MergePolicy.of(inputs -> 2),
                MergePolicy.of(inputs -> -2),
                MergePolicy.of(inputs -> inputs.hasNext(5) ? 0 : 1),
                MergePolicy.<Long, Long>stateful(() -> null, (state, inputs) -> 0),
                MergePolicy.<Long, Long>stateful(() -> 1L, (state, inputs) -> 0, state -> null, Long::valueOf));
    }

    @ParameterizedTest
    @MethodSource("broken")
    void aPolicyThatCannotBeFollowedEndsTheRun(MergePolicy<Long> policy) {
        Pipeline<Long> pipeline =
                Pipeline.merge("broken", policy, Pipeline.from(Sources.range(3)), Pipeline.from(Sources.range(3)));

        assertThatThrownBy(() -> deliveries(pipeline, RunOptions.defaults().failures(FailurePolicy.skip(100))))
                .isInstanceOf(PipelineException.class)
                .hasMessageContaining("stage 'broken'");
    }

    @Test
    void aPipelineThatHasEndedIsPassedOverForTheNext() {
        Pipeline<Long> pipeline = Pipeline.merge(
                "alternating",
                MergePolicy.of(inputs -> (int) (inputs.taken() % 3)),
                every(1, 0, 2),
                Pipeline.from(Sources.range(0)),
                every(1, 10, 15));

        assertThat(deliveries(pipeline)).containsExactly(0L, 10L, 11L, 1L, 12L, 13L, 14L);
    }

    @Test
    void nothingToPeekAtIsAnException() {
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        MergePolicy<Long> peeking = MergePolicy.of(inputs -> {
            try {
                inputs.peek(0);
            } catch (NoSuchElementException expected) {
                thrown.set(expected);
            }
            return 1;
        });

        assertThat(deliveries(Pipeline.merge("peeking", peeking, Pipeline.from(Sources.range(0)), every(1, 0, 1))
                        .take(1)))
                .containsExactly(0L);
        assertThat(thrown.get()).hasMessageContaining("pipeline 0 of stage 'peeking' has no more items in epoch 0");
    }

    @Test
    void theInputsAreOfNoUseAfterwards() {
        AtomicReference<MergeInputs<Long>> kept = new AtomicReference<>();
        Pipeline<Long> pipeline = Pipeline.merge(
                "keeping",
                MergePolicy.of(inputs -> {
                    kept.set(inputs);
                    return inputs.taken() == 0 ? 0 : MergePolicy.END;
                }),
                Pipeline.from(Sources.range(3)));

        assertThat(deliveries(pipeline)).containsExactly(0L);
        assertThatThrownBy(() -> requireNonNull(kept.get()).hasNext(0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("not asking");
    }

    @Test
    void aPolicyMayTakeWhatIsThere() {
        Gate second = new Gate();
        Pipeline<Long> late = Pipeline.from(Sources.range(3)).pipe("late", second::pass, io(1));
        MergePolicy<Long> whatIsThere = MergePolicy.of(MergeInputs::awaitAny);
        try (Run<Long> run = Pipeline.merge("there", whatIsThere, late, every(1, 10, 13))
                .start(RunOptions.defaults().epochs(2))) {
            assertThat(Runs.take(run, 3)).containsExactly(10L, 11L, 12L);
            second.open();
            assertThat(Runs.take(run, 9)).containsExactly(0L, 1L, 2L);
            assertThat(run.nextEpoch()).isTrue();
            assertThat(Runs.take(run, 9)).containsExactlyInAnyOrder(0L, 1L, 2L, 10L, 11L, 12L);
        }
    }

    @Test
    void aPolicyMayPreferAPipelineWhileItHasItems() {
        Gate first = new Gate();
        Pipeline<Long> preferred = Pipeline.from(Sources.range(2)).pipe("preferred", first::pass, io(1));
        MergePolicy<Long> preferring = MergePolicy.of(inputs -> inputs.isReady(0) ? 0 : inputs.awaitAny());
        try (Run<Long> run = Pipeline.merge("preferring", preferring, preferred, every(1, 10, 1_000_000))
                .prefetch(1)
                .start()) {
            assertThat(Runs.take(run, 3)).containsExactly(10L, 11L, 12L);
            first.open();
            awaitMadeOf(run, "preferred", 2);
            assertThat(Runs.take(run, 20)).contains(0L, 1L);
        }
    }

    /// Waits until `items` of a stage lie in the queue behind it, or were taken from there.
    private static void awaitMadeOf(Run<?> run, String stage, int items) {
        while (run.stats().links().stream()
                .noneMatch(link -> link.name().equals(stage) && link.size() + link.passed() >= items)) {
            Thread.onSpinWait();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 10, 25, 100})
    void aByteBudgetStopsNoMergeThatTakesWhatIsThere(long bytes) {
        Pipeline<Long> light = every(2, 0, 200).weigh(item -> 1).pipe("light", item -> item, cpu(2));
        Pipeline<Long> heavy = every(2, 1, 200).weigh(item -> 10).pipe("heavy", item -> item, cpu(2));
        RunOptions options = RunOptions.defaults().epochs(2).byteBudget(new ByteBudget(bytes, 0));
        Pipeline<Long> merged = Pipeline.merge("there", MergePolicy.of(MergeInputs::awaitAny), light, heavy, light);

        assertThat(Runs.epochs(Pipeline.roundRobin(StoppingStrategy.ALL_EXHAUSTED, merged, heavy), options))
                .hasSize(2)
                .allSatisfy(epoch -> assertThat(epoch).hasSize(400));
    }

    @Test
    void aByteBudgetIsNotExceededForAPipelineThatHasEndedItsEpoch() {
        Pipeline<Long> few = Pipeline.from(Sources.range(1)).weigh(item -> 10);
        Pipeline<Long> many = Pipeline.from(Sources.range(60)).weigh(item -> 10);
        RunOptions options = RunOptions.defaults().epochs(40).byteBudget(new ByteBudget(20, 10));

        try (Run<Long> run = Pipeline.merge("there", MergePolicy.of(MergeInputs::awaitAny), few, many)
                .start(options)) {
            do {
                assertThat(run).hasSize(61);
            } while (run.nextEpoch());
            assertThat(run.stats().budget().peakBytes()).isLessThanOrEqualTo(20 + 2 * 10);
        }
    }

    @Test
    void aRunThatWaitsForAnyCanBeClosed() throws InterruptedException {
        Gate never = new Gate();
        Pipeline<Long> stuck = Pipeline.from(Sources.range(3)).pipe("stuck", never::pass, io(1));
        try (Run<Long> run = Pipeline.merge("there", MergePolicy.of(MergeInputs::awaitAny), stuck, stuck)
                .start()) {
            never.awaitArrivals(2);
            assertThat(run.stats().delivered()).isZero();
        }
    }

    @Test
    void aRunThatWaitsForAChoiceCanBeClosed() throws InterruptedException {
        CountDownLatch waits = new CountDownLatch(1);
        Gate never = new Gate();
        Pipeline<Long> stuck = Pipeline.from(Sources.range(3)).pipe("stuck", never::pass, io(1));
        MergePolicy<Long> patient = MergePolicy.of(inputs -> {
            waits.countDown();
            return inputs.peek(0) > 0 ? 0 : 1;
        });
        try (Run<Long> run = Pipeline.merge("patient", patient, stuck, Pipeline.from(Sources.range(3)))
                .start()) {
            waits.await();
            assertThat(run.stats().delivered()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 10, 25, 100})
    void aByteBudgetStopsNoMergeThatWaitsForTheNextOfEach(long bytes) {
        Pipeline<Long> light = every(2, 0, 200).weigh(item -> 1).pipe("light", item -> item, cpu(2).inputOrder());
        Pipeline<Long> heavy = every(2, 1, 200).weigh(item -> 10).pipe("heavy", item -> item, cpu(2).inputOrder());
        RunOptions options = RunOptions.defaults().epochs(2).byteBudget(new ByteBudget(bytes, 0));

        assertThat(Runs.epochs(Pipeline.merge("sorted", SORTED, light, heavy, light), options))
                .hasSize(2)
                .allSatisfy(epoch -> assertThat(epoch).hasSize(300).isSorted());
    }
}
