package org.jspdl.pipeline.internal;

import java.util.List;
import org.jspdl.pipeline.PipelineException;
import org.jspdl.stats.StageObserver;
import org.jspdl.stats.StageObserver.Outcome;
import org.jspecify.annotations.Nullable;

/// A stage's function with what surrounds it: fused steps, failure policy, observer, clock. Built once for a run.
final class Step {
    /// A user function, called with the item and the envelope that carries it.
    @FunctionalInterface
    interface Call {
        Object apply(Object item, Envelope envelope) throws Exception;
    }

    private final Stage stage;
    private final RunContext run;
    private final Call call;
    private final Fusion fused;
    private final Failures failures;
    private final @Nullable StageObserver observer;

    Step(Stage stage, RunContext run, Call call, List<Recipe.FusedStep> fused, Failures failures) {
        this.stage = stage;
        this.run = run;
        this.call = call;
        this.fused = new Fusion(fused, run.disposal());
        this.failures = failures;
        this.observer = run.observer() == StageObserver.disabled() ? null : run.observer();
    }

    /// Runs the function on the envelope's item. True if the envelope now carries a result to pass on; false if nothing
    /// comes of the item, which was closed and settled.
    boolean run(Envelope envelope, Slot slot) {
        Object input = envelope.value;
        Throwable failure = null;
        boolean passed = false;
        long start = System.nanoTime();
        slot.enter(Slot.State.BUSY, start);
        try {
            passed = attempt(envelope, input);
        } catch (Throwable thrown) {
            failure = thrown;
        }
        long end = System.nanoTime();
        slot.enter(Slot.State.ENGINE, end);
        slot.called(end - start);
        if (failure != null) {
            slot.failed++;
            fail(envelope, input, failure, end - start);
            return false;
        }
        if (passed) {
            slot.completed++;
        } else {
            slot.filtered++;
            run.ledger().settle(envelope.lineage);
        }
        succeed(end - start, passed);
        return passed;
    }

    private boolean attempt(Envelope envelope, Object input) throws Exception {
        if (observer != null) {
            observer.itemStarted(stage.name, input);
        }
        for (int attempt = 1; ; attempt++) {
            try {
                Object result = call.apply(input, envelope);
                if (result == null) {
                    throw new NullPointerException("the function returned null; to drop items, use a filter");
                }
                envelope.value = result;
                break;
            } catch (Throwable failure) {
                if (run.ending() || !failures.retries(failure, attempt)) {
                    throw failure;
                }
            }
        }
        return fused.apply(envelope);
    }

    private void succeed(long nanos, boolean passed) {
        if (observer != null) {
            observer.itemEnded(stage.name, nanos, passed ? Outcome.COMPLETED : Outcome.FILTERED);
        }
        PipelineException tooMany = failures.succeeded();
        if (tooMany != null) {
            run.fail(stage, tooMany);
        }
    }

    private void fail(Envelope envelope, Object input, Throwable failure, long nanos) {
        Object last = envelope.value;
        envelope.value = null;
        run.disposal().dispose(last);
        if (stage.stopped()) {
            return;
        }
        if (observer != null) {
            observer.itemEnded(stage.name, nanos, Outcome.FAILED);
        }
        PipelineException fatal;
        try {
            fatal = failures.failed(failure, input, envelope.lineage);
        } catch (RuntimeException recorder) {
            recorder.addSuppressed(failure);
            fatal = new PipelineException(
                    stage.name,
                    "pipeline '" + run.pipeline() + "', stage '" + stage.name + "': the quarantine failed: "
                            + recorder.getMessage(),
                    recorder);
        }
        if (fatal != null) {
            run.fail(stage, fatal);
        } else {
            run.ledger().settle(envelope.lineage);
        }
    }
}
