package org.jspdl.pipeline.internal.lineage;

import org.jspdl.pipeline.internal.checkpoint.RunState.BudgetState;

/// Counts the failures of items that are settled. Called with the ledger's lock held, so that no checkpoint counts a
/// failure and has its item fail again.
public interface FailureCount {
    /// Counts a failure whose item is settled with it.
    void settleFailure();

    /// What a resumed run goes on from.
    BudgetState state();
}
