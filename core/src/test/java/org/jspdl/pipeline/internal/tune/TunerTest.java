package org.jspdl.pipeline.internal.tune;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspdl.pipeline.Tuning;
import org.jspdl.stats.TuningStep;
import org.jspdl.stats.TuningStep.Kind;
import org.junit.jupiter.api.Test;

class TunerTest {
    private static final boolean CAMPAIGN = Boolean.getBoolean("campaign");
    private static final long MB = 1 << 20;

    /// Requests of 50 ms, decoding of 4 ms on one of four processors, batches of 8.
    private static SimulatedRun remote() {
        return new SimulatedRun(
                1,
                4,
                List.of(
                        new SimulatedStage("source", "source", 1, 1, 0, 0),
                        new SimulatedStage("read", "io", 4, 1, 0.0001, 0.05),
                        new SimulatedStage("decode", "cpu", 4, 1, 0.004, 0),
                        new SimulatedStage("batch", "inline", 1, 8, 0, 0)));
    }

    private static Knob read(int most) {
        return new Knob("read", Knob.Kind.CONCURRENCY, 1, most, 4);
    }

    private static Knob decode() {
        return new Knob("decode", Knob.Kind.CONCURRENCY, 1, 4, 4);
    }

    @Test
    void readsAreRaisedUntilDecodingLimits() {
        TunedRun tuned = new TunedRun(remote(), List.of(read(256), decode())).seconds(60);

        // Four processors decode 1,000 items in a second, for which 50 requests of 50 ms have to be under way.
        assertThat(tuned.rate(10)).isGreaterThan(0.95 * 1000 / 8);
        assertThat(tuned.workers("read")).isBetween(50, 160);
        assertThat(tuned.workers("decode")).isEqualTo(4);
        assertThat(tuned.isSettled()).isTrue();
        assertThat(tuned.steps).first().satisfies(step -> {
            assertThat(step.kind()).isEqualTo(Kind.TRIED);
            assertThat(step.stage()).isEqualTo("read");
            assertThat(step.why()).startsWith("the model expects +");
        });
    }

    @Test
    void whatTheModelExpectsAndTheStoreDoesNotGiveIsUndone() {
        SimulatedRun run = remote();
        run.stage("read").servers = 6;

        TunedRun tuned = new TunedRun(run, List.of(read(256), decode())).seconds(60);

        assertThat(tuned.kinds()).contains(Kind.REVERTED);
        assertThat(tuned.workers("read")).isBetween(6, 16);
        assertThat(tuned.rate(10)).isGreaterThan(0.95 * 6 / 0.05 / 8);
        assertThat(tuned.isSettled()).isTrue();
    }

    @Test
    void stagesThatTheTrainerDoesNotNeedAreMadeSmaller() {
        SimulatedRun run = remote();
        run.trainerWait = 0.2; // 40 items/s

        TunedRun tuned =
                new TunedRun(run, List.of(new Knob("read", Knob.Kind.CONCURRENCY, 1, 256, 4), decode())).seconds(90);

        assertThat(tuned.workers("decode")).isEqualTo(1);
        assertThat(tuned.rate(20)).isGreaterThan(0.98 * 5);
        assertThat(tuned.isSettled()).isTrue();
    }

    @Test
    void aTrainerThatTheLoaderSlowsDownIsGivenTheProcessors() {
        SimulatedRun run = remote();
        run.trainerThreads = 4;
        run.trainerWork = 0.1;
        run.trainerWait = 0.1;

        TunedRun tuned = new TunedRun(run, List.of(read(256), decode())).seconds(120);

        assertThat(tuned.workers("decode")).isLessThan(4);
        SimulatedRun fixed = remote();
        fixed.trainerThreads = 4;
        fixed.trainerWork = 0.1;
        fixed.trainerWait = 0.1;
        fixed.until(10, at -> {});
        assertThat(tuned.rate(30)).isGreaterThan(0.99 * fixed.rate(30));
    }

    /// A request of 50 ms takes 0.1 ms of a processor, so other processes that keep all of them busy are no reason
    /// to have four under way where a hundred could be.
    @Test
    void aStageThatWaitsGetsMoreWorkersThoughOthersUseAllProcessors() {
        SimulatedRun run = new SimulatedRun(
                1,
                2,
                List.of(
                        new SimulatedStage("source", "source", 1, 1, 0, 0),
                        new SimulatedStage("read", "io", 4, 1, 0.0001, 0.05),
                        new SimulatedStage("batch", "inline", 1, 8, 0, 0)));
        run.foreignThreads = 2;

        TunedRun tuned = new TunedRun(run, List.of(read(128))).seconds(60);

        assertThat(tuned.workers("read")).isGreaterThanOrEqualTo(64);
        assertThat(tuned.rate(10)).isGreaterThan(10 * 4 / 0.05 / 8);
        assertThat(tuned.isSettled()).isTrue();
    }

    @Test
    void aStageThatComputesGetsItsShareOfProcessorsThatOthersUseAndNoMore() {
        SimulatedRun run = remote();
        run.stage("read").wait = 0.0001;
        run.foreignThreads = 4;

        TunedRun tuned = new TunedRun(run, List.of(read(256), decode())).seconds(60);

        assertThat(tuned.workers("read")).isLessThanOrEqualTo(16);
        assertThat(tuned.isSettled()).isTrue();
    }

    @Test
    void theTunerWakesWhenTheWorkChangesAndNotBefore() {
        TunedRun tuned = new TunedRun(remote(), List.of(read(256), decode())).seconds(200);
        assertThat(tuned.isSettled()).isTrue();
        assertThat(tuned.kinds()).doesNotContain(Kind.WOKEN);
        int before = tuned.workers("read");

        tuned.run.stage("read").wait = 0.2;
        tuned.seconds(90);

        assertThat(tuned.kinds()).containsOnlyOnce(Kind.WOKEN);
        assertThat(tuned.workers("read")).isGreaterThan(2 * before);
        assertThat(tuned.rate(10)).isGreaterThan(0.95 * 1000 / 8);
        assertThat(tuned.isSettled()).isTrue();
    }

    @Test
    void aPauseOfTheConsumerChangesNothing() {
        TunedRun tuned = new TunedRun(remote(), List.of(read(256), decode())).seconds(100);
        int steps = tuned.steps.size();

        tuned.run.trainerWait = 40;
        tuned.seconds(1);
        tuned.run.trainerWait = 0;
        tuned.seconds(200);

        assertThat(tuned.steps).hasSize(steps);
    }

    /// As trainers that validate every few seconds: what is measured has a pause in it, and other programs that
    /// come and go are a reason to look again.
    @Test
    void aTrainerThatStopsAgainAndAgainKeepsItsThroughput() {
        for (TuningScenario scenario : TuningScenario.chosen()) {
            TunedRun tuned = new TunedRun(scenario).seconds(100);
            double settled = tuned.rate(10);
            double wait = tuned.run.trainerWait;
            SplittableRandom random = new SplittableRandom(scenario.seed());
            for (int pause = 0; pause < 20; pause++) {
                tuned.run.trainerWait = 2 + 10 * random.nextDouble();
                tuned.seconds(1);
                tuned.run.trainerWait = wait;
                tuned.run.foreignThreads = random.nextInt(2);
                tuned.seconds(10 + 10 * random.nextDouble());
            }
            tuned.run.foreignThreads = 0;
            tuned.seconds(2);

            assertThat(tuned.rate(20) / settled)
                    .as("%s, %s", scenario, tuned.steps)
                    .isGreaterThan(0.85);
        }
    }

    @Test
    void nothingIsRaisedThatDoesNotFitIntoMemory() {
        SimulatedRun run = remote();
        run.itemBytes = 8 * MB;
        run.memoryLimit = 700 * MB;

        TunedRun tuned = new TunedRun(run, List.of(read(256), decode())).seconds(120);

        assertThat(tuned.mostBytes).isLessThan(700 * MB);
        assertThat(tuned.workers("read")).isGreaterThan(4);
    }

    @Test
    void whenItemsBecomeLargerTheRunBecomesSmaller() {
        SimulatedRun run = remote();
        run.itemBytes = MB;
        run.memoryLimit = 700 * MB;
        TunedRun tuned = new TunedRun(run, List.of(read(256), decode())).seconds(60);
        int before = tuned.workers("read");

        run.itemBytes = run.itemBytes * 380 * MB / (run.residentBytes() - run.baseBytes);
        tuned.mostBytes = 0;
        tuned.seconds(60);

        assertThat(tuned.kinds()).contains(Kind.YIELDED);
        assertThat(tuned.workers("read")).isLessThan(before);
        assertThat(run.residentBytes()).isLessThan(680 * MB);
    }

    @Test
    void whatIsTunedByHandIsLeftAlone() {
        TunedRun tuned = new TunedRun(remote(), List.of(read(256), decode())).seconds(3);
        tuned.run.tune(Tuning.concurrency("read", 7));
        tuned.tuner.release(Tuning.concurrency("read", 7));

        tuned.seconds(60);

        assertThat(tuned.workers("read")).isEqualTo(7);
        assertThat(tuned.isSettled()).isTrue();
    }

    @Test
    void theSameLooksLeadToTheSameDecisions() {
        SimulatedCase scenario = new SimulatedCase(4);

        assertThat(new TunedRun(scenario).seconds(40).steps).isEqualTo(new TunedRun(scenario).seconds(40).steps);
    }

    @Test
    void randomPipelinesReachTheBestOfASearchAndStayThere() {
        int cases = CAMPAIGN ? 200 : 4;
        List<Double> shares = new ArrayList<>();
        for (long seed = 1; seed <= cases; seed++) {
            SimulatedCase scenario = new SimulatedCase(seed);
            TunedRun tuned = new TunedRun(scenario).seconds(60);
            double reached = tuned.rate(10);
            double best = scenario.rate(scenario.bestOf(16), 20);
            shares.add(reached / best);
            tuned.seconds(60);
            if (Boolean.getBoolean("tuner.print")) {
                System.out.printf(
                        "%.3f %s%n    %s, best %s%n",
                        reached / best, scenario, tuned.tuner, Arrays.toString(scenario.bestOf(16)));
                tuned.steps.forEach(
                        step -> System.out.printf("      %.1f %s%n", step.at().toMillis() / 1e3, step));
            }

            assertThat(reached / best).as("%s, %s", scenario, tuned.steps).isGreaterThan(CAMPAIGN ? 0.6 : 0.85);
            List<TuningStep> late = tuned.steps.stream()
                    .filter(step ->
                            step.at().toSeconds() >= 70 && step.kind() != Kind.SETTLED && step.kind() != Kind.KEPT)
                    .toList();
            assertThat(late).as(scenario.toString()).hasSizeLessThanOrEqualTo(1);
        }
        double[] sorted = shares.stream().mapToDouble(each -> each).sorted().toArray();
        System.out.printf(
                "tuner: median %.3f, 5 %% %.3f, least %.3f of %d%n",
                sorted[cases / 2], sorted[cases / 20], sorted[0], cases);
        assertThat(sorted[cases / 2]).as(Arrays.toString(sorted)).isGreaterThan(0.95);
    }
}
