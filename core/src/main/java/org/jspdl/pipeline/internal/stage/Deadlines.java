package org.jspdl.pipeline.internal.stage;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspdl.pipeline.internal.link.Envelope;
import org.jspecify.annotations.Nullable;

/// Watches the calls of one stage: interrupts a call at its deadline, and gives it up when it does not answer.
///
/// One virtual thread, which sleeps until the earliest deadline of the calls that run.
public final class Deadlines {
    /// How long a call has to answer its interrupt, at most.
    private static final long MOST_PATIENCE_NANOS = 1_000_000_000;

    /// Is told of calls that are given up.
    public interface Giver {
        /// Nothing will be heard of `call` any more; called on the watching thread.
        void giveUp(Call call);
    }

    private final long limitNanos;
    private final long patienceNanos;
    private final Giver giver;
    private final Set<Call> running = ConcurrentHashMap.newKeySet();
    private final Thread watcher;
    /// Whether the watcher has no deadline to wake up for, or looks for one.
    private volatile boolean unaware;
    private volatile boolean stopped;

    public Deadlines(String threadName, long limitNanos, Giver giver) {
        this.limitNanos = limitNanos;
        this.patienceNanos = Math.min(limitNanos, MOST_PATIENCE_NANOS);
        this.giver = giver;
        this.watcher = Thread.ofVirtual().name(threadName).unstarted(this::watch);
    }

    public void start() {
        watcher.start();
    }

    public void stop() {
        stopped = true;
        LockSupport.unpark(watcher);
    }

    public Thread thread() {
        return watcher;
    }

    public long limitNanos() {
        return limitNanos;
    }

    /// A call that runs on the current thread.
    public Call begin(Envelope envelope, Object input, WorkerSlot slot) {
        Call call = new Call(envelope, input, slot, Thread.currentThread(), System.nanoTime() + limitNanos);
        running.add(call);
        // Otherwise the watcher wakes for an earlier call, and sees this one.
        if (unaware) {
            LockSupport.unpark(watcher);
        }
        return call;
    }

    private void watch() {
        while (!stopped) {
            // Before it looks: a call that it overlooks sees this, and wakes it.
            unaware = true;
            long now = System.nanoTime();
            long earliest = Long.MAX_VALUE;
            for (Call call : running) {
                long left = call.due - now;
                if (left <= 0) {
                    left = expire(call, now);
                }
                earliest = Math.min(earliest, left);
            }
            if (earliest == Long.MAX_VALUE) {
                LockSupport.park(this);
            } else {
                unaware = false;
                LockSupport.parkNanos(this, earliest);
            }
        }
    }

    /// Interrupts a call, or gives it up if it was interrupted before; how long it has left.
    private long expire(Call call, long now) {
        if (call.interrupt(now + patienceNanos)) {
            return patienceNanos;
        }
        if (call.giveUp()) {
            running.remove(call);
            giver.giveUp(call);
        }
        return Long.MAX_VALUE;
    }

    /// One call of the stage's function.
    public final class Call {
        public final Envelope envelope;
        public final Object input;
        public final WorkerSlot slot;
        private final Thread thread;
        private volatile long due;
        private boolean late;
        private boolean ended;
        private boolean abandoned;

        private Call(Envelope envelope, Object input, WorkerSlot slot, Thread thread, long due) {
            this.envelope = envelope;
            this.input = input;
            this.slot = slot;
            this.thread = thread;
            this.due = due;
        }

        public Thread thread() {
            return thread;
        }

        public TimeoutException late() {
            return new TimeoutException("the call took longer than its deadline of "
                    + TimeUnit.NANOSECONDS.toMillis(limitNanos) + " ms and did not answer the interrupt");
        }

        /// Interrupts the call for the first time; false if it was interrupted before or has ended.
        private synchronized boolean interrupt(long newDue) {
            if (late || ended) {
                return false;
            }
            late = true;
            due = newDue;
            thread.interrupt();
            return true;
        }

        private synchronized boolean giveUp() {
            abandoned = !ended;
            return abandoned;
        }

        /// Ends the call on its own thread: what became of it.
        public End end() {
            running.remove(this);
            synchronized (this) {
                ended = true;
                if (late) {
                    Thread.interrupted();
                }
                return abandoned ? End.ABANDONED : late ? End.LATE : End.IN_TIME;
            }
        }
    }

    /// How a call has ended.
    public enum End {
        IN_TIME,
        LATE,
        ABANDONED
    }

    /// Unwinds a thread whose call was given up: nothing of the stage is its any more.
    public static final class AbandonedCall extends RuntimeException {
        private static final long serialVersionUID = 1L;

        public AbandonedCall(@Nullable Throwable cause) {
            super("the call was given up before it returned", cause, false, false);
        }
    }
}
