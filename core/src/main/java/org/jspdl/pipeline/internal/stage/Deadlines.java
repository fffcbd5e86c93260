package org.jspdl.pipeline.internal.stage;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspdl.pipeline.internal.link.Envelope;
import org.jspecify.annotations.Nullable;

/// Watches the calls of a run: interrupts a call at its deadline, and gives it up when it does not answer.
///
/// One platform thread, which sleeps until the earliest alarm. It is no virtual thread, because those don't run while
/// functions compute on all their carriers, and it calls no code of the user's, which could hold up other deadlines. It
/// starts with the first alarm.
public final class Deadlines {
    /// How long a call has to answer its interrupt, at most.
    private static final long MOST_PATIENCE_NANOS = 1_000_000_000;

    /// Something that is due at a moment.
    public abstract static class Alarm {
        private volatile long due;

        /// @param due when, as of [System#nanoTime]
        protected Alarm(long due) {
            this.due = due;
        }

        /// Does what is due, on the watching thread: quickly, and without calling the user's code. The
        /// nanoseconds until it is due again; [Long#MAX_VALUE] if it is not.
        protected abstract long ring();
    }

    /// Is told of calls that are given up.
    public interface Giver {
        /// Nothing will be heard of `call` any more; called on the watching thread.
        void giveUp(Call call);
    }

    /// How long the calls of one stage may take.
    ///
    /// @param nanos      one attempt
    /// @param totalNanos all attempts for one item, with the pauses between them
    public record Limits(long nanos, long totalNanos) {
        /// How long a call has to answer its interrupt.
        private long patienceNanos() {
            return Math.min(nanos, MOST_PATIENCE_NANOS);
        }

        /// When an attempt that begins now has to be done.
        ///
        /// @param start when the first attempt began
        public long due(long start) {
            long now = System.nanoTime();
            return now + Math.min(nanos, Math.max(0, totalNanos - (now - start)));
        }

        /// Whether another attempt may begin after a pause.
        ///
        /// @param start when the first attempt began
        public boolean leaveTime(long start, long pauseNanos) {
            return System.nanoTime() - start < totalNanos - pauseNanos;
        }

        /// What a call that took too long failed with.
        ///
        /// @param start when the first attempt began
        public TimeoutException late(long start, String how) {
            boolean total = System.nanoTime() - start >= totalNanos;
            return new TimeoutException((total ? "all attempts together took" : "the call took")
                    + " longer than the" + (total ? " total" : "") + " deadline of "
                    + inWords(total ? totalNanos : nanos) + how);
        }

        private static String inWords(long nanos) {
            long millis = TimeUnit.NANOSECONDS.toMillis(nanos);
            return millis > 0 ? millis + " ms" : nanos + " ns";
        }
    }

    private final Set<Alarm> alarms = ConcurrentHashMap.newKeySet();
    private final Thread watcher;
    /// When the watcher wakes up: a moment that has passed while it looks for alarms; who adds one wakes it.
    private volatile long wakesAt;
    private volatile boolean sleepsOn;
    private volatile boolean looking = true;
    /// Whether an alarm was added while the watcher looked. Waking it is not enough then: what it does when an
    /// alarm rings may wait for a lock, and so take the wake-up away.
    private volatile boolean overlooked;
    private boolean started;
    private boolean stopped;

    public Deadlines(String threadName) {
        this.watcher = Thread.ofPlatform()
                .name(threadName)
                .daemon()
                .inheritInheritableThreadLocals(false)
                .unstarted(this::watch);
    }

    /// Ends the watching thread; alarms that are not due yet never ring.
    public synchronized void stop() {
        stopped = true;
        LockSupport.unpark(watcher);
    }

    private synchronized boolean isStopped() {
        return stopped;
    }

    private synchronized void startOnce() {
        if (!started && !stopped) {
            watcher.start();
            started = true;
        }
    }

    public Thread thread() {
        return watcher;
    }

    /// Rings `alarm` when it is due, unless it is forgotten before.
    public void watch(Alarm alarm) {
        if (watcher.getState() == Thread.State.NEW) {
            startOnce(); // which may throw: then the alarm never rings
        }
        alarms.add(alarm);
        if (looking) {
            overlooked = true;
            LockSupport.unpark(watcher);
        } else if (sleepsOn || alarm.due - wakesAt < 0) {
            // Otherwise the watcher wakes up in time, and sees this one.
            LockSupport.unpark(watcher);
        }
    }

    /// Rings `alarm` no more, if it has not rung yet.
    public void forget(Alarm alarm) {
        alarms.remove(alarm);
    }

    /// A call that runs on the current thread.
    ///
    /// @param start   when the first attempt for the item began
    /// @param attempt which attempt this is, counted from 1
    public Call begin(
            Limits limits, Giver giver, Envelope envelope, Object input, WorkerSlot slot, long start, int attempt) {
        Call call = new Call(limits, giver, envelope, input, slot, Thread.currentThread(), start, attempt);
        watch(call);
        return call;
    }

    /// Alarms are removed while it looks at them, which a concurrent set allows.
    @SuppressWarnings("ModifyCollectionInEnhancedForLoop")
    private void watch() {
        while (!isStopped()) {
            // Before it looks: who adds an alarm that is overlooked sees this, and wakes the watcher.
            looking = true;
            overlooked = false;
            long now = System.nanoTime();
            long earliest = Long.MAX_VALUE;
            for (Alarm alarm : alarms) {
                long left = alarm.due - now;
                if (left <= 0) {
                    left = alarm.ring();
                    if (left == Long.MAX_VALUE) {
                        alarms.remove(alarm);
                    } else {
                        alarm.due = now + left;
                    }
                }
                earliest = Math.min(earliest, left);
            }
            wakesAt = now + earliest;
            sleepsOn = earliest == Long.MAX_VALUE;
            looking = false;
            if (overlooked || isStopped()) {
                continue;
            }
            if (sleepsOn) {
                LockSupport.park(this);
            } else {
                LockSupport.parkNanos(this, earliest);
            }
        }
    }

    /// One attempt of a stage's function.
    public final class Call extends Alarm {
        public final Envelope envelope;
        public final Object input;
        public final WorkerSlot slot;
        public final long start;
        public final int attempt;
        private final Limits limits;
        private final Giver giver;
        private final Thread thread;
        private boolean late;
        private boolean ended;
        private boolean abandoned;

        private Call(
                Limits limits,
                Giver giver,
                Envelope envelope,
                Object input,
                WorkerSlot slot,
                Thread thread,
                long start,
                int attempt) {
            super(limits.due(start));
            this.limits = limits;
            this.giver = giver;
            this.envelope = envelope;
            this.input = input;
            this.slot = slot;
            this.thread = thread;
            this.start = start;
            this.attempt = attempt;
        }

        public Thread thread() {
            return thread;
        }

        public TimeoutException late() {
            return limits.late(start, " and did not answer the interrupt");
        }

        /// Interrupts a call, or gives it up if it was interrupted before.
        @Override
        protected long ring() {
            synchronized (this) {
                if (ended) {
                    return Long.MAX_VALUE;
                }
                if (!late) {
                    late = true;
                    thread.interrupt();
                    return limits.patienceNanos();
                }
                abandoned = true;
            }
            giver.giveUp(this);
            return Long.MAX_VALUE;
        }

        /// Ends the call on its own thread: what became of it.
        public End end() {
            forget(this);
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
