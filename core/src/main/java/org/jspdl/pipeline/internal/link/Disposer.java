package org.jspdl.pipeline.internal.link;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Collection;
import java.util.Iterator;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Closes items that nobody will receive. A batch is closed item by item.
public final class Disposer {

    private final String pipeline;
    private final Consumer<Envelope> told;
    private final AtomicLong failures = new AtomicLong();

    /// @param told hears of each item that was closed
    public Disposer(String pipeline, Consumer<Envelope> told) {
        this.pipeline = pipeline;
        this.told = told;
    }

    /// Closes an item; does nothing to a mark.
    public void dispose(Envelope envelope) {
        Object value = envelope.value;
        envelope.value = null;
        dispose(value);
        if (!envelope.isMark()) {
            told.accept(envelope);
        }
    }

    /// Closes `value`, or what a collection holds. Never throws.
    public void dispose(@Nullable Object value) {
        switch (value) {
            case AutoCloseable closeable -> close(closeable);
            case Collection<?> batch -> guarded(() -> batch.forEach(this::dispose));
            case null, default -> {}
        }
    }

    /// Closes what an iterator has left. Never throws.
    public void disposeRest(Iterator<?> rest) {
        guarded(() -> rest.forEachRemaining(this::dispose));
    }

    /// Whether `value` is or holds something to be closed, as far as can be told.
    public static boolean isCloseable(@Nullable Object value) {
        try {
            return value instanceof AutoCloseable
                    || (value instanceof Collection<?> batch && batch.stream().anyMatch(Disposer::isCloseable));
        } catch (Throwable unknown) {
            return true;
        }
    }

    private void close(AutoCloseable closeable) {
        boolean interrupted = Thread.interrupted();
        guarded(closeable::close);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /// Code of the user's.
    private interface Closing {
        void close() throws Exception;
    }

    private void guarded(Closing closing) {
        try {
            closing.close();
        } catch (Throwable failure) {
            if (failures.getAndIncrement() == 0) {
                log(failure);
            }
        }
    }

    /// What was thrown may throw, too, as it is written down.
    private void log(Throwable failure) {
        String what = "pipeline '" + pipeline + "': closing a dropped item failed (logged once)";
        try {
            logger().log(Level.WARNING, what, failure);
        } catch (Throwable unprintable) {
            logger().log(Level.WARNING, what + ": a " + failure.getClass().getName());
        }
    }

    private static Logger logger() {
        return System.getLogger(Disposer.class.getName());
    }
}
