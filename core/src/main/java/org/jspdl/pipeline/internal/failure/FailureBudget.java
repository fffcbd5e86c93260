package org.jspdl.pipeline.internal.failure;

import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import org.jspdl.pipeline.FailurePolicy;
import org.jspdl.pipeline.internal.checkpoint.RunState;
import org.jspdl.pipeline.internal.lineage.FailureCount;

/// How many failures are still survived; shared by the stages that a policy covers.
public final class FailureBudget implements FailureCount {
    private final FailurePolicy base;
    private final AtomicLong calls = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();
    /// Failures whose item will not come again in a resumed run; guarded by the ledger's lock.
    private long settled;

    public FailureBudget(FailurePolicy policy) {
        this.base = base(policy);
    }

    private static FailurePolicy base(FailurePolicy policy) {
        return switch (policy) {
            case FailurePolicy.Retry retry -> base(retry.base());
            case FailurePolicy.Quarantine quarantine -> base(quarantine.base());
            case FailurePolicy.FailFast failFast -> failFast;
            case FailurePolicy.SkipCount count -> count;
            case FailurePolicy.SkipRate rate -> rate;
        };
    }

    /// Whether a failure is survived at all.
    boolean skips() {
        return !(base instanceof FailurePolicy.FailFast);
    }

    /// Counts a call that succeeded; true if the end of the probation shows that too many failed before.
    boolean succeeded() {
        return base instanceof FailurePolicy.SkipRate rate
                && calls.incrementAndGet() == rate.minCalls()
                && exceeds(rate, failures.get(), rate.minCalls());
    }

    /// Counts a call that failed; true if that is one too many.
    boolean failed() {
        calls.incrementAndGet();
        long failed = failures.incrementAndGet();
        // Read after counting the failure, so that it includes the call of every failure counted so far.
        long total = calls.get();
        return switch (base) {
            case FailurePolicy.SkipCount count -> failed > count.limit();
            case FailurePolicy.SkipRate rate -> total >= rate.minCalls() && exceeds(rate, failed, total);
            case FailurePolicy.FailFast _, FailurePolicy.Retry _, FailurePolicy.Quarantine _ -> true;
        };
    }

    private static boolean exceeds(FailurePolicy.SkipRate rate, long failed, long total) {
        return failed > rate.rate() * total;
    }

    /// Goes on counting where an earlier run stood.
    public void restore(RunState.BudgetState state) {
        calls.set(state.calls());
        failures.set(state.failures());
        settled = state.failures();
    }

    /// Counts a failure whose item is settled with it. Called with the ledger's lock held, so that no snapshot
    /// counts a failure and has its item fail again.
    @Override
    public void settleFailure() {
        settled++;
    }

    /// What a resumed run goes on from; called with the ledger's lock held.
    @Override
    public RunState.BudgetState state() {
        return new RunState.BudgetState(Math.max(calls.get(), settled), settled);
    }

    /// "13 of 1,204 items failed (1.1 %), more than the 1.0 % allowed by skipRate".
    String verdict() {
        long failed = failures.get();
        return switch (base) {
            case FailurePolicy.SkipCount count ->
                String.format(
                        Locale.ROOT, "%,d items failed, more than the %,d allowed by skip", failed, count.limit());
            case FailurePolicy.SkipRate rate ->
                String.format(
                        Locale.ROOT,
                        "%,d of %,d items failed (%.1f %%), more than the %.1f %% allowed by skipRate",
                        failed,
                        calls.get(),
                        100.0 * failed / Math.max(1, calls.get()),
                        100 * rate.rate());
            case FailurePolicy.FailFast _, FailurePolicy.Retry _, FailurePolicy.Quarantine _ ->
                "the first failure stops it";
        };
    }
}
