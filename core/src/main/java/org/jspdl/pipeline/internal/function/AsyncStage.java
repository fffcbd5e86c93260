package org.jspdl.pipeline.internal.function;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.jspdl.pipeline.StageFunction;
import org.jspdl.pipeline.internal.link.Disposer;
import org.jspdl.pipeline.internal.link.Envelope;
import org.jspdl.pipeline.internal.link.Link;
import org.jspdl.pipeline.internal.stage.Deadlines;
import org.jspdl.pipeline.internal.stage.ProgressRule;
import org.jspdl.pipeline.internal.stage.RunContext;
import org.jspdl.pipeline.internal.stage.ThreadStage;
import org.jspdl.pipeline.internal.stage.WorkerSlot;
import org.jspecify.annotations.Nullable;

/// A stage whose function returns before its result is there.
///
/// One thread takes items and calls the function while fewer than `concurrency` calls are under way. Results are put
/// into room that was reserved before, so the thread that completes a call never waits here. Promises belong to the
/// client, who may have given them to others too: none is ever cancelled. A call that is late, or that the end of the
/// run finds under way, is given up, and what it brings is closed.
public final class AsyncStage extends ThreadStage {
    private final Link input;
    private final Link output;
    private final Handover handover;
    private final StageFunction<Object, CompletionStage<?>> function;
    private final Deadlines.@Nullable Limits limits;
    private final Semaphore permits;
    private final ArrayDeque<WorkerSlot> free = new ArrayDeque<>();
    private final Set<Attempt> underWay = ConcurrentHashMap.newKeySet();

    @SuppressWarnings("NullAway.Init") // assemble gives it, before the run starts
    private StageInvoker invoker;

    public AsyncStage(
            RunContext run,
            String name,
            int concurrency,
            StageFunction<Object, CompletionStage<?>> function,
            Deadlines.@Nullable Limits limits,
            Link input,
            Link output) {
        super(run, name, concurrency, 1, Threads.ENGINE, List.of(input), List.of(output));
        this.input = input;
        this.output = output;
        this.handover = new Handover(input, output);
        this.function = function;
        this.limits = limits;
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
        Attempt first = new Attempt(envelope, envelope.value, slot, System.nanoTime(), 1, null);
        slot.enter(WorkerSlot.State.BUSY, System.nanoTime());
        try {
            guard().refuse(envelope);
            guard().started(envelope.value);
        } catch (Throwable failure) {
            first.end(null, failure);
            return true;
        }
        first.begin();
        guard().forgetInterrupt();
        return true;
    }

    /// What an attempt is at.
    private enum State {
        /// It was made, and the call has not begun: at first, or during the pause before a retry.
        WAITING,
        /// Its call is under way.
        CALLED,
        /// It was given up while its call was under way: what comes of that is closed.
        GIVEN_UP,
        /// Nothing of the stage is its any more.
        DONE
    }

    /// One attempt to call the function for an item. Whoever brings it to another state goes on with the item.
    private final class Attempt {
        private final Envelope envelope;
        private final Object item;
        private final WorkerSlot slot;
        private final long start;
        private final int number;
        private final @Nullable Throwable before;
        private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
        /// The end of the pause before the call, then the call's deadline.
        private volatile Deadlines.@Nullable Alarm alarm;

        /// @param before what the attempt before it failed with
        Attempt(Envelope envelope, Object item, WorkerSlot slot, long start, int number, @Nullable Throwable before) {
            this.envelope = envelope;
            this.item = item;
            this.slot = slot;
            this.start = start;
            this.number = number;
            this.before = before;
        }

        /// Calls the function.
        void begin() {
            if (!state.compareAndSet(State.WAITING, State.CALLED)) {
                return;
            }
            underWay.add(this);
            try {
                if (limits != null) {
                    ringAt(limits.due(start), () -> late(limits));
                }
                CompletionStage<?> promise = (CompletionStage<?>) checked(function.apply(item));
                CompletionStage<?> _ = promise.whenComplete(this::kept);
            } catch (Throwable failure) {
                kept(null, failure);
            }
            if (stopped()) {
                giveUp();
            }
        }

        /// Begins after a pause.
        void beginAfter(long pauseNanos) {
            underWay.add(this);
            try {
                ringAt(System.nanoTime() + pauseNanos, () -> onThread(this::begin));
            } catch (Throwable noThread) {
                if (state.compareAndSet(State.WAITING, State.DONE)) {
                    leave();
                    end(null, noThread);
                }
                return;
            }
            if (stopped()) {
                giveUp();
            }
        }

        private void ringAt(long due, Runnable action) {
            Deadlines.Alarm at = new Deadlines.Alarm(due) {
                @Override
                protected long ring() {
                    action.run();
                    return Long.MAX_VALUE;
                }
            };
            alarm = at;
            run.deadlines().watch(at);
        }

        private void leave() {
            underWay.remove(this);
            Deadlines.Alarm left = alarm;
            if (left != null) {
                run.deadlines().forget(left);
            }
        }

        /// Takes what the client has brought, on its thread, or on the one that has called the function.
        private void kept(@Nullable Object result, @Nullable Throwable failure) {
            if (state.compareAndSet(State.CALLED, State.DONE)) {
                leave();
                ended(result, unwrapped(failure), true);
            } else if (state.compareAndSet(State.GIVEN_UP, State.DONE)) {
                // What a call succeeds with stands for its input.
                run.disposal().dispose(failure == null ? result : item);
            }
        }

        /// The deadline has passed. The policy is the user's code, which is not for the thread that watches.
        private void late(Deadlines.Limits limit) {
            if (state.compareAndSet(State.CALLED, State.GIVEN_UP)) {
                leave();
                Throwable late = limit.late(start, "");
                onThread(() -> {
                    boolean stays = Disposer.isCloseable(item);
                    if (stays) {
                        envelope.value = null;
                    }
                    ended(null, late, !stays);
                });
            }
        }

        /// Gives the attempt up because the stage is stopped.
        void giveUp() {
            if (state.compareAndSet(State.CALLED, State.GIVEN_UP)) {
                leave();
                envelope.value = null;
                end(null, new CancellationException("the run has ended"));
            } else if (state.compareAndSet(State.WAITING, State.DONE)) {
                leave();
                end(null, before);
            }
        }

        private void ended(@Nullable Object result, @Nullable Throwable failure, boolean repeatable) {
            if (failure != null && repeatable && guard().mayRetry(failure, number)) {
                long pause = guard().backoffNanos(number);
                if (limits == null || limits.leaveTime(start, pause)) {
                    new Attempt(envelope, item, slot, start, number + 1, failure).beginAfter(pause);
                    return;
                }
            }
            end(result, failure);
        }

        /// Ends the work on the item.
        void end(@Nullable Object result, @Nullable Throwable failure) {
            boolean passed = false;
            try {
                passed = invoker.finish(envelope, item, result, failure, slot, start);
            } catch (Throwable defect) {
                // Nobody sees what is thrown on the thread that completes a call.
                run.fail(AsyncStage.this, observerFailed(defect));
            } finally {
                // Before another call may begin, which would otherwise pass this one by.
                handover.finish(envelope, passed);
                release(slot);
                release();
            }
        }
    }

    private static @Nullable Throwable unwrapped(@Nullable Throwable failure) {
        return failure instanceof CompletionException wrapped && wrapped.getCause() != null
                ? wrapped.getCause()
                : failure;
    }

    /// Runs the user's code on a thread of the stage's, which does not end before it. It is no virtual thread, for
    /// which a call that is late would have to wait while other functions compute on all their carriers.
    private void onThread(Runnable code) {
        Thread thread = Thread.ofPlatform()
                .name("jspdl-" + run.pipeline() + "-" + name + "-again")
                .daemon()
                .inheritInheritableThreadLocals(false)
                .unstarted(code);
        thread.setContextClassLoader(run.classLoader());
        try {
            thread.start();
        } catch (OutOfMemoryError noThread) {
            code.run();
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
        underWay.forEach(Attempt::giveUp);
    }

    @Override
    public String placement() {
        return "async";
    }
}
