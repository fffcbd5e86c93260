package org.jspdl.data.internal.http;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLSocketFactory;
import org.jspdl.data.storage.StorageException.Kind;
import org.jspecify.annotations.Nullable;

/// Connections that are kept for the next request, a bounded number for each host. Thread-safe.
///
/// A virtual thread of its own, which lives from the first request to the closing of the pool, closes connections whose
/// time is up: blocking calls have no timeout of their own.
final class ConnectionPool implements Closeable {
    private static final Duration CONNECT = Duration.ofSeconds(10);
    private static final long MOST_IDLE_NANOS = Duration.ofSeconds(15).toNanos();
    private static final long WATCH_NANOS = Duration.ofMillis(50).toNanos();

    private final int perHost;
    private final SSLSocketFactory tls;
    private final Proxies proxies;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<HttpAddress.Host, Turns> hosts = new HashMap<>();
    private final Set<Connection> busy = ConcurrentHashMap.newKeySet();
    private @Nullable Thread watch;
    private volatile boolean closed;

    /// One host: its permits, and the connections to it that nobody uses, the last used first.
    private record Turns(Semaphore permits, Deque<Idle> idle) {}

    private record Idle(Connection connection, long since) {}

    ConnectionPool(int perHost, SSLSocketFactory tls, Proxies proxies) {
        this.proxies = proxies;
        this.perHost = perHost;
        this.tls = tls;
    }

    /// A connection to `host` that is closed if it is not released or renewed before `expiresAt`; waits for a
    /// turn until `deadline`. Both are of [System#nanoTime].
    ///
    /// @param fresh whether it must be a new connection
    Connection take(HttpAddress.Host host, boolean fresh, long expiresAt, long deadline) throws IOException {
        Turns turns = turns(host);
        awaitTurn(turns, host, deadline);
        try {
            Connection kept = fresh ? null : idle(turns);
            Connection connection = kept != null ? kept : connect(host);
            connection.expiresAt(expiresAt);
            busy.add(connection);
            if (closed) {
                busy.remove(connection);
                connection.close();
                throw Refusal.forGood(Kind.UNAVAILABLE, "the storage was closed");
            }
            return connection;
        } catch (Throwable failure) {
            turns.permits().release();
            throw failure;
        }
    }

    private void awaitTurn(Turns turns, HttpAddress.Host host, long deadline) throws IOException {
        try {
            if (!turns.permits().tryAcquire()
                    && !turns.permits().tryAcquire(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                throw new SocketTimeoutException(
                        "waited for one of the " + perHost + " requests to " + host + " that may run at a time");
            }
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("the read was interrupted");
        }
    }

    private Connection connect(HttpAddress.Host host) throws IOException {
        Optional<Proxies.Via> proxy = proxies.to(host);
        if (host.tls()) {
            return new Connection(TlsWire.connect(host, proxy, CONNECT, tls), Optional.empty());
        }
        String name = proxy.map(Proxies.Via::name).orElse(host.name());
        int port = proxy.map(Proxies.Via::port).orElse(host.port());
        return new Connection(PlainWire.connect(name, port, CONNECT), proxy);
    }

    private @Nullable Connection idle(Turns turns) {
        long now = System.nanoTime();
        lock.lock();
        try {
            Idle kept = turns.idle().pollLast();
            while (kept != null && kept.connection().hasUnread()) { // an answer that nobody asked for
                kept.connection().close();
                kept = turns.idle().pollLast();
            }
            if (kept == null || now - kept.since() < MOST_IDLE_NANOS) {
                return kept == null ? null : kept.connection();
            }
            kept.connection().close();
            turns.idle().forEach(old -> old.connection().close()); // older still
            turns.idle().clear();
            return null;
        } finally {
            lock.unlock();
        }
    }

    /// Ends the use of a connection; it is kept if it is `sound` and the server allows it.
    void release(HttpAddress.Host host, Connection connection, boolean sound) {
        connection.expiresAt(Long.MAX_VALUE);
        busy.remove(connection);
        Turns turns = turns(host);
        lock.lock();
        try {
            if (sound && !closed) {
                turns.idle().addLast(new Idle(connection, System.nanoTime()));
            } else {
                connection.close();
            }
        } finally {
            lock.unlock();
        }
        turns.permits().release();
    }

    private Turns turns(HttpAddress.Host host) {
        lock.lock();
        try {
            if (watch == null && !closed) {
                watch = Thread.ofVirtual().name("jspdl-storage-deadlines").start(this::watch);
            }
            return hosts.computeIfAbsent(host, _ -> new Turns(new Semaphore(perHost), new ArrayDeque<>()));
        } finally {
            lock.unlock();
        }
    }

    boolean isClosed() {
        return closed;
    }

    private void watch() {
        while (!closed) {
            LockSupport.parkNanos(WATCH_NANOS);
            long now = System.nanoTime();
            busy.forEach(connection -> connection.expireIfLate(now));
        }
    }

    @Override
    public void close() {
        Thread watching;
        lock.lock();
        try {
            closed = true;
            watching = watch;
            hosts.values()
                    .forEach(turns ->
                            turns.idle().forEach(idle -> idle.connection().close()));
            hosts.values().forEach(turns -> turns.idle().clear());
        } finally {
            lock.unlock();
        }
        busy.forEach(Connection::close);
        if (watching != null) {
            LockSupport.unpark(watching);
            join(watching);
        }
    }

    private static void join(Thread thread) {
        boolean interrupted = Thread.interrupted();
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException again) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
