package org.jspdl.python;

import org.jspecify.annotations.Nullable;

/// Tells the thread that hands over where to go on: as it is, in another epoch, at a checkpoint, or not at all.
///
/// Thread-safe; one thread works by it, others change it.
final class HandoverControl {
    /// What to do instead.
    sealed interface Next {
        /// The start of an epoch of the same plan.
        record Epoch(long epoch) implements Next {}

        /// The checkpoint in `state`, or those of all ranks, one a line; the beginning if it is empty.
        record At(String state) implements Next {}

        /// Nothing more.
        record End() implements Next {}
    }

    private final Thread worker;
    private @Nullable Next next;
    private boolean working;
    private long asked;
    private long generation;

    /// @param worker interrupted when it is to do something else
    HandoverControl(Thread worker) {
        this.worker = worker;
    }

    /// Has the worker do `newNext`.
    synchronized void to(Next newNext) {
        if (next instanceof Next.End) {
            return;
        }
        next = newNext;
        asked++;
        notifyAll();
        if (working) {
            working = false;
            worker.interrupt();
        }
    }

    /// From here on the worker is interrupted if it is to do something else.
    synchronized void begin() throws InterruptedException {
        if (next != null) {
            throw new InterruptedException();
        }
        working = true;
    }

    /// From here on it is not.
    synchronized void end() {
        working = false;
        Thread.interrupted();
    }

    /// How often the worker had been told what to do when [#await] returned last: the trainer counts what it said,
    /// and of two that came at once the worker learns the second only.
    synchronized long generation() {
        return generation;
    }

    /// Waits for what to do next.
    synchronized Next await() throws InterruptedException {
        while (next == null) {
            wait();
        }
        Next taken = next;
        next = null;
        generation = asked;
        return taken;
    }
}
