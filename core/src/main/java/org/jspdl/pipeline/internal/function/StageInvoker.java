package org.jspdl.pipeline.internal.function;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspdl.pipeline.PipelineException;
import org.jspdl.pipeline.internal.failure.FailureBudget;
import org.jspdl.pipeline.internal.failure.Failures;
import org.jspdl.pipeline.internal.flight.CallSampling;
import org.jspdl.pipeline.internal.flight.FlightEvents;
import org.jspdl.pipeline.internal.link.Envelope;
import org.jspdl.pipeline.internal.recipe.Recipe;
import org.jspdl.pipeline.internal.stage.Deadlines;
import org.jspdl.pipeline.internal.stage.Fusion;
import org.jspdl.pipeline.internal.stage.ItemObservers;
import org.jspdl.pipeline.internal.stage.RunContext;
import org.jspdl.pipeline.internal.stage.Stage;
import org.jspdl.pipeline.internal.stage.WorkerSlot;
import org.jspdl.stats.StageObserver;
import org.jspdl.stats.StageObserver.Outcome;
import org.jspecify.annotations.Nullable;

/// A stage's function with what surrounds it: fused steps, failure policy, observer, clock. Built once for a run.
public final class StageInvoker {
    /// A user function, called with the item and the envelope that carries it.
    @FunctionalInterface
    public interface Call {
        Object apply(Object item, Envelope envelope) throws Exception;
    }

    private final Stage stage;
    private final RunContext run;
    private final Call call;
    private final Fusion fused;
    private final Failures failures;
    private final @Nullable StageObserver observer;
    private final @Nullable ItemObservers items;
    private final CallSampling sampling = new CallSampling();
    private final boolean ownsThreads;
    private @Nullable Deadlines deadlines;

    public StageInvoker(Stage stage, RunContext run, Call call, List<Recipe.FusedStep> fused, Failures failures) {
        this.stage = stage;
        this.run = run;
        this.call = call;
        this.fused = new Fusion(fused, run);
        this.failures = failures;
        this.observer = run.observer() == StageObserver.disabled() ? null : run.observer();
        this.items = run.items();
        this.ownsThreads = !(stage instanceof AsyncStage);
    }

    /// Watches the function's calls from here on; called once, before the run starts.
    public void watchedBy(Deadlines newDeadlines) {
        deadlines = newDeadlines;
    }

    Failures failures() {
        return failures;
    }

    /// Runs the function on the envelope's item. True if the envelope now carries a result to pass on; false if
    /// nothing comes of the item, which was closed and settled.
    ///
    /// @throws Deadlines.AbandonedCall if the call was given up meanwhile: nothing of the stage is the thread's any
    ///     more
    boolean run(Envelope envelope, WorkerSlot slot) {
        FlightEvents.Active flight = run.flight();
        return flight == null ? call(envelope, slot) : recorded(flight, envelope, slot);
    }

    private boolean recorded(FlightEvents.Active flight, Envelope envelope, WorkerSlot slot) {
        // The slot has entered its state just now, which saves reading the clock.
        long before = slot.since();
        if (sampling.chooses(before, slot.expectedNanos())) {
            return flight.item(run.pipeline(), stage.name, () -> place(envelope), () -> call(envelope, slot));
        }
        boolean passed = call(envelope, slot);
        flight.unchosen(run.pipeline(), stage.name, () -> place(envelope), slot.since() - before);
        return passed;
    }

    private static String place(Envelope envelope) {
        return envelope.lineage == null ? "" : envelope.lineage.key();
    }

    private boolean call(Envelope envelope, WorkerSlot slot) {
        Object input = envelope.value;
        long start = System.nanoTime();
        slot.enter(WorkerSlot.State.BUSY, start);
        Object result = null;
        Throwable failure = null;
        try {
            started(input);
            result = deadlines == null ? attempt(envelope, input) : watched(deadlines, envelope, input, slot);
        } catch (Deadlines.AbandonedCall abandoned) {
            throw abandoned;
        } catch (Throwable thrown) {
            failure = thrown;
        }
        return finish(envelope, input, result, failure, slot, start);
    }

    /// Ends a call that began at `start`, whoever made it: runs the fused steps on its result, or applies the
    /// failure policy, and counts it. True if the envelope now carries a result to pass on; false if nothing comes
    /// of the item, which was closed and settled.
    boolean finish(
            Envelope envelope,
            Object input,
            @Nullable Object result,
            @Nullable Throwable failure,
            WorkerSlot slot,
            long start) {
        boolean passed = false;
        Throwable thrown = failure;
        if (thrown == null) {
            try {
                envelope.value = Stage.checked(result);
                passed = fused.apply(envelope);
            } catch (Throwable late) {
                thrown = late;
            }
        }
        long nanos = elapsed(start, slot);
        if (thrown == null) {
            succeeded(envelope, passed, slot, nanos);
        } else {
            failed(envelope, input, thrown, slot, nanos);
        }
        return passed;
    }

    private Object watched(Deadlines watching, Envelope envelope, Object input, WorkerSlot slot) throws Throwable {
        Deadlines.Call call = watching.begin(envelope, input, slot);
        Object result;
        try {
            result = attempt(envelope, input);
        } catch (Throwable thrown) {
            throw switch (call.end()) {
                case IN_TIME -> thrown;
                case LATE -> late(watching, thrown);
                case ABANDONED -> returned(input, thrown);
            };
        }
        return switch (call.end()) {
            case IN_TIME -> result;
            case LATE -> {
                run.disposal().dispose(result);
                throw late(watching, null);
            }
            case ABANDONED -> throw returned(result, null);
        };
    }

    /// Closes what a call that was given up has kept; what its thread unwinds with.
    private Deadlines.AbandonedCall returned(Object kept, @Nullable Throwable thrown) {
        run.disposal().dispose(kept);
        stage.returned();
        return new Deadlines.AbandonedCall(thrown);
    }

    private static TimeoutException late(Deadlines watching, @Nullable Throwable thrown) {
        TimeoutException timeout = new TimeoutException("the call took longer than its deadline of "
                + TimeUnit.NANOSECONDS.toMillis(watching.limitNanos()) + " ms");
        if (thrown != null) {
            timeout.addSuppressed(thrown);
        }
        return timeout;
    }

    /// Applies the failure policy to a call that did not answer its interrupt. Its input stays with it until it
    /// returns.
    public void abandoned(Deadlines.Call call) {
        call.slot.failed++;
        tell(call.envelope, System.nanoTime(), Objects.requireNonNull(deadlines).limitNanos(), Outcome.FAILED);
        call.envelope.value = null;
        if (!stage.stopped() && !fatal(call.envelope, call.input, call.late())) {
            run.settled(call.envelope);
        }
    }

    private Object attempt(Envelope envelope, Object input) throws Exception {
        for (int attempt = 1; ; attempt++) {
            try {
                return Stage.checked(call.apply(input, envelope));
            } catch (Throwable failure) {
                if (run.ending() || !failures.retries(failure, attempt)) {
                    throw failure;
                }
            }
        }
    }

    private long elapsed(long start, WorkerSlot slot) {
        if (ownsThreads && !stage.stopped()) {
            // A function may leave its thread interrupted, which is nothing to the next item.
            Thread.interrupted();
        }
        long end = System.nanoTime();
        slot.enter(WorkerSlot.State.ENGINE, end);
        return end - start;
    }

    /// Tells the observer that the function is about to be called.
    void started(Object input) {
        if (observer != null) {
            observer.itemStarted(stage.name, input);
        }
    }

    /// Tells the observer what became of an item; if the observer throws, the run fails.
    private void tell(Envelope envelope, long end, long nanos, Outcome outcome) {
        if (observer != null) {
            try {
                observer.itemEnded(stage.name, nanos, outcome);
                if (items != null) {
                    items.worked(stage.name, envelope.lineage, end - nanos, end, outcome);
                }
            } catch (Throwable failure) {
                run.fail(stage, stage.observerFailed(failure));
            }
        }
    }

    private void succeeded(Envelope envelope, boolean passed, WorkerSlot slot, long nanos) {
        slot.called(nanos);
        if (passed) {
            slot.completed++;
        } else {
            slot.filtered++;
            run.settled(envelope);
        }
        tell(envelope, slot.since(), nanos, passed ? Outcome.COMPLETED : Outcome.FILTERED);
        PipelineException tooMany = failures.succeeded();
        if (tooMany != null) {
            run.fail(stage, tooMany);
        }
    }

    /// Closes what the envelope holds and applies the failure policy.
    void failed(Envelope envelope, Object input, Throwable failure, WorkerSlot slot, long nanos) {
        slot.called(nanos);
        slot.failed++;
        run.disposal().dispose(envelope);
        if (stage.stopped()) {
            return;
        }
        tell(envelope, slot.since(), nanos, Outcome.FAILED);
        if (!fatal(envelope, input, failure)) {
            run.skipped(envelope, budget());
        }
    }

    /// What counts the stage's failures.
    FailureBudget budget() {
        return failures.budget();
    }

    /// Applies the failure policy; true if the run ends.
    boolean fatal(Envelope envelope, Object input, Throwable failure) {
        PipelineException fatal;
        try {
            fatal = failures.failed(failure, input, envelope.lineage);
        } catch (Throwable recorder) {
            recorder.addSuppressed(failure);
            fatal = new PipelineException(
                    stage.name,
                    "pipeline '" + run.pipeline() + "', stage '" + stage.name + "': the quarantine failed: "
                            + recorder.getMessage(),
                    recorder);
        }
        if (fatal != null) {
            // First, so that nothing behind the item passes while the run begins to end.
            stage.breakOff(envelope.sequence);
            run.fail(stage, fatal);
        }
        return fatal != null;
    }
}
