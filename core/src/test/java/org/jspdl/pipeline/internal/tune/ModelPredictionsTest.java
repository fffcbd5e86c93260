package org.jspdl.pipeline.internal.tune;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspdl.stats.model.PipelineModel;
import org.junit.jupiter.api.Test;

/// What the model of a run says of other settings, and what the run does with them, over the scenarios of
/// [TuningScenariosTest] in simulated time. `-Dtuner.print=true` prints a line of each prediction; `-Dtuning.from=1001`
/// takes twenty others.
class ModelPredictionsTest {
    private static final double TOLERANCE = 0.15;
    private static final double WARM_UP = 5;
    private static final double MEASURED = 20;

    /// A change, and throughput as a multiple of that before.
    private record Prediction(TuningScenario scenario, String what, double predicted, double found) {
        double error() {
            return predicted / found - 1;
        }

        boolean holds() {
            return Math.abs(error()) <= TOLERANCE;
        }
    }

    @Test
    void nineOfTenPredictionsOfOneNumberChangedAreWithinFifteenPercent() {
        List<Prediction> all = new ArrayList<>();
        for (TuningScenario scenario : TuningScenario.chosen()) {
            all.addAll(predictions(scenario));
        }

        List<Prediction> wrong = all.stream().filter(each -> !each.holds()).toList();
        System.out.printf(
                Locale.ROOT, "model: %d of %d predictions within 15 %%%n", all.size() - wrong.size(), all.size());
        if (Boolean.getBoolean("tuner.print")) {
            wrong.forEach(each -> System.out.printf(
                    Locale.ROOT,
                    "%+.2f: predicted %.3f, found %.3f: %s of %s%n",
                    each.error(),
                    each.predicted,
                    each.found,
                    each.what,
                    each.scenario));
        }
        assertThat(wrong).hasSizeLessThanOrEqualTo(all.size() / 10);
    }

    /// Of each number doubled, and halved, from the settings that a run begins with.
    private static List<Prediction> predictions(TuningScenario scenario) {
        List<Knob> knobs = scenario.knobs();
        SimulatedRun run = scenario.run();
        run.until(WARM_UP, at -> {});
        Measurement measured = new Measurement(run.look().finestLink(), run.look());
        run.until(WARM_UP + MEASURED, at -> {});
        measured.add(run.look());
        PipelineModel model = PipelineModel.of(
                measured.interval(),
                new PipelineModel.Processors(measured.processorsAvailable(), measured.processorsUsed(), Map.of()));
        double before = found(scenario, knobs, -1, 0);
        List<Prediction> predictions = new ArrayList<>();
        for (int i = 0; i < knobs.size(); i++) {
            Knob knob = knobs.get(i);
            for (int to : new int[] {Math.min(knob.most(), 2 * knob.start()), Math.ceilDiv(knob.start(), 2)}) {
                if (to != knob.start()) {
                    predictions.add(new Prediction(
                            scenario,
                            knob.stage() + " from " + knob.start() + " to " + to,
                            knob.apply(model, to - knob.start()).rate() / model.rate(),
                            found(scenario, knobs, i, to) / before));
                }
            }
        }
        return predictions;
    }

    /// Batches per second with one number changed.
    private static double found(TuningScenario scenario, List<Knob> knobs, int changed, int to) {
        SimulatedRun run = scenario.run();
        for (int i = 0; i < knobs.size(); i++) {
            run.tune(knobs.get(i).to(i == changed ? to : knobs.get(i).start()));
        }
        run.until(WARM_UP, at -> {});
        return run.rate(2 * MEASURED);
    }
}
