package org.jspdl.pipeline.internal.function;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspdl.pipeline.StageFunction;
import org.jspdl.pipeline.internal.link.Envelope;
import org.jspdl.pipeline.internal.link.Link;
import org.jspdl.pipeline.internal.stage.ProgressRule;
import org.jspdl.pipeline.internal.stage.RunContext;
import org.jspdl.pipeline.internal.stage.ThreadStage;
import org.jspdl.pipeline.internal.stage.WorkerSlot;
import org.jspecify.annotations.Nullable;

/// A stage whose function returns before its result is there.
///
/// One virtual thread takes items and calls the function while fewer than `concurrency` calls are under way. Results
/// are put into room that was reserved before, so the thread that completes a call never waits here.
public final class AsyncStage extends ThreadStage {
    private final Link input;
    private final Link output;
    private final Handover handover;
    private final StageFunction<Object, CompletionStage<?>> function;
    private final OptionalLong deadlineNanos;
    private final Semaphore permits;
    private final ArrayDeque<WorkerSlot> free = new ArrayDeque<>();
    /// What each item waits for: its call, or the pause before the next attempt.
    private final Map<Envelope, CompletableFuture<?>> underWay = new ConcurrentHashMap<>();

    @SuppressWarnings("NullAway.Init") // assemble gives it, before the run starts
    private StageInvoker invoker;

    public AsyncStage(
            RunContext run,
            String name,
            int concurrency,
            StageFunction<Object, CompletionStage<?>> function,
            OptionalLong deadlineNanos,
            Link input,
            Link output) {
        super(run, name, concurrency, 1, true, List.of(input), List.of(output));
        this.input = input;
        this.output = output;
        this.handover = new Handover(input, output);
        this.function = function;
        this.deadlineNanos = deadlineNanos;
        this.permits = new Semaphore(concurrency);
        free.addAll(List.of(slots));
        free.forEach(slot -> slot.parksQuietly(ProgressRule.NEVER));
    }

    public void assemble(StageInvoker newInvoker) {
        invoker = newInvoker;
    }

    @Override
    public void work(WorkerSlot unused) throws InterruptedException {
        while (!stopped()) {
            permits.acquire();
            WorkerSlot slot = takeSlot();
            if (!next(slot)) {
                release(slot);
                return;
            }
        }
    }

    private boolean next(WorkerSlot slot) throws InterruptedException {
        Envelope envelope = reserveAndTake(input, output, slot);
        if (envelope == null) {
            return false;
        }
        if (envelope.isMark()) {
            forwardMark(envelope, input, output);
            if (envelope.kind == Envelope.Kind.END) {
                return false;
            }
            release(slot);
            return true;
        }
        retain();
        call(new Pending(envelope, envelope.value, slot, System.nanoTime(), 1));
        return true;
    }

    /// A call that is under way.
    private record Pending(Envelope envelope, Object input, WorkerSlot slot, long start, int attempt) {
        Pending again() {
            return new Pending(envelope, input, slot, start, attempt + 1);
        }
    }

    private void call(Pending pending) {
        pending.slot.enter(WorkerSlot.State.BUSY, System.nanoTime());
        CompletionStage<?> promised;
        CompletableFuture<?> future;
        try {
            if (pending.attempt == 1) {
                invoker.started(pending.input);
            }
            promised = (CompletionStage<?>) checked(function.apply(pending.input));
            future = promised.toCompletableFuture();
        } catch (Throwable failure) {
            future = CompletableFuture.failedFuture(failure);
            promised = future;
        }
        underWay.put(pending.envelope, future);
        CompletableFuture<?> begun = future;
        // Not the future without a deadline: of a promise that can't be cancelled it is a copy, and the result
        // still comes.
        CompletionStage<?> watched = deadlineNanos.isEmpty()
                ? promised
                : future.copy().orTimeout(deadlineNanos.getAsLong(), TimeUnit.NANOSECONDS);
        CompletionStage<?> promise = promised;
        CompletionStage<?> _ = watched.whenComplete((result, failure) -> {
            underWay.remove(pending.envelope);
            if (deadlineNanos.isPresent() && failure instanceof TimeoutException) {
                begun.cancel(true);
                // A promise that is not its own future is a view that can't be cancelled through it.
                if (promise != begun || !begun.isDone()) {
                    giveUp(pending, promise, failure);
                    return;
                }
            }
            completed(pending, result, unwrapped(failure));
        });
        if (stopped()) {
            future.cancel(true);
        }
    }

    private static @Nullable Throwable unwrapped(@Nullable Throwable failure) {
        return failure instanceof CompletionException wrapped && wrapped.getCause() != null
                ? wrapped.getCause()
                : failure;
    }

    /// Goes on without a call that can't be cancelled. Its input stays with it until its promise is kept, and what
    /// it then brings is closed.
    private void giveUp(Pending pending, CompletionStage<?> promise, Throwable late) {
        pending.envelope.value = null;
        CompletionStage<?> _ = promise.whenComplete((result, failure) -> {
            run.disposal().dispose(pending.input);
            run.disposal().dispose(result);
        });
        end(pending, null, late);
    }

    private void completed(Pending pending, @Nullable Object result, @Nullable Throwable failure) {
        if (failure != null && !run.ending() && invoker.failures().mayRetry(failure, pending.attempt)) {
            retryLater(pending, failure);
            return;
        }
        end(pending, result, failure);
    }

    private void retryLater(Pending pending, Throwable failure) {
        CompletableFuture<Void> pause = new CompletableFuture<Void>()
                .completeOnTimeout(null, invoker.failures().backoffNanos(pending.attempt), TimeUnit.NANOSECONDS);
        underWay.put(pending.envelope, pause);
        CompletionStage<?> _ = pause.whenCompleteAsync((nothing, cancelled) -> {
            underWay.remove(pending.envelope);
            if (cancelled == null) {
                call(pending.again());
            } else {
                end(pending, null, failure);
            }
        });
        if (stopped()) {
            pause.cancel(true);
        }
    }

    private void end(Pending pending, @Nullable Object result, @Nullable Throwable failure) {
        boolean passed = false;
        try {
            passed = invoker.finish(pending.envelope, pending.input, result, failure, pending.slot, pending.start);
        } catch (Throwable thrown) {
            // Nobody sees what is thrown on the thread that completes a call.
            run.fail(this, observerFailed(thrown));
        } finally {
            // Before another call may begin, which would otherwise pass this one by.
            handover.finish(pending.envelope, passed);
            release(pending.slot);
            release();
        }
    }

    private WorkerSlot takeSlot() {
        synchronized (free) {
            WorkerSlot slot = free.pop();
            slot.resumes();
            return slot;
        }
    }

    private void release(WorkerSlot slot) {
        slot.enter(WorkerSlot.State.STARVED, System.nanoTime());
        slot.parksQuietly(ProgressRule.NEVER);
        synchronized (free) {
            free.push(slot);
        }
        permits.release();
        run.budget().reconsider();
    }

    /// No call is under way, and the thread that begins calls waits with the slot of the next.
    @Override
    public boolean isQuiet() {
        return permits.availablePermits() == concurrency() - 1 && super.isQuiet();
    }

    @Override
    public synchronized void interrupt() {
        super.interrupt();
        underWay.values().forEach(future -> future.cancel(true));
    }

    @Override
    public String placement() {
        return "async";
    }
}
