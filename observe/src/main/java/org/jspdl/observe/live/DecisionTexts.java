package org.jspdl.observe.live;

import java.util.ArrayList;
import java.util.List;
import org.jspdl.stats.TuningStats;
import org.jspdl.stats.TuningStep;
import org.jspecify.annotations.Nullable;

/// The last decisions of a tuner, in words, which are made once for each decision. Used by one thread at a time.
final class DecisionTexts {
    private static final int MOST = 8;

    private List<String> texts = List.of();
    private @Nullable TuningStep last;

    /// Newest last.
    List<String> of(TuningStats tuning) {
        List<TuningStep> steps = tuning.steps();
        TuningStep newest = steps.isEmpty() ? null : steps.getLast();
        if (newest == null) {
            return List.of();
        }
        if (!newest.equals(last)) {
            List<String> made = new ArrayList<>(MOST);
            for (TuningStep step : steps.subList(Math.max(0, steps.size() - MOST), steps.size())) {
                made.add(Math.round(step.at().toMillis() / 1e3) + " s: " + step);
            }
            texts = List.copyOf(made);
            last = newest;
        }
        return texts;
    }
}
