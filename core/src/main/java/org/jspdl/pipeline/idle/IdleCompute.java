package org.jspdl.pipeline.idle;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspdl.pipeline.internal.compute.ComputePool;

/// Lends the threads of `cpu` stages to a function that runs on one of them, while no stage has anything for them.
///
/// Whatever waits for a thread goes first, of any run, and there are never more threads than otherwise: one for each
/// processor, or those of the run. So a function that could use several threads for one large item takes the ones that
/// are idle behind the last items of a run, or beside a slow source, and none from other items.
///
/// Work that was offered begins some time, or never: where all threads stay busy, where newer work takes its place
/// (there is room for as much as there are threads), and when the run ends. A function must not wait for what has not
/// begun, and should offer pieces that take milliseconds: what has begun is not interrupted for other items.
///
/// Keeps no state; safe for any thread.
public final class IdleCompute {
    private static final Executor EXECUTOR = IdleCompute::offer;

    private IdleCompute() {}

    /// Takes work of a function on a compute thread. What work throws goes to the thread's handler of uncaught
    /// exceptions.
    ///
    /// It throws [RejectedExecutionException] on any other thread, where nobody is idle.
    public static Executor executor() {
        return EXECUTOR;
    }

    private static void offer(Runnable work) {
        if (!ComputePool.offer(() -> runGuarded(work))) {
            throw new RejectedExecutionException("only a function of a cpu stage can be helped by idle threads");
        }
    }

    private static void runGuarded(Runnable work) {
        try {
            work.run();
        } catch (Throwable failure) {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, failure);
        }
    }
}
