package org.jspdl.data.http;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/// Does several things at once on virtual threads, and returns when all have ended.
public final class ParallelTasks {

    /// Something that blocks.
    @FunctionalInterface
    public interface Task {
        /// Does it.
        void run() throws IOException;
    }

    private ParallelTasks() {}

    /// Runs `tasks`; when one fails, or the caller is interrupted, the others are interrupted.
    ///
    /// @throws IOException the first failure, with the others that are not its consequence suppressed
    public static void run(List<? extends Task> tasks) throws IOException {
        if (tasks.size() == 1) {
            tasks.getFirst().run();
            return;
        }
        AtomicReference<Throwable> first = new AtomicReference<>();
        List<Thread> threads = new ArrayList<>(tasks.size());
        for (Task task : tasks) {
            threads.add(Thread.ofVirtual().name("jspdl-storage-read").unstarted(() -> run(task, first, threads)));
        }
        threads.forEach(Thread::start);
        boolean interrupted = join(threads);
        if (interrupted) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
        switch (first.get()) {
            case null -> {}
            case IOException failure -> throw failure;
            case RuntimeException failure -> throw failure;
            case Error failure -> throw failure;
            case Throwable failure -> throw new IOException(failure);
        }
    }

    private static void run(Task task, AtomicReference<Throwable> first, List<Thread> all) {
        try {
            task.run();
        } catch (IOException | RuntimeException | Error failure) {
            if (first.compareAndSet(null, failure)) {
                all.stream().filter(other -> other != Thread.currentThread()).forEach(Thread::interrupt);
            }
        }
    }

    private static boolean join(List<Thread> threads) {
        boolean interrupted = false;
        for (Thread thread : threads) {
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException interrupt) {
                    interrupted = true;
                    threads.forEach(Thread::interrupt);
                }
            }
        }
        return interrupted;
    }
}
