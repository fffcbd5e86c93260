package org.jspdl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.pipeline.StageOptions.cpu;
import static org.jspdl.pipeline.StageOptions.io;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspdl.source.Samplers;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What user code learns of epochs.
class EpochListenerTest {
    /// Writes down what it is told.
    private static final class Log implements EpochListener {
        final ConcurrentLinkedQueue<String> lines = new ConcurrentLinkedQueue<>();

        @Override
        public void began(long epoch) {
            lines.add("began " + epoch);
        }

        @Override
        public void ended(long epoch, long items) {
            lines.add("ended " + epoch + " after " + items);
        }

        <T> T passed(T item) {
            lines.add("passed");
            return item;
        }

        List<String> withoutPassed() {
            return lines.stream().filter(line -> !line.equals("passed")).toList();
        }
    }

    private final Log log = new Log();

    @Test
    void theMarksStandBetweenTheItemsOfTheirEpochs() {
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(3))
                .pipe("before", item -> item, cpu(4))
                .epochs("marks", log)
                .map(log::passed);

        assertThat(Runs.epochs(pipeline, RunOptions.defaults().epochs(3))).hasSize(3);
        assertThat(log.lines)
                .containsExactly(
                        "began 0",
                        "passed",
                        "passed",
                        "passed",
                        "ended 0 after 3",
                        "began 1",
                        "passed",
                        "passed",
                        "passed",
                        "ended 1 after 3",
                        "began 2",
                        "passed",
                        "passed",
                        "passed",
                        "ended 2 after 3");
    }

    @Test
    void anEpochWithoutItemsBeginsAndEndsToo() {
        assertThat(Runs.epochs(
                        Pipeline.from(Sources.range(9)).filter(item -> false).epochs("marks", log),
                        RunOptions.defaults().epochs(2)))
                .containsExactly(List.of(), List.of());
        assertThat(log.lines).containsExactly("began 0", "ended 0 after 0", "began 1", "ended 1 after 0");
    }

    @Test
    void anEpochThatTheConsumerLeavesEnds() {
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(Long.MAX_VALUE)).epochs("marks", log);
        try (Run<Long> run = pipeline.start(RunOptions.defaults().epochs(3))) {
            do {
                assertThat(Runs.take(run, 5)).hasSize(5);
            } while (run.nextEpoch());
        }
        assertThat(log.withoutPassed())
                .hasSizeGreaterThanOrEqualTo(5)
                .element(0)
                .isEqualTo("began 0");
        assertThat(log.withoutPassed().get(1)).startsWith("ended 0 after ");
        assertThat(log.withoutPassed().get(2)).isEqualTo("began 1");
    }

    @Test
    void aRunThatIsResumedBeginsTheEpochAgainWithWhatIsLeft() {
        Pipeline<Long> pipeline =
                Pipeline.from(Samplers.sequential(10)).epochs("marks", log).prefetch(1);
        Checkpoint checkpoint;
        try (Run<Long> run = pipeline.start(RunOptions.defaults().epochs(2))) {
            Runs.take(run, 4);
            checkpoint = run.checkpoint();
        }
        log.lines.clear();

        assertThat(Runs.epochs(pipeline, RunOptions.defaults().epochs(2).resumeFrom(checkpoint)))
                .containsExactly(Runs.numbers(4, 10), Runs.numbers(0, 10));
        assertThat(log.lines).containsExactly("began 0", "ended 0 after 6", "began 1", "ended 1 after 10");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aListenerThatThrowsEndsTheRunAndLeavesNothingOpen(boolean atTheBeginning) {
        Tracker tracker = new Tracker();
        EpochListener broken = new EpochListener() {
            @Override
            public void began(long epoch) throws Exception {
                if (atTheBeginning) {
                    throw new IOException("no epoch");
                }
            }

            @Override
            public void ended(long epoch, long items) {
                throw new AssertionError("no epoch");
            }
        };
        Pipeline<Tracker.Item> pipeline =
                Pipeline.from(Sources.range(9)).map(tracker::item).epochs("marks", broken);

        try (Run<Tracker.Item> run = pipeline.start(RunOptions.defaults().failures(FailurePolicy.skip(100)))) {
            assertThatThrownBy(() -> run.forEach(Tracker.Item::close))
                    .isInstanceOf(PipelineException.class)
                    .hasMessageContaining("stage 'marks'")
                    .hasMessageContaining(atTheBeginning ? "beginning of epoch 0" : "end of epoch 0")
                    .hasMessageContaining("no epoch");
        }
        tracker.assertEachClosedOnce();
    }

    @Test
    void aFunctionMayKnowTheEpochOfItsItem() {
        Pipeline<String> pipeline = Pipeline.from(Sources.range(40))
                .pipe("before", item -> item, io(3))
                .pipeInEpoch("sized", (item, epoch) -> epoch + ":" + item, cpu(4).inputOrder());

        List<List<String>> epochs = Runs.epochs(pipeline, RunOptions.defaults().epochs(3));

        for (int epoch = 0; epoch < 3; epoch++) {
            String prefix = epoch + ":";
            assertThat(epochs.get(epoch)).hasSize(40).allMatch(item -> item.startsWith(prefix));
        }
    }

    @Test
    void aReplayOfSingleItemsTellsOfNoEpochs() {
        ConcurrentLinkedQueue<FailedItem> skipped = new ConcurrentLinkedQueue<>();
        Pipeline<Long> pipeline = Pipeline.from(Samplers.sequential(10))
                .epochs("marks", log)
                .pipe(
                        "odd",
                        item -> {
                            if (item == 3) {
                                throw new IllegalStateException("three");
                            }
                            return item;
                        },
                        io(1));
        assertThat(Runs.deliveries(
                        pipeline,
                        RunOptions.defaults().failures(FailurePolicy.skip(1).quarantine(skipped::add))))
                .hasSize(9);
        log.lines.clear();

        assertThat(Pipelines.replay(pipeline, List.copyOf(skipped), RunOptions.defaults()))
                .singleElement()
                .satisfies(again -> assertThat(again.failure().orElseThrow()).hasMessage("three"));
        assertThat(log.lines).isEmpty();
    }
}
