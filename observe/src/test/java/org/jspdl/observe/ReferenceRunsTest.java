package org.jspdl.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jspdl.pipeline.StageOptions.cpu;
import static org.jspdl.pipeline.StageOptions.io;

import java.time.Duration;
import org.assertj.core.data.Percentage;
import org.jspdl.observe.diagnosis.Finding;
import org.jspdl.observe.diagnosis.Limit;
import org.jspdl.observe.diagnosis.Remedy;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Remainder;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The reference cases as real runs, which are judged by the clock: with `-Pcampaign`, on a quiet machine. Stages and
/// consumer take a tenth of the original's times. What is said of the same chains in virtual time is tested in every
/// build, by `ReferenceCasesTest` of the diagnosis.
@Tag("campaign")
class ReferenceRunsTest {
    private static final Percentage ROUGHLY = Percentage.withPercentage(35);
    private static final double CONSUMER = 3;

    @Test
    void aStageFasterThanTheConsumerIsNotTheLimit() {
        Report report = chain(2.5);

        assertThat(report.diagnosis().first().limit()).isEqualTo(Limit.CONSUMER);
        assertThat(report.steady().stats().rate()).isCloseTo(329, ROUGHLY);
    }

    @Test
    void aStageSlowerThanTheConsumerIs() {
        Finding first = chain(4.5).diagnosis().first();

        assertThat(first.limit()).isEqualTo(Limit.STAGE);
        assertThat(first.stage()).isEqualTo("a");
    }

    @Test
    void theSlowestOfThreeIsTheLimitWhereverItStands() {
        assertThat(chain(1, 2.5, 5).diagnosis().first().stage()).isEqualTo("c");
        assertThat(chain(5, 2.5, 1).diagnosis().first().stage()).isEqualTo("a");
        assertThat(chain(5, 2.5, 1).steady().stats().rate()).isCloseTo(200, ROUGHLY);
    }

    @Test
    void oneSlotMoreForTheSlowestIsPredictedToMakeTheConsumerTheLimit() {
        Finding first = chain(1, 2, 4.5).diagnosis().first();

        assertThat(first.remedies().getFirst().gain()).isCloseTo(4.5 / CONSUMER, Percentage.withPercentage(20));
    }

    @Test
    void aBatchOfSixMakesTheStageBeforeItTheLimitAndABatchOfThreeTheConsumer() {
        assertThat(batches(6).diagnosis().first().stage()).isEqualTo("a");
        assertThat(batches(3).diagnosis().first().limit()).isEqualTo(Limit.CONSUMER);
    }

    @Test
    void twiceTheProcessorsAreWorthTwiceTheRateWhereTheyAreTheLimit() {
        int processors = Runtime.getRuntime().availableProcessors();
        Watch watch = Watch.every(Duration.ofMillis(20));
        Pipeline<Long> computing = Pipeline.from(Sources.range(400L * processors))
                .pipe("work", ReferenceRunsTest::computes, cpu(processors));
        try (Run<Long> run = computing.start(watch.on(RunOptions.defaults()))) {
            run.forEach(item -> {});
        }

        Finding first = watch.report().diagnosis().first();
        assertThat(first.limit()).isIn(Limit.CPU, Limit.OTHER_PROCESSES);
        assertThat(first.remedies())
                .filteredOn(remedy -> remedy.kind() == Remedy.Kind.MORE_PROCESSORS)
                .singleElement()
                .satisfies(remedy -> assertThat(remedy.gain()).isGreaterThan(1.5));
    }

    /// A millisecond of arithmetic, more or less.
    private static long computes(long item) {
        double sum = item;
        for (int i = 1; i < 100_000; i++) {
            sum += Math.sqrt(i + sum);
        }
        return sum > 0 ? item : 0;
    }

    private static Report chain(double... millis) {
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(1_000_000)).named("reference");
        char name = 'a';
        for (double time : millis) {
            pipeline = pipeline.pipe(
                    String.valueOf(name++),
                    item -> {
                        pause(time);
                        return item;
                    },
                    io(1));
        }
        return consume(pipeline);
    }

    private static Report batches(int size) {
        return consume(Pipeline.from(Sources.range(1_000_000))
                .pipe(
                        "a",
                        item -> {
                            pause(0.7);
                            return item;
                        },
                        io(1))
                .batch(size, Remainder.DROP));
    }

    private static <T> Report consume(Pipeline<T> pipeline) {
        Watch watch = Watch.every(Duration.ofMillis(40));
        try (Run<T> run = pipeline.start(watch.on(RunOptions.defaults()))) {
            var items = run.iterator();
            for (int i = 0; i < 150; i++) {
                items.next();
                pause(CONSUMER);
            }
        }
        return watch.report();
    }

    private static void pause(double millis) {
        Pauses.micros((long) (1000 * millis));
    }
}
