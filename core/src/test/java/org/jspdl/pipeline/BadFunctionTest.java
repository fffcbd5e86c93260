package org.jspdl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspdl.source.Sources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BadFunctionTest {
    private static final Duration SHORT_GRACE = Duration.ofMillis(100);

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#all")
    void returningNullIsAFailureThatSaysWhatToDo(Setting setting) {
        Pipeline<Long> pipeline =
                Pipeline.from(Sources.range(10)).pipe("decode", BadFunctionTest::nullOnFive, setting.options());

        assertThatThrownBy(() -> Runs.deliveries(pipeline))
                .isInstanceOf(PipelineException.class)
                .hasMessageContaining("decode")
                .hasMessageContaining("index 5")
                .hasMessageContaining("null")
                .hasMessageContaining("filter");
    }

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#few")
    void returningNullMayBeSkippedLikeAnyFailure(Setting setting) {
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(10))
                .pipe("decode", BadFunctionTest::nullOnFive, setting.options().failures(FailurePolicy.skip(1)));

        assertThat(Runs.deliveries(pipeline)).hasSize(9).doesNotContain(5L);
    }

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#few")
    void aMapThatReturnsNullIsAFailure(Setting setting) {
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(10))
                .pipe("decode", item -> item, setting.options())
                .map(BadFunctionTest::nullOnFive);

        assertThatThrownBy(() -> Runs.deliveries(pipeline))
                .isInstanceOf(PipelineException.class)
                .hasMessageContaining("null");
    }

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#all")
    void anErrorStopsTheRunWhateverThePolicy(Setting setting) {
        OutOfMemoryError error = new OutOfMemoryError("not really");
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(10))
                .pipe(
                        "decode",
                        item -> {
                            if (item == 5) {
                                throw error;
                            }
                            return item;
                        },
                        setting.options().failures(FailurePolicy.skip(100).retry(3, Duration.ZERO)));

        assertThatThrownBy(() -> Runs.deliveries(pipeline))
                .isInstanceOf(PipelineException.class)
                .hasMessageContaining("decode")
                .hasCause(error);
    }

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#few")
    void runningOutOfStackIsReportedLikeAnyError(Setting setting) {
        Pipeline<Long> pipeline =
                Pipeline.from(Sources.range(10)).pipe("decode", BadFunctionTest::recurse, setting.options());

        assertThatThrownBy(() -> Runs.deliveries(pipeline))
                .isInstanceOf(PipelineException.class)
                .hasCauseInstanceOf(StackOverflowError.class);
    }

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#few")
    void anExceptionThatTheCompilerDidNotSeeIsHandled(Setting setting) {
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(10))
                .pipe("decode", item -> sneak(new Throwable("neither Exception nor Error")), setting.options());

        assertThatThrownBy(() -> Runs.deliveries(pipeline))
                .isInstanceOf(PipelineException.class)
                .hasMessageContaining("neither Exception nor Error");
    }

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#few")
    void anExceptionWhoseMessageCannotBeHadIsHandled(Setting setting) {
        class Mute extends RuntimeException {
            private static final long serialVersionUID = 1L;

            @Override
            public String getMessage() {
                throw new UnsupportedOperationException("no message");
            }
        }
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(10))
                .pipe(
                        "decode",
                        item -> {
                            throw new Mute();
                        },
                        setting.options());

        assertThatThrownBy(() -> Runs.deliveries(pipeline)).isInstanceOf(PipelineException.class);
    }

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#few")
    void aFunctionThatIgnoresInterruptsIsReportedByName(Setting setting) {
        Gate gate = new Gate();
        Run<Long> run = Pipeline.from(Sources.range(10))
                .named("training")
                .pipe("stubborn", gate::passIgnoringInterrupts, setting.options())
                .start(Setting.roomy().grace(SHORT_GRACE));
        gate.awaitArrivals(1);

        assertThatThrownBy(run::close)
                .isInstanceOf(PipelineException.class)
                .hasMessageContaining("training")
                .hasMessageContaining("stubborn")
                .hasMessageContaining("100 ms");

        gate.open();
        gate.awaitEmpty();
    }

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#few")
    void anInterruptThatIsSwallowedOnceIsSentAgain(Setting setting) {
        Gate gate = new Gate();
        Run<Long> run = Pipeline.from(Sources.range(10))
                .pipe(
                        "deaf",
                        item -> {
                            try {
                                gate.pass(item);
                            } catch (InterruptedException swallowed) {
                                gate.pass(item);
                            }
                            return item;
                        },
                        setting.options().concurrency(1))
                .start(Setting.roomy());
        gate.awaitArrivals(1);

        run.close();

        assertThat(gate.arrivals()).isEqualTo(2);
    }

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#few")
    void aFunctionThatLeavesItsThreadInterruptedDoesNotHarmTheNextItem(Setting setting) {
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(50))
                .pipe(
                        "rude",
                        item -> {
                            Thread.currentThread().interrupt();
                            return item;
                        },
                        setting.options());

        assertThat(Runs.deliveries(pipeline)).hasSize(50);
    }

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#few")
    void aFunctionThatThrowsInterruptedExceptionOfItsOwnFailsItsItem(Setting setting) {
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(50))
                .pipe(
                        "odd",
                        item -> {
                            if (item == 7) {
                                throw new InterruptedException("of my own");
                            }
                            return item;
                        },
                        setting.options().failures(FailurePolicy.skip(1)));

        assertThat(Runs.deliveries(pipeline)).hasSize(49);
    }

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#few")
    void aFunctionThatClosesItsInputIsNotPunished(Setting setting) {
        Tracker tracker = new Tracker();
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(50))
                .map(tracker::item)
                .pipe(
                        "decode",
                        item -> {
                            item.close();
                            return item.id();
                        },
                        setting.options());

        assertThat(Runs.deliveries(pipeline)).hasSize(50);
        tracker.assertEachClosedOnce();
    }

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#few")
    void closingTheRunFromInsideAStageEndsItWithoutADeadlock(Setting setting) {
        AtomicReference<Run<Long>> self = new AtomicReference<>();
        Gate started = new Gate();
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(50))
                .pipe(
                        "closer",
                        item -> {
                            started.pass(item);
                            Objects.requireNonNull(self.get()).close();
                            return item;
                        },
                        setting.options());

        Run<Long> run = pipeline.start(RunOptions.defaults().grace(SHORT_GRACE));
        self.set(run);
        started.open();
        assertThatThrownBy(() -> run.forEach(item -> assertThat(item).isNotNegative()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");

        run.close();
    }

    @SuppressWarnings("InfiniteRecursion")
    private static long recurse(long depth) {
        return recurse(depth + 1) + 1;
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T, E extends Throwable> T sneak(Throwable failure) throws E {
        throw (E) failure;
    }

    @SuppressWarnings("NullAway")
    private static Long nullOnFive(long item) {
        return item == 5 ? null : Long.valueOf(item);
    }
}
