package org.jspdl.pipeline;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Flow;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspdl.pipeline.internal.compute.ComputePool;
import org.jspecify.annotations.Nullable;

/// What a publisher brings, to be pulled by one thread, which waits.
///
/// No user code is called with the lock held.
@SuppressWarnings("try") // what elements throw as they are closed is not for this to name
final class PublishedElements<T> implements Iterator<T>, AutoCloseable, Flow.Subscriber<T> {
    /// Elements that were asked for and not pulled.
    private static final int AHEAD = 16;
    /// As many are asked for at once, so that not every element costs a request.
    private static final int MORE = AHEAD / 2;

    private final Flow.Publisher<? extends T> publisher;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<T> waiting = new ArrayDeque<>();
    private Flow.@Nullable Subscription subscription;
    private boolean subscribed;
    private boolean complete;
    private boolean closed;
    private @Nullable Throwable failure;
    private int pulled;

    PublishedElements(Flow.Publisher<? extends T> publisher) {
        this.publisher = publisher;
    }

    @Override
    public boolean hasNext() {
        if (!subscribed) {
            subscribed = true;
            publisher.subscribe(this);
        }
        lock.lock();
        try {
            while (waiting.isEmpty() && !complete && failure == null && !closed) {
                ComputePool.await(changed);
            }
            if (waiting.isEmpty() && failure != null) {
                throw unchecked(failure);
            }
            return !waiting.isEmpty();
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new CancellationException("interrupted while waiting for the next element");
        } finally {
            lock.unlock();
        }
    }

    @Override
    public T next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        Flow.Subscription asks = null;
        T element;
        lock.lock();
        try {
            element = waiting.remove();
            if (++pulled % MORE == 0 && !complete) {
                asks = subscription;
            }
        } finally {
            lock.unlock();
        }
        if (asks != null) {
            asks.request(MORE);
        }
        return element;
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        boolean wanted;
        lock.lock();
        try {
            wanted = subscription == null && !closed;
            if (wanted) {
                subscription = given;
            }
        } finally {
            lock.unlock();
        }
        if (wanted) {
            given.request(AHEAD);
        } else {
            given.cancel();
        }
    }

    @Override
    public void onNext(T element) {
        if (element == null) {
            throw new NullPointerException("an element is null");
        }
        boolean late;
        lock.lock();
        try {
            late = closed;
            if (!late) {
                waiting.add(element);
                changed.signal();
            }
        } finally {
            lock.unlock();
        }
        if (late) {
            closeLate(element);
        }
    }

    private static void closeLate(Object element) {
        try {
            close(element);
        } catch (Exception failed) {
            throw unchecked(failed);
        }
    }

    @Override
    public void onError(Throwable thrown) {
        ends(thrown);
    }

    @Override
    public void onComplete() {
        ends(null);
    }

    private void ends(@Nullable Throwable thrown) {
        lock.lock();
        try {
            complete = thrown == null;
            failure = thrown;
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    /// Cancels what has not come to its end, and closes what was not pulled.
    @Override
    public void close() throws Exception {
        Flow.Subscription left;
        Collection<T> unwanted;
        lock.lock();
        try {
            closed = true;
            left = complete || failure != null ? null : subscription;
            unwanted = new ArrayDeque<>(waiting);
            waiting.clear();
        } finally {
            lock.unlock();
        }
        if (left != null) {
            left.cancel();
        }
        close(unwanted);
    }

    /// Closes an element, or what a collection holds, as far as it goes.
    private static void close(Object element) throws Exception {
        if (element instanceof AutoCloseable closeable) {
            closeable.close();
        } else if (element instanceof Collection<?> several) {
            Exception first = null;
            for (Object each : several) {
                try {
                    close(each);
                } catch (Exception failed) {
                    if (first == null) {
                        first = failed;
                    } else if (first != failed) {
                        first.addSuppressed(failed);
                    }
                }
            }
            if (first != null) {
                throw first;
            }
        }
    }

    /// What the publisher failed with, as it is: failure policies look at it.
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <E extends Throwable> RuntimeException unchecked(Throwable failure) throws E {
        throw (E) failure;
    }
}
