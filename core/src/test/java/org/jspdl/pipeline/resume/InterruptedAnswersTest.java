package org.jspdl.pipeline.resume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.pipeline.StageOptions.cpu;
import static org.jspdl.pipeline.StageOptions.io;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.stream.Gatherer;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspdl.pipeline.Checkpoint;
import org.jspdl.pipeline.Elements;
import org.jspdl.pipeline.FailurePolicy;
import org.jspdl.pipeline.Gate;
import org.jspdl.pipeline.GathererState;
import org.jspdl.pipeline.MergePolicy;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Remainder;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.pipeline.StageOptions;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.jspdl.source.Source;
import org.jspdl.source.Sources;
import org.jspdl.stats.StageObserver;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What a run gives up when it ends comes again after a resume, whatever the user's code says when it is interrupted.
class InterruptedAnswersTest {
    private static final int ITEMS = 10;
    private static final long HELD = 5;

    /// Code of the user's that is held up at one item, and takes an interrupt for the answer "no".
    private static boolean answers(Gate gate, long item) {
        try {
            return item != HELD || gate.pass(true);
        } catch (InterruptedException stop) {
            return false;
        }
    }

    static Stream<Named<BiFunction<Pipeline<Long>, Gate, Pipeline<Long>>>> code() {
        return Stream.of(
                Named.of("a filter behind the source", (from, gate) -> from.filter(item -> answers(gate, item))),
                Named.of(
                        "a filter behind a stage",
                        (from, gate) -> from.pipe("work", item -> item, cpu(1)).filter(item -> answers(gate, item))),
                Named.of("an iterator in an io stage", (from, gate) -> divided(from, gate, io(1))),
                Named.of("an iterator in a cpu stage", (from, gate) -> divided(from, gate, cpu(1))),
                Named.of(
                        "the elements of a batch",
                        (from, gate) -> from.batch(ITEMS, Remainder.KEEP)
                                .unbatch(batch -> Elements.of(whileAnswered(batch.iterator(), gate)))),
                Named.of(
                        "a gatherer that wants no more",
                        (from, gate) -> from.aggregate(
                                "gather",
                                Gatherer.<Long, Long>ofSequential(
                                        (_, item, down) -> answers(gate, item) && down.push(item)),
                                GathererState.emptyAfterEmission())),
                Named.of(
                        "a merge's policy",
                        (from, gate) -> Pipeline.merge(
                                "chosen",
                                MergePolicy.of(inputs -> answers(gate, inputs.taken()) ? 0 : MergePolicy.END),
                                from,
                                Pipeline.from(Sources.range(0)))));
    }

    private static Pipeline<Long> divided(Pipeline<Long> from, Gate gate, StageOptions options) {
        return from.batch(ITEMS, Remainder.KEEP)
                .flatMap("divide", batch -> Elements.of(whileAnswered(batch.iterator(), gate)), options);
    }

    private static Iterator<Long> whileAnswered(Iterator<Long> items, Gate gate) {
        AtomicInteger next = new AtomicInteger();
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return items.hasNext() && answers(gate, next.get());
            }

            @Override
            public Long next() {
                next.incrementAndGet();
                return items.next();
            }
        };
    }

    @ParameterizedTest
    @MethodSource("code")
    void whatUserCodeAnswersToTheEndOfARunIsNotTakenForAnAnswer(BiFunction<Pipeline<Long>, Gate, Pipeline<Long>> code) {
        Gate gate = new Gate();
        assertEachItemComesOnce(code.apply(Pipeline.from(Sources.range(ITEMS)), gate), gate);
    }

    @Test
    void aSourceThatEndsBecauseItIsInterruptedHasNotReadItsEpoch() {
        Gate gate = new Gate();
        assertEachItemComesOnce(Pipeline.from(heldUp(gate)), gate);
    }

    private static Source<Long> heldUp(Gate gate) {
        return (epoch, from) -> {
            Cursor<Long> cursor = Sources.range(ITEMS).open(epoch, from);
            return new Cursor<>() {
                @Override
                public boolean advance() throws Exception {
                    return cursor.advance() && answers(gate, cursor.item());
                }

                @Override
                public Long item() {
                    return cursor.item();
                }

                @Override
                public Position position() {
                    return cursor.position();
                }
            };
        };
    }

    @SuppressWarnings("try") // a checkpoint is taken after the close
    private static void assertEachItemComesOnce(Pipeline<Long> pipeline, Gate gate) {
        List<Long> delivered = new ArrayList<>();
        Checkpoint checkpoint;
        try (Run<Long> run = pipeline.start()) {
            run.stream().limit(HELD).forEach(delivered::add);
            gate.awaitArrivals(1);
            run.close();
            checkpoint = run.checkpoint();
        }
        gate.open();

        try (Run<Long> run = pipeline.start(RunOptions.defaults().resumeFrom(checkpoint))) {
            run.forEach(delivered::add);
        }

        assertThat(delivered)
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.range(0, ITEMS).boxed().toList());
    }

    @Test
    void anItemThatIsRefusedAnAttemptBecauseTheRunFailsIsNotSkippedForGood() throws InterruptedException {
        Gate fatal = new Gate();
        Gate passing = new Gate();
        AtomicBoolean resumed = new AtomicBoolean();
        FailurePolicy policy = FailurePolicy.skip(9).retry(3, Duration.ZERO, failure -> {
            if (failure instanceof IllegalStateException) {
                throw new IllegalStateException("the predicate is bad");
            }
            return true;
        });
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(40))
                .pipe(
                        "work",
                        item -> {
                            if (item == 0 && !resumed.get()) {
                                throw new IOException("once, of " + passing.pass(item));
                            }
                            if (item == 1 && !resumed.get()) {
                                throw new IllegalStateException("bad, of " + fatal.pass(item));
                            }
                            return item;
                        },
                        io(2).failures(policy));
        CountDownLatch failing = new CountDownLatch(1);
        StageObserver observer = new StageObserver() {
            @Override
            public void stageEnded(String stage) {
                failing.countDown();
            }
        };

        Checkpoint checkpoint;
        try (Run<Long> run = pipeline.start(RunOptions.defaults().observer(observer))) {
            passing.awaitArrivals(1);
            fatal.open();
            // The source, which the failure stops.
            failing.await();
            passing.open();
            assertThatThrownBy(() -> run.forEach(item -> {})).hasMessageContaining("the predicate is bad");
            checkpoint = run.checkpoint();
        }
        resumed.set(true);

        try (Run<Long> run = pipeline.start(RunOptions.defaults().resumeFrom(checkpoint))) {
            assertThat(run.stream().toList())
                    .containsExactlyInAnyOrderElementsOf(
                            LongStream.range(0, 40).boxed().toList());
        }
    }
}
