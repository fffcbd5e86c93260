package org.jspdl.pipeline.internal.schedule;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.jspdl.pipeline.internal.stage.ScheduledStage;
import org.jspecify.annotations.Nullable;

/// Runs a stage's activations on the caller's executor.
public final class ExecutorScheduler implements ScheduledStage.Scheduler {
    private final Executor executor;
    private final Set<Submitted> submitted = ConcurrentHashMap.newKeySet();
    /// The threads that run activations, each with those that it was given meanwhile.
    private final Map<Thread, Deque<Submitted>> running = new ConcurrentHashMap<>();

    public ExecutorScheduler(Executor executor) {
        this.executor = executor;
    }

    @Override
    public void submit(ScheduledStage.Activation activation) {
        Submitted task = new Submitted(activation);
        submitted.add(task);
        try {
            executor.execute(task);
        } catch (Throwable rejected) {
            if (submitted.remove(task)) {
                throw rejected;
            }
        } finally {
            task.submitter = null;
        }
    }

    @Override
    public void interrupt() {
        submitted.forEach(Submitted::interrupt);
    }

    /// An activation in the executor's hands. Its thread is interrupted while it runs it, and not after that.
    private final class Submitted implements Runnable {
        private final ScheduledStage.Activation activation;
        /// The thread that hands the task over at this moment. Each thread can tell whether it is that.
        private @Nullable Thread submitter = Thread.currentThread();
        private @Nullable Thread thread;
        private boolean withdrawn;

        Submitted(ScheduledStage.Activation activation) {
            this.activation = activation;
        }

        /// An executor may run a task at once on the thread that submits it, which may be at the end of an
        /// activation: it goes on with the task when it is done with that, so that its stack stays as it is.
        @Override
        public void run() {
            Thread current = Thread.currentThread();
            Deque<Submitted> below = running.get(current);
            if (below != null && submitter == current) {
                below.add(this);
                return;
            }
            Deque<Submitted> later = new ArrayDeque<>();
            running.put(current, later);
            try {
                for (Submitted next = this; next != null; next = later.poll()) {
                    next.runNow();
                }
            } finally {
                if (below == null) {
                    running.remove(current);
                } else {
                    running.put(current, below);
                }
            }
        }

        private void runNow() {
            if (!enter()) {
                return;
            }
            try {
                activation.run();
            } finally {
                submitted.remove(this);
                leave();
            }
        }

        private synchronized boolean enter() {
            thread = Thread.currentThread();
            return !withdrawn;
        }

        /// An interrupt meant for the activation is dropped.
        private synchronized void leave() {
            thread = null;
            Thread.interrupted();
        }

        /// An executor that is busy with other things, or drops its tasks, must not hold up the end of a run.
        void interrupt() {
            synchronized (this) {
                if (thread != null) {
                    thread.interrupt();
                    return;
                }
                withdrawn = true;
            }
            if (submitted.remove(this)) {
                activation.withdrawn();
            }
        }
    }
}
