package org.jspdl.media.internal.lifetime;

import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;

/// Contexts that are costly to make, each used by one call at a time and kept for the next; there come to be as many as
/// there are calls at once.
///
/// Any number of threads may use a pool. Its owner closes it; calls still running then finish, and their contexts are
/// closed when they end.
public final class ContextPool<T extends ContextPool.Context> implements AutoCloseable {
    private final Supplier<T> maker;
    private final ConcurrentLinkedDeque<T> idle = new ConcurrentLinkedDeque<>();
    private final AtomicBoolean closed = new AtomicBoolean();

    /// What is kept.
    public interface Context extends AutoCloseable {
        @Override
        void close();
    }

    /// A pool whose contexts `maker` makes.
    public ContextPool(Supplier<T> maker) {
        this.maker = maker;
    }

    /// What `work` returns for a context that is its own until then, also if it fails.
    ///
    /// @throws IllegalStateException if the pool is closed
    public <R> R with(Function<T, R> work) {
        if (closed.get()) {
            throw new IllegalStateException("the decoder is closed");
        }
        T idling = idle.pollLast();
        T context = idling == null ? maker.get() : idling;
        try {
            return work.apply(context);
        } finally {
            idle.addLast(context);
            if (closed.get()) {
                closeIdle();
            }
        }
    }

    private void closeIdle() {
        T context = idle.pollLast();
        while (context != null) {
            context.close();
            context = idle.pollLast();
        }
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            closeIdle();
        }
    }
}
