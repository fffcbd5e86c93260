package org.jspdl.pipeline.internal.function;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import org.jspdl.pipeline.internal.flight.CallSampling;
import org.jspdl.pipeline.internal.flight.FlightEvents;
import org.jspdl.pipeline.internal.link.Disposer;
import org.jspdl.pipeline.internal.link.Envelope;
import org.jspdl.pipeline.internal.recipe.Recipe;
import org.jspdl.pipeline.internal.stage.Deadlines;
import org.jspdl.pipeline.internal.stage.Fusion;
import org.jspdl.pipeline.internal.stage.RunContext;
import org.jspdl.pipeline.internal.stage.Stage;
import org.jspdl.pipeline.internal.stage.StageGuard;
import org.jspdl.pipeline.internal.stage.WorkerSlot;
import org.jspdl.stats.StageObserver.Outcome;
import org.jspecify.annotations.Nullable;

/// A stage's function with what surrounds it: attempts, deadlines, fused steps, failure policy, observer, clock. Built
/// once for a run.
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
    private final CallSampling sampling = new CallSampling();
    private final boolean ownsThreads;
    private Deadlines.@Nullable Limits limits;
    private Deadlines.@Nullable Giver giver;

    public StageInvoker(Stage stage, RunContext run, Call call, List<Recipe.FusedStep> fused) {
        this.stage = stage;
        this.run = run;
        this.call = call;
        this.fused = new Fusion(fused, run);
        this.ownsThreads = !(stage instanceof AsyncStage);
    }

    /// Limits the function's calls; called once, before the run starts.
    ///
    /// @param newGiver is told of calls that don't answer their interrupt
    public void limit(Deadlines.Limits newLimits, Deadlines.Giver newGiver) {
        limits = newLimits;
        giver = newGiver;
    }

    private StageGuard guard() {
        return stage.guard();
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
        return envelope.lineage == null ? "" : envelope.lineage.toString();
    }

    private boolean call(Envelope envelope, WorkerSlot slot) {
        Object input = envelope.value;
        long start = System.nanoTime();
        slot.enter(WorkerSlot.State.BUSY, start);
        try {
            guard().refuse(envelope);
            guard().started(input);
        } catch (Throwable failure) {
            return finish(envelope, input, null, failure, slot, start);
        }
        return attempts(envelope, input, slot, start, 1);
    }

    /// Goes on with the item of a call that was given up: calls again, or applies the failure policy. The call may
    /// use its input for as long as it likes, so one that must be closed stays with it and is not given to another
    /// call.
    ///
    /// @param slot the calling thread's
    boolean takeOver(Deadlines.Call given, WorkerSlot slot) {
        slot.enter(WorkerSlot.State.BUSY, System.nanoTime());
        Envelope envelope = given.envelope;
        TimeoutException late = given.late();
        if (Disposer.isCloseable(given.input)) {
            envelope.value = null;
        } else if (repeats(late, given.attempt, given.start)) {
            return attempts(envelope, given.input, slot, given.start, given.attempt + 1);
        }
        return finish(envelope, given.input, null, late, slot, given.start);
    }

    private boolean attempts(Envelope envelope, Object input, WorkerSlot slot, long start, int first) {
        for (int attempt = first; ; attempt++) {
            Throwable failure;
            try {
                Object result = limits == null
                        ? Stage.checked(call.apply(input, envelope))
                        : watched(limits, envelope, input, slot, start, attempt);
                return finish(envelope, input, result, null, slot, start);
            } catch (Deadlines.AbandonedCall abandoned) {
                throw abandoned;
            } catch (Throwable thrown) {
                failure = thrown;
            }
            if (!repeats(failure, attempt, start)) {
                return finish(envelope, input, null, failure, slot, start);
            }
        }
    }

    /// Whether another attempt follows a failure; waits for the pause before it.
    private boolean repeats(Throwable failure, int attempt, long start) {
        guard().forgetInterrupt();
        if (failure instanceof UsedUp || !guard().mayRetry(failure, attempt)) {
            return false;
        }
        long pause = guard().backoffNanos(attempt);
        if (limits != null && !limits.leaveTime(start, pause)) {
            return false;
        }
        try {
            Thread.sleep(Duration.ofNanos(pause));
            return true;
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            return false;
        }
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

    /// The function was late, and what came of it in the end has used up the input.
    private static final class UsedUp extends TimeoutException {
        private static final long serialVersionUID = 1L;

        UsedUp(TimeoutException late) {
            super(late.getMessage());
        }
    }

    private Object watched(
            Deadlines.Limits limit, Envelope envelope, Object input, WorkerSlot slot, long start, int attempt)
            throws Throwable {
        Deadlines.Call watched =
                run.deadlines().begin(limit, Objects.requireNonNull(giver), envelope, input, slot, start, attempt);
        Object result;
        try {
            result = Stage.checked(call.apply(input, envelope));
        } catch (Throwable thrown) {
            throw switch (watched.end()) {
                case IN_TIME -> thrown;
                case LATE -> {
                    TimeoutException late = limit.late(start, "");
                    late.addSuppressed(thrown);
                    yield late;
                }
                case ABANDONED -> returned(input, thrown);
            };
        }
        return switch (watched.end()) {
            case IN_TIME -> result;
            case LATE -> {
                run.disposal().dispose(result);
                TimeoutException late = limit.late(start, "");
                if (!Disposer.isCloseable(input)) {
                    throw late;
                }
                envelope.value = null;
                throw new UsedUp(late);
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

    private long elapsed(long start, WorkerSlot slot) {
        if (ownsThreads) {
            guard().forgetInterrupt();
        }
        long end = System.nanoTime();
        slot.enter(WorkerSlot.State.ENGINE, end);
        return end - start;
    }

    private void succeeded(Envelope envelope, boolean passed, WorkerSlot slot, long nanos) {
        slot.called(nanos);
        if (passed) {
            slot.completed++;
        } else {
            slot.filtered++;
            stage.settled(envelope);
        }
        guard().ended(envelope, slot.since(), nanos, passed ? Outcome.COMPLETED : Outcome.FILTERED);
        guard().succeeded();
    }

    /// Closes what the envelope holds, counts the failure and applies the failure policy.
    void failed(Envelope envelope, Object input, Throwable failure, WorkerSlot slot, long nanos) {
        slot.called(nanos);
        slot.failed++;
        if (!stage.stopped()) {
            guard().ended(envelope, slot.since(), nanos, Outcome.FAILED);
        }
        boolean _ = guard().failed(envelope, input, failure);
    }
}
