package org.jspdl.pipeline.internal;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

/// Runs a stage's activations on the caller's executor.
final class ExecutorScheduler implements ScheduledStage.Scheduler {
    private final Executor executor;
    private final Set<Running> running = ConcurrentHashMap.newKeySet();

    ExecutorScheduler(Executor executor) {
        this.executor = executor;
    }

    @Override
    public void submit(ScheduledStage.Activation activation) {
        executor.execute(() -> {
            Running mine = new Running(Thread.currentThread());
            running.add(mine);
            try {
                activation.run();
            } finally {
                running.remove(mine);
                mine.leave();
            }
        });
    }

    @Override
    public void interrupt() {
        running.forEach(Running::interrupt);
    }

    /// A thread of the executor while it runs an activation; it is not interrupted after that.
    private static final class Running {
        private final Thread thread;
        private boolean left;

        Running(Thread thread) {
            this.thread = thread;
        }

        synchronized void interrupt() {
            if (!left) {
                thread.interrupt();
            }
        }

        /// An interrupt meant for the activation is dropped.
        synchronized void leave() {
            left = true;
            Thread.interrupted();
        }
    }
}
