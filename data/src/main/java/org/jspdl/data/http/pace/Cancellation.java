package org.jspdl.data.http.pace;

import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Ends a read from another thread, by closing what it reads from and cutting its pauses short. The reader's thread is
/// not interrupted: it belongs to a caller, whose own interrupts must not be mistaken for this. Thread-safe.
public final class Cancellation {
    private @Nullable Closeable resource;
    private @Nullable Thread pausing;
    private boolean cancelled;

    /// From here on [#cancel] closes `used`, up to [#done]. What is used after the read was cancelled is closed
    /// now.
    public synchronized void use(Closeable used) {
        resource = used;
        if (cancelled) {
            close(used);
        }
    }

    /// Nothing is used any more.
    public synchronized void done() {
        resource = null;
    }

    /// Whether the read is to end.
    public synchronized boolean isCancelled() {
        return cancelled;
    }

    /// Ends the read.
    public synchronized void cancel() {
        cancelled = true;
        if (resource != null) {
            close(resource);
        }
        LockSupport.unpark(pausing);
    }

    /// Waits for `nanos`, or until the read is cancelled.
    public void pause(RetryClock clock, long nanos) throws IOException {
        pausing(Thread.currentThread());
        try {
            clock.pause(nanos, this::isCancelled);
        } finally {
            pausing(null);
        }
    }

    private synchronized void pausing(@Nullable Thread thread) {
        pausing = thread;
    }

    private static void close(Closeable used) {
        try {
            used.close();
        } catch (IOException gone) {
            // nothing is left to do for what was given up
        }
    }
}
