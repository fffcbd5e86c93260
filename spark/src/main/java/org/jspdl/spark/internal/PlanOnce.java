package org.jspdl.spark.internal;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Looks at a plan when somebody first asks, for all that the driver wants to know of one reading. Thread-safe; stays
/// on the driver.
public final class PlanOnce {
    private final ReadOptions options;
    private @Nullable PlanSight sight;

    /// @param options with or without a plan
    public PlanOnce(ReadOptions options) {
        this.options = options;
    }

    /// What there is to see; [PlanSight#NONE] without a plan.
    public synchronized PlanSight sight() throws IOException {
        PlanSight seen = sight;
        if (seen == null) {
            seen = options.plan().isBlank() ? PlanSight.NONE : PlanSight.of(options);
            sight = seen;
        }
        return seen;
    }

    /// All of the same options look at the same.
    @Override
    public boolean equals(Object other) {
        return other instanceof PlanOnce that && options.equals(that.options);
    }

    @Override
    public int hashCode() {
        return options.hashCode();
    }
}
