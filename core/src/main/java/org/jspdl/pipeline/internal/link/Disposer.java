package org.jspdl.pipeline.internal.link;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Closes items that nobody will receive. A batch is closed item by item.
public final class Disposer {
    private static final Logger LOGGER = System.getLogger(Disposer.class.getName());

    private final String pipeline;
    private final AtomicLong failures = new AtomicLong();

    public Disposer(String pipeline) {
        this.pipeline = pipeline;
    }

    public void dispose(Envelope envelope) {
        Object value = envelope.value;
        envelope.value = null;
        dispose(value);
    }

    public void dispose(@Nullable Object value) {
        switch (value) {
            case AutoCloseable closeable -> close(closeable);
            case Iterable<?> batch when batch instanceof java.util.Collection<?> -> batch.forEach(this::dispose);
            case null, default -> {}
        }
    }

    private void close(AutoCloseable closeable) {
        boolean interrupted = Thread.interrupted();
        try {
            closeable.close();
        } catch (Throwable failure) {
            if (failures.getAndIncrement() == 0) {
                LOGGER.log(
                        Level.WARNING,
                        "pipeline '" + pipeline + "': closing a dropped item failed (logged once)",
                        failure);
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
