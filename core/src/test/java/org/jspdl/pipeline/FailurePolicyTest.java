package org.jspdl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.pipeline.Runs.deliveries;
import static org.jspdl.pipeline.Runs.numbers;
import static org.jspdl.pipeline.StageOptions.cpu;
import static org.jspdl.pipeline.StageOptions.io;

import java.io.IOException;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspdl.source.Position;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FailurePolicyTest {

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#all")
    void theFirstFailureStopsTheRunByDefault(Setting setting) {
        IOException torn = new IOException("torn page");
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(100))
                .named("training")
                .pipe(
                        "decode",
                        item -> {
                            if (item == 42) {
                                throw torn;
                            }
                            return item;
                        },
                        setting.options());

        assertThatThrownBy(() -> deliveries(pipeline))
                .isInstanceOfSatisfying(
                        PipelineException.class,
                        failure -> assertThat(failure.stage()).isEqualTo("decode"))
                .hasMessageContaining("training")
                .hasMessageContaining("decode")
                .hasMessageContaining("epoch 0")
                .hasMessageContaining("index 42")
                .hasMessageContaining("torn page")
                .hasCause(torn);
    }

    @Test
    void whatWasFinishedBeforeTheFailureIsDeliveredFirst() {
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(100))
                .pipe("decode", item -> failOn(item, 5), io(1))
                .pipe("after", item -> item, io(1));

        try (Run<Long> run = pipeline.start()) {
            Iterator<Long> items = run.iterator();
            for (long i = 0; i < 5; i++) {
                assertThat(items.next()).isEqualTo(i);
            }
            assertThatThrownBy(items::hasNext).isInstanceOf(PipelineException.class);
        }
    }

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#all")
    void skippedItemsAreDroppedAndCounted(Setting setting) {
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(100))
                .pipe(
                        "decode",
                        item -> {
                            if (item % 10 == 3) {
                                throw new IllegalArgumentException("three");
                            }
                            return item;
                        },
                        setting.options().failures(FailurePolicy.skip(10)));

        try (Run<Long> run = pipeline.start()) {
            assertThat(Runs.take(run, 100))
                    .containsExactlyInAnyOrderElementsOf(
                            numbers(0, 100).stream().filter(i -> i % 10 != 3).toList());
            assertThat(run.stats().skipped()).isEqualTo(10);
            assertThat(run.stats().stage("decode").failed()).isEqualTo(10);
            assertThat(run.stats().stage("decode").completed()).isEqualTo(90);
        }
    }

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#all")
    void oneFailureMoreThanTheLimitStopsTheRun(Setting setting) {
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(100))
                .pipe(
                        "decode",
                        item -> {
                            if (item % 10 == 3) {
                                throw new IllegalArgumentException("three");
                            }
                            return item;
                        },
                        setting.options().failures(FailurePolicy.skip(9)));

        assertThatThrownBy(() -> deliveries(pipeline))
                .isInstanceOf(PipelineException.class)
                .hasMessageContaining("decode")
                .hasMessageContaining("10 items failed")
                .hasMessageContaining("9")
                .hasMessageContaining("first failure");
    }

    @Test
    void aLimitOfZeroMakesTheFirstFailureOneTooMany() {
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(3))
                .pipe("decode", item -> failOn(item, 1), io(1).failures(FailurePolicy.skip(0)));

        assertThatThrownBy(() -> deliveries(pipeline)).isInstanceOf(PipelineException.class);
    }

    @Test
    void twoRunsOfOneRecipeDoNotShareTheirCounts() {
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(10))
                .pipe("decode", item -> failOn(item, 1), io(1).failures(FailurePolicy.skip(1)));

        assertThat(deliveries(pipeline)).hasSize(9);
        assertThat(deliveries(pipeline)).hasSize(9);
    }

    @Test
    void stagesWithoutAPolicyOfTheirOwnShareTheRunsBudget() {
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(10))
                .pipe("one", item -> failOn(item, 1), io(1))
                .pipe("two", item -> failOn(item, 2), io(1));

        assertThat(deliveries(pipeline, RunOptions.defaults().failures(FailurePolicy.skip(2))))
                .hasSize(8);
        assertThatThrownBy(() -> deliveries(pipeline, RunOptions.defaults().failures(FailurePolicy.skip(1))))
                .isInstanceOf(PipelineException.class);
    }

    @Test
    void aStagesOwnPolicyIsStricterOrLooserThanTheRuns() {
        RunOptions lenient = RunOptions.defaults().failures(FailurePolicy.skip(100));
        Pipeline<Long> strict = Pipeline.from(Sources.range(10))
                .pipe("one", item -> failOn(item, 1), io(1).failures(FailurePolicy.failFast()));
        Pipeline<Long> loose = Pipeline.from(Sources.range(10))
                .pipe("one", item -> failOn(item, 1), io(1).failures(FailurePolicy.skip(5)));

        assertThatThrownBy(() -> deliveries(strict, lenient)).isInstanceOf(PipelineException.class);
        assertThat(deliveries(loose)).hasSize(9);
    }

    @Test
    void aFusedFunctionsFailureCountsForItsStage() {
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(10))
                .pipe("decode", item -> item, cpu(1).failures(FailurePolicy.skip(3)))
                .map(item -> failOn(item, 4));

        try (Run<Long> run = pipeline.start()) {
            assertThat(Runs.take(run, 100)).hasSize(9).doesNotContain(4L);
            assertThat(run.stats().stage("decode").failed()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#few")
    void aRetriedCallThatSucceedsIsNoFailure(Setting setting) {
        AtomicInteger calls = new AtomicInteger();
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(1))
                .pipe(
                        "fetch",
                        item -> {
                            if (calls.incrementAndGet() < 3) {
                                throw new IOException("reset by peer");
                            }
                            return item;
                        },
                        setting.options().failures(FailurePolicy.failFast().retry(3, Duration.ZERO)));

        try (Run<Long> run = pipeline.start()) {
            assertThat(Runs.take(run, 2)).containsExactly(0L);
            assertThat(run.stats().skipped()).isZero();
        }
        assertThat(calls).hasValue(3);
    }

    @Test
    void theLastAttemptsFailureCounts() {
        AtomicInteger calls = new AtomicInteger();
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(1))
                .pipe(
                        "fetch",
                        item -> {
                            throw new IOException("attempt " + calls.incrementAndGet());
                        },
                        io(1).failures(FailurePolicy.failFast().retry(4, Duration.ofNanos(1))));

        assertThatThrownBy(() -> deliveries(pipeline)).hasMessageContaining("attempt 4");
        assertThat(calls).hasValue(4);
    }

    @Test
    void onlyFailuresThatMayPassAreRetried() {
        AtomicInteger calls = new AtomicInteger();
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(1))
                .pipe(
                        "fetch",
                        item -> {
                            calls.incrementAndGet();
                            throw new IllegalArgumentException("malformed");
                        },
                        io(1).failures(FailurePolicy.failFast()
                                .retry(5, Duration.ZERO, IOException.class::isInstance)));

        assertThatThrownBy(() -> deliveries(pipeline)).hasMessageContaining("malformed");
        assertThat(calls).hasValue(1);
    }

    @Test
    void aRunThatIsClosedDoesNotWaitForABackoff() {
        Gate failed = new Gate();
        failed.open();
        Run<?> run = Pipeline.from(Sources.range(1))
                .pipe(
                        "fetch",
                        item -> {
                            failed.pass(item);
                            throw new IOException("always");
                        },
                        io(1).failures(FailurePolicy.skip(9).retry(3, Duration.ofHours(1))))
                .start();
        failed.awaitArrivals(1);

        run.close();

        assertThat(failed.arrivals()).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#few")
    void theQuarantineIsToldOfEverySkippedItemWithItsProvenance(Setting setting) {
        ConcurrentLinkedQueue<FailedItem> quarantine = new ConcurrentLinkedQueue<>();
        IllegalStateException bad = new IllegalStateException("bad magic");
        Pipeline<String> pipeline = Pipeline.from(Sources.range(10))
                .named("p")
                .map(item -> "file-" + item)
                .pipe(
                        "decode",
                        item -> {
                            if (item.endsWith("7")) {
                                throw bad;
                            }
                            return item;
                        },
                        setting.options().failures(FailurePolicy.skip(5).quarantine(quarantine::add)));

        assertThat(deliveries(pipeline)).hasSize(9);

        assertThat(quarantine).singleElement().satisfies(item -> {
            assertThat(item.pipeline()).isEqualTo("p");
            assertThat(item.stage()).isEqualTo("decode");
            assertThat(item.epoch()).isZero();
            assertThat(item.position()).isEqualTo(Position.at(7));
            assertThat(item.input()).isEqualTo("file-7");
            assertThat(item.cause()).isSameAs(bad);
        });
    }

    @Test
    void aLongInputIsShortenedForTheQuarantine() {
        ConcurrentLinkedQueue<FailedItem> quarantine = new ConcurrentLinkedQueue<>();
        Pipeline<String> pipeline = Pipeline.from(List.of("x".repeat(100_000)))
                .pipe(
                        "decode",
                        item -> {
                            throw new IllegalStateException("no");
                        },
                        io(1).failures(FailurePolicy.skip(5).quarantine(quarantine::add)));

        assertThat(deliveries(pipeline)).isEmpty();

        assertThat(quarantine)
                .singleElement()
                .satisfies(item -> assertThat(item.input()).hasSizeLessThan(1_000));
    }

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#few")
    void anInputThatCannotBeDescribedIsQuarantinedAllTheSame(Setting setting) {
        ConcurrentLinkedQueue<FailedItem> quarantine = new ConcurrentLinkedQueue<>();
        class Shy {
            @Override
            public String toString() {
                throw new UnsupportedOperationException("no description");
            }
        }
        Pipeline<Object> pipeline = Pipeline.<Object>from(List.of(new Shy(), "b"))
                .pipe(
                        "decode",
                        item -> {
                            if (item instanceof Shy) {
                                throw new IllegalStateException("no");
                            }
                            return item;
                        },
                        setting.options().failures(FailurePolicy.skip(5).quarantine(quarantine::add)));

        assertThat(deliveries(pipeline)).containsExactly("b");
        assertThat(quarantine).hasSize(1);
    }

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#few")
    void aQuarantineThatFailsStopsTheRunWithBothCauses(Setting setting) {
        IllegalStateException bad = new IllegalStateException("bad magic");
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(10))
                .pipe(
                        "decode",
                        item -> {
                            if (item == 3) {
                                throw bad;
                            }
                            return item;
                        },
                        setting.options().failures(FailurePolicy.skip(5).quarantine(item -> {
                            throw new IllegalStateException("disk full");
                        })));

        assertThatThrownBy(() -> deliveries(pipeline))
                .isInstanceOf(PipelineException.class)
                .hasMessageContaining("disk full")
                .cause()
                .hasSuppressedException(bad);
    }

    @Test
    void aPolicyIsCheckedWhenItIsMade() {
        assertThatThrownBy(() -> FailurePolicy.skip(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("-1");
        for (double rate : new double[] {0, -0.5, 1.01, Double.NaN}) {
            assertThatThrownBy(() -> FailurePolicy.skipRate(rate))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(String.valueOf(rate));
        }
        assertThatThrownBy(() -> FailurePolicy.skipRate(0.5, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> FailurePolicy.failFast().retry(0, Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> FailurePolicy.failFast().retry(2, Duration.ofNanos(-1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(FailurePolicy.skipRate(1)).isNotNull();
        assertThat(FailurePolicy.skipRate(1.0 / 1_000)).isNotNull();
    }

    @Test
    void theFirstFailureIsTheCauseAndLaterOnesAreSuppressed() {
        Gate both = new Gate();
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(2))
                .pipe(
                        "decode",
                        item -> {
                            both.pass(item);
                            throw new IllegalStateException("failure of " + item);
                        },
                        io(2));

        try (Run<Long> run = pipeline.start()) {
            both.awaitArrivals(2);
            both.open();
            assertThatThrownBy(() -> run.iterator().hasNext())
                    .isInstanceOf(PipelineException.class)
                    .satisfies(failure -> assertThat(failure.getSuppressed()).hasSize(1));
        }
    }

    private static long failOn(long item, long bad) {
        if (item == bad) {
            throw new IllegalStateException("item " + item + " is bad");
        }
        return item;
    }
}
