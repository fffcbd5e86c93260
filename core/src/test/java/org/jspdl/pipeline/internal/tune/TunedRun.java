package org.jspdl.pipeline.internal.tune;

import java.util.ArrayList;
import java.util.List;
import org.jspdl.stats.TuningStats;
import org.jspdl.stats.TuningStep;

/// A simulated run with its tuner.
final class TunedRun {
    private static final double BETWEEN_LOOKS = 0.25;

    final SimulatedRun run;
    final Tuner tuner;
    final List<TuningStep> steps = new ArrayList<>();
    long mostBytes;
    int mostRequests;

    TunedRun(SimulatedRun run, List<Knob> knobs) {
        this.run = run;
        this.tuner = new Tuner(knobs);
        tuner.look(run.look());
    }

    TunedRun(SimulatedWork scenario) {
        this(scenario.run(), scenario.knobs());
    }

    /// Goes on for this time.
    TunedRun seconds(double seconds) {
        double end = run.now() + seconds;
        while (run.now() < end) {
            run.until(run.now() + BETWEEN_LOOKS, at -> sample());
            for (Action action : tuner.look(run.look())) {
                action.tuning().ifPresent(run::tune);
                steps.add(action.step());
            }
        }
        return this;
    }

    private void sample() {
        mostBytes = Math.max(mostBytes, run.residentBytes());
        for (SimulatedStage stage : run.stages) {
            mostRequests = Math.max(mostRequests, stage.computes() ? 0 : stage.active);
        }
    }

    /// Batches per second over `seconds` from now on, while the tuner goes on.
    double rate(double seconds) {
        long before = run.delivered();
        seconds(seconds);
        return (run.delivered() - before) / seconds;
    }

    boolean isSettled() {
        return tuner.state() == TuningStats.State.SETTLED;
    }

    List<TuningStep.Kind> kinds() {
        return steps.stream().map(TuningStep::kind).toList();
    }

    int workers(String stage) {
        return run.stage(stage).workers;
    }
}
