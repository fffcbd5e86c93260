package org.jspdl.pipeline.internal.tune;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.jspdl.pipeline.Tuning;
import org.jspdl.pipeline.TuningBudget;
import org.jspdl.stats.TuningStats;
import org.jspdl.stats.TuningStep;
import org.junit.jupiter.api.Test;

/// What becomes of decisions, with a simulated run: no clock and no other process has a part in them.
class TuningLoopTest {
    private final SimulatedRun run = new SimulatedRun(
            1,
            2,
            List.of(
                    new SimulatedStage("source", "source", 1, 1, 0, 0),
                    new SimulatedStage("wait", "io", 1, 1, 0, 0.005)));
    private final Knob wait = new Knob("wait", Knob.Kind.CONCURRENCY, 1, 16, 1);
    private final List<Tuning> changes = new ArrayList<>();
    private final List<TuningStep> recorded = new ArrayList<>();
    private final List<Integer> workersWhenRecorded = new ArrayList<>();
    private final TuningLoop loop = new TuningLoop(
            List.of(wait),
            TuningBudget.MACHINE,
            change -> {
                changes.add(change);
                run.tune(change);
            },
            step -> {
                recorded.add(step);
                workersWhenRecorded.add(run.stage("wait").workers);
            });

    private void lookFor(double seconds) {
        double end = run.now() + seconds;
        loop.look(run.look());
        while (run.now() < end) {
            run.until(run.now() + 0.25, at -> {});
            loop.look(run.look());
        }
    }

    /// One worker waits 5 ms for each item, so the model expects twice the throughput of two.
    @Test
    void aStageThatWaitsGetsMoreWorkersAndTheDecisionIsRecorded() {
        lookFor(30);

        assertThat(recorded).isEqualTo(loop.stats().steps());
        assertThat(recorded).first().satisfies(step -> {
            assertThat(step.kind()).isEqualTo(TuningStep.Kind.TRIED);
            assertThat(step.stage()).isEqualTo("wait");
            assertThat(step.predicted()).isGreaterThan(1.03);
            assertThat(step.to()).isGreaterThan(1);
        });
        assertThat(changes).first().isEqualTo(wait.to(recorded.getFirst().to()));
        assertThat(workersWhenRecorded).first().isEqualTo(recorded.getFirst().to());
        assertThat(run.stage("wait").workers).isEqualTo(16);
        assertThat(loop.stats().state()).isEqualTo(TuningStats.State.SETTLED);
    }

    @Test
    void whatTheUserHasChangedIsNotDecidedAnyLonger() {
        loop.takenOver(Tuning.concurrency("wait", 3));

        lookFor(30);

        assertThat(loop.isTaken(Tuning.concurrency("wait", 5))).isTrue();
        assertThat(changes).isEmpty();
        assertThat(recorded).extracting(TuningStep::kind).containsExactly(TuningStep.Kind.SETTLED);
    }

    @Test
    void beforeTheFirstDecisionTheRunIsWarmingUp() {
        assertThat(loop.stats()).isEqualTo(new TuningStats(TuningStats.State.WARMING_UP, List.of()));

        loop.look(run.look());

        assertThat(loop.stats()).isEqualTo(new TuningStats(TuningStats.State.WARMING_UP, List.of()));
    }
}
