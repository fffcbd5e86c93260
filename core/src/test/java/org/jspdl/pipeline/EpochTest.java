package org.jspdl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.pipeline.Remainder.DROP;
import static org.jspdl.pipeline.Remainder.KEEP;
import static org.jspdl.pipeline.Runs.numbers;
import static org.jspdl.pipeline.StageOptions.cpu;
import static org.jspdl.pipeline.StageOptions.io;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.jspdl.source.Samplers;
import org.jspdl.source.Source;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class EpochTest {

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#all")
    void noItemCrossesTheBoundaryOfAnEpoch(Setting setting) {
        Pipeline<String> pipeline = Pipeline.from(tagged(25))
                .pipe("one", EpochTest::uneven, setting.options())
                .pipe("two", EpochTest::uneven, setting.options());

        List<List<String>> epochs = Runs.epochs(pipeline, RunOptions.defaults().epochs(4));

        assertThat(epochs).hasSize(4);
        for (int epoch = 0; epoch < 4; epoch++) {
            String prefix = epoch + ":";
            assertThat(epochs.get(epoch)).hasSize(25).doesNotHaveDuplicates().allMatch(item -> item.startsWith(prefix));
        }
    }

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#few")
    void batchesDoNotCrossEpochs(Setting setting) {
        Pipeline<Long> source = Pipeline.from(Sources.range(7)).pipe("work", item -> item, setting.options());

        assertThat(Runs.epochs(source.batch(3, KEEP), RunOptions.defaults().epochs(3)))
                .allSatisfy(
                        batches -> assertThat(batches.stream().map(List::size)).containsExactly(3, 3, 1));
        assertThat(Runs.epochs(source.batch(3, DROP), RunOptions.defaults().epochs(3)))
                .allSatisfy(
                        batches -> assertThat(batches.stream().map(List::size)).containsExactly(3, 3));
    }

    @Test
    void epochsMayBeEmpty() {
        assertThat(Runs.epochs(
                        Pipeline.from(List.of()).pipe(item -> item, cpu(2)),
                        RunOptions.defaults().epochs(5)))
                .hasSize(5)
                .allMatch(List::isEmpty);
    }

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#few")
    void aRunWhoseEpochsStayEmptyFails(Setting setting) {
        for (Pipeline<Long> nothing : List.of(
                Pipeline.from(List.<Long>of()).pipe(item -> item, setting.options()),
                Pipeline.from(Sources.range(3)).filter(_ -> false).pipe(item -> item, setting.options()),
                Pipeline.from(Sources.range(3))
                        .pipe(item -> item, setting.options())
                        .filter(_ -> false))) {
            assertThatThrownBy(() -> Runs.epochs(nothing, RunOptions.defaults().epochs(Long.MAX_VALUE)))
                    .isInstanceOf(PipelineException.class)
                    .hasMessageContaining("has delivered nothing in 1000 epochs in a row, up to epoch 999")
                    .hasMessageContaining("is the source empty");
        }
    }

    @Test
    void aSourceWithoutItemsWaitsForTheOthersOfItsMixtureThroughAllEpochs() {
        AtomicLong opened = new AtomicLong();
        Source<Long> empty = (_, _) -> {
            opened.incrementAndGet();
            return Sources.<Long>of(List.of()).open(0, Position.START);
        };
        Pipeline<Long> mixed = Pipeline.mix(1, 1, 1)
                .of(StoppingStrategy.ALL_EXHAUSTED, Pipeline.from(empty), Pipeline.from(Sources.range(2)));
        try (Run<Long> run = mixed.start(RunOptions.defaults().epochs(Long.MAX_VALUE))) {
            for (int epoch = 0; epoch < 3_000; epoch++) {
                assertThat(Runs.take(run, Integer.MAX_VALUE)).hasSize(2);
                assertThat(opened).hasValueLessThan(epoch + 1_000);
                assertThat(run.nextEpoch()).isTrue();
            }
        }
    }

    @Test
    void epochsThatTheConsumerLeavesAreNotEmpty() {
        try (Run<Long> run =
                Pipeline.from(Sources.range(2)).start(RunOptions.defaults().epochs(3_000))) {
            for (int epoch = 1; epoch < 3_000; epoch++) {
                assertThat(run.nextEpoch()).isTrue();
            }
            assertThat(Runs.take(run, Integer.MAX_VALUE)).hasSize(2);
        }
    }

    @Test
    void epochsMayHoldOneItem() {
        assertThat(Runs.epochs(
                        Pipeline.from(List.of("x")).pipe(item -> item, io(4)),
                        RunOptions.defaults().epochs(5)))
                .hasSize(5)
                .allMatch(List.of("x")::equals);
    }

    @Test
    void theEpochIsCountedFromZero() {
        try (Run<Long> run =
                Pipeline.from(Sources.range(2)).start(RunOptions.defaults().epochs(2))) {
            assertThat(run.epoch()).isZero();
            assertThat(run.nextEpoch()).isTrue();
            assertThat(run.epoch()).isEqualTo(1);
            assertThat(run.nextEpoch()).isFalse();
            assertThat(run.epoch()).isEqualTo(1);
        }
    }

    @Test
    void goingOnHalfwayClosesTheRestOfTheEpoch() {
        Tracker tracker = new Tracker();
        Pipeline<Tracker.Item> pipeline =
                Pipeline.from(Sources.range(10)).map(tracker::item).pipe(item -> item, io(2).inputOrder());
        try (Run<Tracker.Item> run = pipeline.start(RunOptions.defaults().epochs(2))) {
            List<Tracker.Item> first = Runs.take(run, 3);
            assertThat(run.nextEpoch()).isTrue();
            assertThat(first).allSatisfy(item -> assertThat(item.timesClosed()).isZero());
            first.forEach(Tracker.Item::close);
            List<Tracker.Item> second = Runs.take(run, 100);
            assertThat(second.stream().map(Tracker.Item::id)).isEqualTo(numbers(0, 10));
            second.forEach(Tracker.Item::close);
        }
        tracker.assertEachClosedOnce();
    }

    @Test
    void atTheEndOfAnEpochTheIteratorIsEmptyUntilTheNextBegins() {
        try (Run<Long> run =
                Pipeline.from(Sources.range(3)).start(RunOptions.defaults().epochs(2))) {
            assertThat(Runs.take(run, 100)).isEqualTo(numbers(0, 3));
            assertThat(run.iterator().hasNext()).isFalse();
            assertThat(run.epochEnded()).isTrue();
            assertThat(run.nextEpoch()).isTrue();
            assertThat(run.epochEnded()).isFalse();
            assertThat(Runs.take(run, 100)).isEqualTo(numbers(0, 3));
        }
    }

    @Test
    void theNextEpochIsPreparedWhileTheConsumerIsBetweenEpochs() {
        Gate secondEpoch = new Gate();
        secondEpoch.open();
        Pipeline<String> pipeline = Pipeline.from(tagged(2))
                .pipe("work", item -> item.startsWith("1:") ? secondEpoch.pass(item) : item, cpu(1));
        try (Run<String> run = pipeline.start(RunOptions.defaults().epochs(2))) {
            assertThat(Runs.take(run, 100)).hasSize(2);
            secondEpoch.awaitArrivals(1);
        }
    }

    @Test
    void threadsAreTheSameInEveryEpoch() {
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(10))
                .pipe(
                        "work",
                        item -> {
                            threads.add(Thread.currentThread());
                            return item;
                        },
                        io(2))
                .pipe(
                        "own",
                        item -> {
                            threads.add(Thread.currentThread());
                            return item;
                        },
                        StageOptions.dedicated());

        Runs.epochs(pipeline, RunOptions.defaults().epochs(20));

        assertThat(threads).hasSizeLessThanOrEqualTo(3);
    }

    @Test
    void shufflingDiffersByEpochAndRepeatsByRun() {
        Pipeline<Long> pipeline = Pipeline.from(Samplers.shuffled(50, 7)).pipe(item -> item, cpu(2).inputOrder());

        List<List<Long>> once = Runs.epochs(pipeline, RunOptions.defaults().epochs(3));
        List<List<Long>> again = Runs.epochs(pipeline, RunOptions.defaults().epochs(3));

        assertThat(once).isEqualTo(again).doesNotHaveDuplicates();
        assertThat(once).allSatisfy(epoch -> assertThat(epoch).containsExactlyInAnyOrderElementsOf(numbers(0, 50)));
    }

    @Test
    void aSourceThatFailsInALaterEpochSaysWhichOne() {
        Source<Long> source = (epoch, from) -> {
            if (epoch == 2) {
                throw new java.io.IOException("gone");
            }
            return Sources.range(3).open(epoch, from);
        };
        List<Long> delivered = new ArrayList<>();
        try (Run<Long> run = Pipeline.from(source).start(RunOptions.defaults().epochs(5))) {
            assertThatThrownBy(() -> {
                        do {
                            delivered.addAll(Runs.take(run, 100));
                        } while (run.nextEpoch());
                    })
                    .isInstanceOf(PipelineException.class)
                    .hasMessageContaining("epoch 2")
                    .hasMessageContaining("gone");
        }
        assertThat(delivered).hasSize(6);
    }

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#few")
    void aStageThatFailsInALaterEpochSaysWhichOne(Setting setting) {
        Pipeline<String> pipeline = Pipeline.from(tagged(3))
                .pipe(
                        "work",
                        item -> {
                            if (item.equals("2:1")) {
                                throw new IllegalStateException("bad");
                            }
                            return item;
                        },
                        setting.options());

        assertThatThrownBy(() -> Runs.epochs(pipeline, RunOptions.defaults().epochs(5)))
                .isInstanceOf(PipelineException.class)
                .hasMessageContaining("epoch 2, index 1");
    }

    @Test
    void aFailureOfAnEpochThatIsReadAheadIsToldBehindTheEpochBeforeIt() {
        for (StageOptions options : List.of(cpu(3), io(3), cpu(2).inputOrder())) {
            AtomicLong calls = new AtomicLong();
            Gate failed = new Gate();
            failed.open();
            Pipeline<Long> pipeline = Pipeline.from(Sources.range(3))
                    .pipe(
                            "work",
                            item -> {
                                if (calls.incrementAndGet() > 3) {
                                    failed.pass(item);
                                    throw new IllegalStateException("broken");
                                }
                                return item;
                            },
                            options.failures(FailurePolicy.skip(2)))
                    .prefetch(8);
            try (Run<Long> run = pipeline.start(RunOptions.defaults().epochs(3))) {
                failed.awaitArrivals(3); // one more than the policy skips, while nothing was taken yet

                assertThat(run).containsExactlyInAnyOrder(0L, 1L, 2L);
                assertThat(run.nextEpoch()).isTrue();
                assertThatThrownBy(() -> run.iterator().hasNext())
                        .isInstanceOf(PipelineException.class)
                        .hasMessageContaining("3 items failed, more than the 2 allowed");
            }
        }
    }

    @Test
    void aRunMayBeClosedInTheMiddleOfAnEpochAndBetweenEpochs() {
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(1_000)).pipe(item -> item, cpu(2));
        for (int taken : new int[] {0, 1, 500, 1_000}) {
            try (Run<Long> run = pipeline.start(RunOptions.defaults().epochs(1_000_000))) {
                assertThat(Runs.take(run, taken)).hasSize(taken);
            }
        }
    }

    @Test
    void aNumberOfEpochsBelowOneIsRefused() {
        assertThatThrownBy(() -> RunOptions.defaults().epochs(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("0");
    }

    /// Items that say which epoch they belong to.

    @Test
    void aFailureInTheNextEpochTakesNoRetryFromAnItemOfThisOne() throws Exception {
        Gate stoppedByTheFailure = new Gate();
        AtomicLong attempts = new AtomicLong();
        Pipeline<String> pipeline = Pipeline.from(heldUpAt("1:1", stoppedByTheFailure))
                .pipe("breaks", item -> refuse(item, "1:0", stoppedByTheFailure), io(1))
                .pipe(
                        "retries",
                        item -> {
                            if (item.equals("0:1") && attempts.incrementAndGet() == 1) {
                                stoppedByTheFailure.awaitInterrupts(1);
                                throw new IOException("once");
                            }
                            return item;
                        },
                        io(1).failures(FailurePolicy.skip(9).retry(3, Duration.ZERO)));

        try (Run<String> run = pipeline.start(RunOptions.defaults().epochs(2))) {
            assertThat(Runs.take(run, 100)).containsExactly("0:0", "0:1");
            assertThat(attempts).hasValue(2);
            assertThat(run.nextEpoch()).isTrue();
            assertThatThrownBy(() -> Runs.take(run, 100)).hasMessageContaining("1:0 is bad");
        }
    }

    private static String refuse(String item, String bad, Gate heldUp) throws IOException {
        if (item.equals(bad)) {
            heldUp.awaitArrivals(1);
            throw new IOException(bad + " is bad");
        }
        return item;
    }

    private static Source<String> heldUpAt(String held, Gate gate) {
        Source<String> source = tagged(2);
        return (epoch, from) -> {
            Cursor<String> cursor = source.open(epoch, from);
            return new Cursor<>() {
                @Override
                public boolean advance() throws Exception {
                    return cursor.advance() && (!cursor.item().equals(held) || gate.pass(true));
                }

                @Override
                public String item() {
                    return cursor.item();
                }

                @Override
                public Position position() {
                    return cursor.position();
                }
            };
        };
    }

    private static Source<String> tagged(long items) {
        return (epoch, from) -> {
            Cursor<Long> numbers = Sources.range(items).open(epoch, from);
            return new Cursor<>() {
                @Override
                public boolean advance() throws Exception {
                    return numbers.advance();
                }

                @Override
                public String item() {
                    return epoch + ":" + numbers.item();
                }

                @Override
                public Position position() {
                    return numbers.position();
                }
            };
        };
    }

    private static String uneven(String item) {
        if (item.endsWith("3")) {
            Runs.dawdle(50);
        }
        return item;
    }
}
