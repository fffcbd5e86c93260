package org.jspdl.pipeline.internal.run;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspdl.pipeline.FailurePolicy;
import org.jspdl.pipeline.internal.checkpoint.RunState;
import org.jspdl.pipeline.internal.failure.FailureBudget;
import org.jspdl.pipeline.internal.failure.Failures;
import org.jspdl.pipeline.internal.stage.RunContext;
import org.jspdl.stats.SkipObserver;
import org.jspecify.annotations.Nullable;

/// The failure policies of a run's stages, and the budgets that they count in. A stage without a policy of its own
/// shares the run's.
final class StageFailures {
    /// The name under which the run's own failure policy counts.
    private static final String SHARED = "";

    private final RunContext run;
    private final @Nullable RunState resumed;
    private final List<SkipObserver> skips;
    private final Map<String, FailureBudget> budgets = new LinkedHashMap<>();

    StageFailures(RunContext run, @Nullable RunState resumed) {
        this.run = run;
        this.resumed = resumed;
        this.skips = run.options().observers().stream()
                .filter(SkipObserver.class::isInstance)
                .map(SkipObserver.class::cast)
                .toList();
        count(SHARED, run.options().failures());
    }

    Failures of(String stage, Optional<FailurePolicy> own) {
        own.ifPresent(policy -> count(stage, policy));
        FailureBudget budget = Objects.requireNonNull(budgets.get(own.isPresent() ? stage : SHARED));
        return new Failures(run.pipeline(), stage, own.orElse(run.options().failures()), budget, skips);
    }

    Map<String, FailureBudget> budgets() {
        return budgets;
    }

    private void count(String stage, FailurePolicy policy) {
        FailureBudget budget = new FailureBudget(policy);
        if (resumed != null && resumed.budgets().containsKey(stage)) {
            budget.restore(resumed.budgets().get(stage));
        }
        budgets.put(stage, budget);
    }
}
