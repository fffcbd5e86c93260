package org.jspdl.pipeline.internal.compute;

import org.jspecify.annotations.Nullable;

/// A thread of a compute pool, which can be interrupted for one run without touching another.
public final class ComputeThread extends Thread {
    public final ComputePool pool;
    /// The run whose function this thread executes; guarded by this object's monitor.
    private @Nullable Object owner;

    private final @Nullable ClassLoader ownLoader = getContextClassLoader();
    /// The lane of the task that this thread runs, and whether another thread was added in place of this one while
    /// it waits in a function; guarded by the pool's lock.
    ComputePool.@Nullable Lane lane;

    boolean replaced;

    ComputeThread(ComputePool pool, String name) {
        super(null, null, name, 0, false);
        this.pool = pool;
        setDaemon(true);
    }

    @Override
    public void run() {
        for (Runnable task = pool.next(); task != null; task = pool.next()) {
            task.run();
        }
    }

    /// Says that what runs from here on belongs to `run`, and to the class loader of who started it.
    public synchronized void enter(Object run, @Nullable ClassLoader loader) {
        owner = run;
        setContextClassLoader(loader);
    }

    /// Says that it does no more. An interrupt meant for the run is dropped.
    public synchronized void leave() {
        owner = null;
        setContextClassLoader(ownLoader);
        Thread.interrupted();
    }

    /// Whether a function waits on this thread, which leaves its processor idle.
    boolean waitsInFunction() {
        synchronized (this) {
            if (owner == null) {
                return false;
            }
        }
        return switch (getState()) {
            case WAITING, TIMED_WAITING, BLOCKED -> true;
            case NEW, RUNNABLE, TERMINATED -> false;
        };
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
