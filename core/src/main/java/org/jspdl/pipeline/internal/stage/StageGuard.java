package org.jspdl.pipeline.internal.stage;

import org.jspdl.pipeline.PipelineException;
import org.jspdl.pipeline.internal.failure.Descriptions;
import org.jspdl.pipeline.internal.failure.FailureBudget;
import org.jspdl.pipeline.internal.failure.Failures;
import org.jspdl.pipeline.internal.link.Envelope;
import org.jspdl.stats.StageObserver;
import org.jspdl.stats.StageObserver.Outcome;
import org.jspecify.annotations.Nullable;

/// What a stage does about whatever is thrown by code that users wrote: by its functions, and by what is told of them.
///
/// Every stage has one. A failed item is skipped or ends the run, as the stage's policy says. A policy, an observer or
/// a quarantine that throws ends the run too. Nothing that is called here throws.
public final class StageGuard {
    /// Something of the user's that is told what happened.
    @FunctionalInterface
    interface Told {
        /// Tells it.
        void tell() throws Throwable;
    }

    private final Stage stage;
    private final RunContext run;
    private final Failures failures;
    private final @Nullable StageObserver observer;
    private final @Nullable ItemObservers items;

    StageGuard(Stage stage, Failures failures) {
        this.stage = stage;
        this.run = stage.run;
        this.failures = failures;
        this.observer = run.observer() == StageObserver.disabled() ? null : run.observer();
        this.items = run.items();
    }

    /// Tells the observer that a function is about to be called. What it throws fails the item.
    public void started(Object input) {
        if (observer != null) {
            observer.itemStarted(stage.name, input);
        }
    }

    /// Fails an item that an earlier run skipped, before anything is called for it.
    ///
    /// @throws Exception if it is one
    public void refuse(Envelope envelope) throws Exception {
        if (failures.skipsAgain(envelope.lineage)) {
            throw failures.again();
        }
    }

    /// Tells the observers what became of an item.
    public void ended(Envelope envelope, long end, long nanos, Outcome outcome) {
        StageObserver told = observer;
        if (told != null) {
            tell(() -> {
                told.itemEnded(stage.name, nanos, outcome);
                if (items != null) {
                    items.worked(stage.name, envelope.lineage, end - nanos, end, outcome);
                }
            });
        }
    }

    /// Tells somebody; if that fails, the run does.
    void tell(Told told) {
        try {
            told.tell();
        } catch (Throwable failure) {
            run.fail(stage, stage.observerFailed(failure));
        }
    }

    /// Whether a call may be repeated after `failure`. A predicate that throws ends the run.
    public boolean mayRetry(Throwable failure, int attempt) {
        if (stage.isInVain()) {
            return false;
        }
        try {
            return failures.mayRetry(failure, attempt);
        } catch (Throwable broken) {
            suppress(broken, failure);
            run.fail(stage, environment("the predicate of its retries failed: ", broken));
            return false;
        }
    }

    /// How long to wait after call number `attempt`.
    public long backoffNanos(int attempt) {
        return failures.backoffNanos(attempt);
    }

    /// Counts a call that succeeded, which may show that too many failed before.
    public void succeeded() {
        PipelineException tooMany = failures.succeeded();
        if (tooMany != null) {
            run.fail(stage, tooMany);
        }
    }

    /// Closes what the envelope holds and applies the failure policy. The caller has counted the failure. An item
    /// that fails while the stage works [in vain][Stage#isInVain] may have been refused an attempt, so a policy
    /// does not settle it.
    ///
    /// @param input what failed, for who describes it; it may be closed
    /// @return whether the run ends
    public boolean failed(Envelope envelope, @Nullable Object input, Throwable failure) {
        run.disposal().dispose(envelope);
        if (stage.stopped()) {
            return true;
        }
        if (fatal(envelope, input, failure) || stage.isInVain()) {
            return true;
        }
        tell(() -> failures.tellSkipped(envelope.lineage, failure)); // before anything behind it goes on
        run.skipped(envelope, budget());
        return false;
    }

    /// Applies the failure policy; true if the run ends. Of an item that is not skipped as a whole, because parts
    /// of it have passed, nobody is told: it could not be skipped again.
    public boolean fatal(Envelope envelope, @Nullable Object input, Throwable failure) {
        PipelineException fatal = verdict(envelope, input, failure);
        if (fatal != null) {
            // First, so that nothing behind the item passes while the run begins to end.
            stage.breakOff(envelope.sequence);
            run.fail(stage, fatal);
        }
        return fatal != null;
    }

    /// Applies the failure policy; what the run is to end with, or null if the item is skipped.
    @Nullable
    PipelineException verdict(Envelope envelope, @Nullable Object input, Throwable failure) {
        try {
            return failures.failed(failure, input, envelope.lineage);
        } catch (Throwable recorder) {
            suppress(recorder, failure);
            return environment("the quarantine failed: ", recorder);
        }
    }

    private static void suppress(Throwable failure, Throwable before) {
        if (failure != before) {
            failure.addSuppressed(before);
        }
    }

    private PipelineException environment(String what, Throwable cause) {
        return new PipelineException(
                stage.name,
                "pipeline '" + run.pipeline() + "', stage '" + stage.name + "': " + what + Descriptions.of(cause),
                cause);
    }

    /// What counts the stage's failures.
    public FailureBudget budget() {
        return failures.budget();
    }

    /// Clears the interrupt that a function may have left on the stage's thread, which is nothing to the next item.
    /// One that stops the stage stays.
    public void forgetInterrupt() {
        if (!stage.stopped() && Thread.interrupted() && stage.stopped()) {
            Thread.currentThread().interrupt();
        }
    }
}
