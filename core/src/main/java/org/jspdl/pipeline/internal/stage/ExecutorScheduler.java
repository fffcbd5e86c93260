package org.jspdl.pipeline.internal.stage;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/// Runs a stage's activations on the caller's executor.
public final class ExecutorScheduler implements ScheduledStage.Scheduler {
    private final Executor executor;
    private final Set<Submitted> submitted = ConcurrentHashMap.newKeySet();

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
        }
    }

    @Override
    public void interrupt() {
        submitted.forEach(Submitted::interrupt);
    }

    /// An activation in the executor's hands. Its thread is interrupted while it runs it, and not after that.
    private final class Submitted implements Runnable {
        private final ScheduledStage.Activation activation;
        private @Nullable Thread thread;
        private boolean withdrawn;

        Submitted(ScheduledStage.Activation activation) {
            this.activation = activation;
        }

        @Override
        public void run() {
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
