package org.jspdl.observe.requests;

import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspdl.stats.RemoteRequest;
import org.jspdl.stats.RequestObserver;
import org.jspecify.annotations.Nullable;

/// The latest requests to other machines, by which a [org.jspdl.observe.Watch] explains stalls: give it to the storage
/// (`StorageOptions.requests`) and to the watch (`Watch.explainStalls`).
///
/// Keeps 4,096 requests, and forgets the oldest. Requests of less than a millisecond are left out: they explain no
/// stall. Thread-safe.
public final class RequestLog implements RequestObserver {
    private static final int MOST = 4_096;
    private static final long WORTH_KEEPING_NANOS = 1_000_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final @Nullable RemoteRequest[] latest = new @Nullable RemoteRequest[MOST];
    private long ended;

    private RequestLog() {}

    /// A log without requests.
    public static RequestLog create() {
        return new RequestLog();
    }

    @Override
    public void ended(RemoteRequest request) {
        if (request.end() - request.start() < WORTH_KEEPING_NANOS) {
            return;
        }
        lock.lock();
        try {
            latest[(int) (ended++ % MOST)] = request;
        } finally {
            lock.unlock();
        }
    }

    /// The request of an item that was worked on from `start` to `end`: of those that its thread sent, or that were
    /// for what the item names, the one that was under way for most of that time. Empty if there was none.
    ///
    /// @param thread the identifier of the thread that worked on it
    /// @param item   what the item says that it is
    /// @param start  of [System#nanoTime], as `end`
    public Optional<RemoteRequest> ofItem(long thread, String item, long start, long end) {
        return longest(start, end, request -> request.thread() == thread || item.contains(request.location()));
    }

    /// Of all requests the one that was under way for most of the time from `start` to `end`, whatever it was for.
    public Optional<RemoteRequest> longest(long start, long end) {
        return longest(start, end, _ -> true);
    }

    /// Which requests count.
    @FunctionalInterface
    private interface Choice {
        boolean includes(RemoteRequest request);
    }

    private Optional<RemoteRequest> longest(long start, long end, Choice choice) {
        @Nullable RemoteRequest longest = null;
        long most = WORTH_KEEPING_NANOS - 1;
        lock.lock();
        try {
            for (RemoteRequest request : latest) {
                if (request != null) {
                    long within = Math.min(end, request.end()) - Math.max(start, request.start());
                    if (within > most && choice.includes(request)) {
                        longest = request;
                        most = within;
                    }
                }
            }
        } finally {
            lock.unlock();
        }
        return Optional.ofNullable(longest);
    }
}
