package org.jspdl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.pipeline.Remainder.DROP;
import static org.jspdl.pipeline.Remainder.KEEP;
import static org.jspdl.pipeline.StageOptions.cpu;
import static org.jspdl.pipeline.StageOptions.io;

import java.util.List;
import java.util.concurrent.Phaser;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Every closeable item is closed once by the engine, or delivered once and then the consumer's.
class OwnershipTest {
    private final Tracker tracker = new Tracker();
    private final Pipeline<Tracker.Item> items =
            Pipeline.from(Sources.range(100)).map(tracker::item);

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#all")
    void whatIsDeliveredIsLeftToTheConsumer(Setting setting) {
        List<Tracker.Item> delivered = Runs.deliveries(items.pipe("copy", item -> item, setting.options()));

        assertThat(delivered).hasSize(100).allMatch(item -> item.timesClosed() == 0);
    }

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#all")
    void whatAFilterDropsIsClosed(Setting setting) {
        Pipeline<Tracker.Item> pipeline = items.filter(item -> item.id() % 3 != 0)
                .pipe("copy", item -> item, setting.options())
                .filter(item -> item.id() % 2 == 0);

        consume(pipeline);

        assertThat(tracker.items()).hasSize(100);
        tracker.assertEachClosedOnce();
    }

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#all")
    void theInputOfAFailedCallIsClosed(Setting setting) {
        Pipeline<Tracker.Item> pipeline = items.pipe(
                "decode", item -> failOnFours(item), setting.options().failures(FailurePolicy.skip(100)));

        consume(pipeline);

        tracker.assertEachClosedOnce();
    }

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#all")
    void theInputOfAFailedFusedStepIsClosed(Setting setting) {
        Pipeline<Tracker.Item> pipeline = items.pipe(
                        "decode", Tracker.Item::replaced, setting.options().failures(FailurePolicy.skip(100)))
                .map(OwnershipTest::failOnFours)
                .filter(item -> {
                    if (item.id() % 5 == 0) {
                        throw new IllegalStateException("the predicate fails");
                    }
                    return true;
                });

        consume(pipeline);

        tracker.assertEachClosedOnce();
    }

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#all")
    void theElementsOfAListThatWereNotPulledAreClosed(Setting setting) {
        Pipeline<Tracker.Item> pipeline = Pipeline.from(Sources.range(100))
                .flatMap(
                        "clips",
                        id -> List.of(tracker.item(id), tracker.item(id), tracker.item(id)),
                        setting.options());

        try (Run<Tracker.Item> run = pipeline.start()) {
            run.stream().limit(4).forEach(Tracker.Item::close);
        }

        tracker.assertEachClosedOnce();
    }

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#all")
    void aFailureThatStopsTheRunClosesEverythingThatIsNotDelivered(Setting setting) {
        Pipeline<Tracker.Item> pipeline = items.pipe("before", item -> item, setting.options())
                .pipe(
                        "decode",
                        item -> {
                            if (item.id() == 50) {
                                throw new IllegalStateException("fifty");
                            }
                            return item.replaced();
                        },
                        setting.options())
                .pipe("after", item -> item, setting.options());

        assertThatThrownBy(() -> consume(pipeline)).isInstanceOf(PipelineException.class);

        tracker.assertEachClosedOnce();
    }

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#few")
    void aDroppedRemainderIsClosed(Setting setting) {
        Pipeline<List<Tracker.Item>> pipeline =
                items.pipe("copy", item -> item, setting.options()).batch(7, DROP);

        int delivered = 0;
        try (Run<List<Tracker.Item>> run = pipeline.start(RunOptions.defaults().epochs(3))) {
            do {
                for (List<Tracker.Item> batch : run) {
                    delivered += batch.size();
                    batch.forEach(Tracker.Item::close);
                }
            } while (run.nextEpoch());
        }

        assertThat(delivered).isEqualTo(3 * 98);
        tracker.assertEachClosedOnce();
    }

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#all")
    void closingARunClosesBatchesAndTheirItems(Setting setting) {
        Pipeline<List<Tracker.Item>> pipeline = items.pipe("copy", item -> item, setting.options())
                .batch(3, KEEP)
                .pipe("stack", batch -> batch, setting.options());
        try (Run<List<Tracker.Item>> run = pipeline.start()) {
            Runs.take(run, 2).forEach(batch -> batch.forEach(Tracker.Item::close));
        }
        tracker.assertEachClosedOnce();
    }

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#few")
    void aBatchThatIsSplitAgainLosesNoItem(Setting setting) {
        Pipeline<Tracker.Item> pipeline = items.batch(8, KEEP)
                .pipe("stack", batch -> batch, setting.options())
                .unbatch(batch -> batch);
        try (Run<Tracker.Item> run = pipeline.start()) {
            Runs.take(run, 13).forEach(Tracker.Item::close);
        }
        tracker.assertEachClosedOnce();
    }

    @Test
    void anItemThatTheConsumerPeekedAtIsClosedWithTheRun() {
        try (Run<Tracker.Item> run = items.start()) {
            assertThat(run.iterator().hasNext()).isTrue();
        }
        tracker.assertEachClosedOnce();
    }

    @Test
    void anItemOfTheSourceWhoseMapFailsIsClosed() {
        assertThatThrownBy(() -> consume(items.map(OwnershipTest::failOnFours))).isInstanceOf(PipelineException.class);

        tracker.assertEachClosedOnce();
    }

    @Test
    void aBatchWhoseMapFailsIsClosed() {
        Pipeline<List<Tracker.Item>> pipeline = items.batch(3, KEEP).map(batch -> {
            throw new IllegalStateException("cannot be stacked");
        });

        assertThatThrownBy(() -> Runs.deliveries(pipeline)).isInstanceOf(PipelineException.class);

        tracker.assertEachClosedOnce();
    }

    @Test
    void anElementWhoseMapFailsIsClosedAndSoAreThoseAfterIt() {
        Pipeline<Tracker.Item> pipeline =
                items.batch(8, KEEP).unbatch(batch -> batch).map(OwnershipTest::failOnFours);

        assertThatThrownBy(() -> consume(pipeline)).isInstanceOf(PipelineException.class);

        tracker.assertEachClosedOnce();
    }

    @Test
    void aBatchThatCannotBeSplitIsClosed() {
        Pipeline<Tracker.Item> pipeline = items.batch(8, KEEP).unbatch(batch -> {
            throw new IllegalStateException("cannot be split");
        });

        assertThatThrownBy(() -> consume(pipeline)).isInstanceOf(PipelineException.class);

        tracker.assertEachClosedOnce();
    }

    @Test
    void aBatchWhoseElementsCannotBeHadIsClosed() {
        Pipeline<Tracker.Item> pipeline = items.batch(8, KEEP).unbatch(batch -> () -> {
            throw new IllegalStateException("no iterator");
        });

        assertThatThrownBy(() -> consume(pipeline)).isInstanceOf(PipelineException.class);

        tracker.assertEachClosedOnce();
    }

    @Test
    void anItemWhoseCloseFailsDoesNotHarmTheOthers() {
        Pipeline<AutoCloseable> pipeline = items.<AutoCloseable>map(item -> () -> {
                    item.close();
                    throw new IllegalStateException("cannot be closed");
                })
                .pipe("copy", item -> item, cpu(2))
                .filter(item -> false);

        assertThat(Runs.deliveries(pipeline)).isEmpty();

        tracker.assertEachClosedOnce();
    }

    @Test
    void anItemWhoseCloseThrowsAnErrorDoesNotHarmTheOthers() {
        Pipeline<AutoCloseable> pipeline = items.<AutoCloseable>map(item -> () -> {
                    item.close();
                    throw new AssertionError("cannot be closed");
                })
                .pipe("copy", item -> item, cpu(2));

        try (Run<AutoCloseable> run = pipeline.start()) {
            assertThat(run.iterator().hasNext()).isTrue();
        }

        tracker.assertEachClosedOnce();
    }

    @Test
    @SuppressWarnings("OverrideThrowableToString") // which is what fails
    void anItemWhoseCloseThrowsWhatCannotBeWrittenDownDoesNotHarmTheOthers() {
        Pipeline<AutoCloseable> pipeline = items.<AutoCloseable>map(item -> () -> {
                    item.close();
                    throw new IllegalStateException() {
                        private static final long serialVersionUID = 1L;

                        @Override
                        public String toString() {
                            throw new AssertionError("no text");
                        }
                    };
                })
                .pipe("copy", item -> item, cpu(2));

        try (Run<AutoCloseable> run = pipeline.start()) {
            assertThat(run.iterator().hasNext()).isTrue();
        }

        tracker.assertEachClosedOnce();
    }

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#few")
    void aCallThatEndsAfterTheRunWasClosedHasItsResultClosed(Setting setting) {
        Gate gate = new Gate();
        Run<Tracker.Item> run = items.pipe(
                        "hold",
                        item -> {
                            gate.passIgnoringInterrupts(item);
                            return item.replaced();
                        },
                        setting.options())
                .start(Setting.roomy().grace(java.time.Duration.ofMillis(1)));
        gate.awaitArrivals(setting.concurrency());

        assertThatThrownBy(run::close).hasMessageContaining("hold");
        gate.open();
        gate.awaitEmpty();
        awaitAllClosed();

        tracker.assertEachClosedOnce();
    }

    /// The abandoned calls return on their own threads.
    private void awaitAllClosed() {
        long deadline = System.nanoTime() + 60_000_000_000L;
        while (tracker.open() > 0 && System.nanoTime() < deadline) {
            Runs.dawdle(1);
        }
    }

    @Test
    void aRunThatIsClosedWhileItsConsumerTakesItemsLosesAndDoublesNone() throws InterruptedException {
        Phaser together = new Phaser(2);
        for (int round = 0; round < 300; round++) {
            int taken = round % 7;
            Run<Tracker.Item> run = items.pipe("copy", item -> item, io(2)).start();
            Thread closer = Thread.ofPlatform().start(() -> {
                together.arriveAndAwaitAdvance();
                run.close();
            });
            try {
                Runs.take(run, taken).forEach(Tracker.Item::close);
                together.arriveAndAwaitAdvance();
                run.forEach(Tracker.Item::close);
            } catch (IllegalStateException closed) {
                assertThat(closed).hasMessageContaining("closed");
            }
            closer.join();
        }
        tracker.assertEachClosedOnce();
    }

    private static Tracker.Item failOnFours(Tracker.Item item) {
        if (item.id() % 4 == 0) {
            throw new IllegalStateException("a four");
        }
        return item;
    }

    private static void consume(Pipeline<Tracker.Item> pipeline) {
        try (Run<Tracker.Item> run = pipeline.start()) {
            run.forEach(Tracker.Item::close);
        }
    }
}
