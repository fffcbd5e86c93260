package org.jspdl.pipeline.internal.run;

import java.util.ArrayList;
import java.util.List;
import org.jspdl.pipeline.Placement;
import org.jspdl.pipeline.StageOptions;
import org.jspdl.pipeline.TuningBudget;
import org.jspdl.pipeline.internal.link.Link;
import org.jspdl.pipeline.internal.tune.Knob;

/// Collects what a run's tuner chooses, while the run is planned. Used by one thread.
final class AutoKnobs {
    private final TuningBudget budget;
    private final List<Knob> knobs = new ArrayList<>();

    AutoKnobs(TuningBudget budget) {
        this.budget = budget;
    }

    /// Adds what is automatic in `options`.
    ///
    /// @param fixed whether the size of the link behind the stage was set
    void add(String stage, StageOptions options, Link output, boolean fixed) {
        options.autoConcurrency().ifPresent(auto -> {
            int most = auto.most();
            if (options.placement() instanceof Placement.Cpu
                    && budget.processors().isPresent()) {
                most = Math.min(most, (int) Math.ceil(budget.processors().getAsDouble()));
            }
            knobs.add(new Knob(
                    stage, Knob.Kind.CONCURRENCY, auto.least(), Math.max(auto.least(), most), options.concurrency()));
        });
        options.autoBuffer()
                .filter(auto -> !fixed)
                .ifPresent(auto ->
                        knobs.add(new Knob(stage, Knob.Kind.BUFFER, auto.least(), auto.most(), output.buffer())));
    }

    List<Knob> list() {
        return List.copyOf(knobs);
    }
}
