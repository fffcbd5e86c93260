package org.jspdl.pipeline.internal.compute;

import org.jspecify.annotations.Nullable;

/// A thread of a compute pool, which can be interrupted for one run without touching another.
public final class ComputeThread extends Thread {
    public final ComputePool pool;
    /// The run whose function this thread executes; guarded by this object's monitor.
    private @Nullable Object owner;

    ComputeThread(ComputePool pool, String name) {
        super(null, null, name, 0, false);
        this.pool = pool;
        setDaemon(true);
    }

    @Override
    public void run() {
        for (ComputePool.Task task = pool.next(); task != null; task = pool.next()) {
            task.run();
        }
    }

    /// Says that what runs from here on belongs to `run`.
    public synchronized void enter(Object run) {
        owner = run;
    }

    /// Says that it does no more. An interrupt meant for the run is dropped.
    public synchronized void leave() {
        owner = null;
        Thread.interrupted();
    }

    /// Interrupts this thread if it executes a function of `run`; true if it does.
    synchronized boolean interruptFor(Object run) {
        if (owner != run) {
            return false;
        }
        interrupt();
        return true;
    }
}
