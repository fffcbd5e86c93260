package org.jspdl.data.http;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLSocketFactory;
import org.jspdl.data.http.pace.Cancellation;
import org.jspdl.data.http.pace.HostPermits;
import org.jspdl.data.storage.StorageException.Kind;
import org.jspdl.data.storage.StorageOptions;
import org.jspecify.annotations.Nullable;

/// Connections that are kept for the next request, a bounded number for each host. Thread-safe.
///
/// A virtual thread of its own, which lives from the first request to the closing of the pool, closes connections whose
/// time is up: blocking calls have no timeout of their own.
final class ConnectionPool implements Closeable {
    private static final long CONNECT_NANOS = Duration.ofSeconds(10).toNanos();
    private static final long MOST_IDLE_NANOS = Duration.ofSeconds(15).toNanos();
    private static final long WATCH_NANOS = Duration.ofMillis(50).toNanos();

    private final int perHost;
    private final HostPolicy policy;
    private final SSLSocketFactory tls;
    private final ProxySettings proxies;
    private final NameLookups lookups;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<HttpAddress.Host, HostConnections> hosts = new HashMap<>();
    private final Set<Connection> busy = ConcurrentHashMap.newKeySet();
    private final Set<Connecting> connecting = ConcurrentHashMap.newKeySet();
    private @Nullable Thread watch;
    private volatile boolean closed;

    /// One host: its permits, and the connections to it that nobody uses, the last used first.
    private record HostConnections(HostPermits permits, Deque<Idle> idle) {}

    private record Idle(Connection connection, long since) {}

    ConnectionPool(StorageOptions options, SSLSocketFactory tls, ProxySettings proxies, NameLookups lookups) {
        this.lookups = lookups;
        this.proxies = proxies;
        this.perHost = options.requestsPerHost();
        this.policy = new HostPolicy(options.access().hosts()::contains);
        this.tls = tls;
    }

    /// A connection to `host` that is closed if it is not released or renewed before `expiresAt`; waits for a
    /// turn until `deadline`. Both are of [System#nanoTime].
    ///
    /// @param fresh        whether it must be a new connection
    /// @param cancellation ends the making of one, but not the wait for a turn
    Connection take(HttpAddress.Host host, boolean fresh, long expiresAt, long deadline, Cancellation cancellation)
            throws IOException {
        HostConnections connections = connections(host);
        awaitPermit(connections, host, deadline);
        try {
            Connection kept = fresh ? null : idle(connections);
            Connection connection = kept != null ? kept : connect(host, expiresAt, cancellation);
            connection.expiresAt(expiresAt);
            busy.add(connection);
            if (closed) {
                busy.remove(connection);
                connection.close();
                throw UnexpectedResponseException.permanent(Kind.UNAVAILABLE, "the storage was closed");
            }
            return connection;
        } catch (Throwable failure) {
            connections.permits().release();
            throw failure;
        }
    }

    private void awaitPermit(HostConnections connections, HttpAddress.Host host, long deadline) throws IOException {
        try {
            if (!connections.permits().tryAcquire()
                    && !connections.permits().tryAcquire(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                throw new SocketTimeoutException("waited for one of the "
                        + connections.permits().limit() + " requests to " + host + " that may run at a time");
            }
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("the read was interrupted");
        }
    }

    /// Whatever the host and the proxy do meanwhile, this ends when the time is up.
    private Connection connect(HttpAddress.Host host, long expiresAt, Cancellation cancellation) throws IOException {
        Connecting attempt = new Connecting(Math.min(expiresAt - System.nanoTime(), CONNECT_NANOS) + System.nanoTime());
        connecting.add(attempt);
        cancellation.use(attempt);
        try {
            if (closed) {
                attempt.close();
            }
            return connect(host, attempt);
        } catch (IOException failure) {
            throw attempt.explained(failure);
        } finally {
            cancellation.done();
            connecting.remove(attempt);
        }
    }

    private Connection connect(HttpAddress.Host host, Connecting attempt) throws IOException {
        Optional<ProxySettings.ProxyServer> proxy = proxies.to(host);
        if (proxy.isPresent()) {
            policy.requireLiteral(host.name());
        }
        InetSocketAddress address = proxy.isPresent()
                ? new InetSocketAddress(
                        lookups.address(proxy.get().name(), attempt),
                        proxy.get().port())
                : new InetSocketAddress(permitted(host.name(), attempt), host.port());
        return host.tls()
                ? new Connection(TlsTransport.connect(host, proxy, address, attempt, tls), Optional.empty())
                : new Connection(PlainTransport.connect(address, attempt), proxy);
    }

    private InetAddress permitted(String name, Connecting attempt) throws IOException {
        InetAddress address = lookups.address(name, attempt);
        policy.require(name, address);
        return address;
    }

    private @Nullable Connection idle(HostConnections connections) {
        long now = System.nanoTime();
        lock.lock();
        try {
            Idle kept = connections.idle().pollLast();
            while (kept != null && kept.connection().hasUnread()) { // a response that nobody asked for
                kept.connection().close();
                kept = connections.idle().pollLast();
            }
            if (kept == null || now - kept.since() < MOST_IDLE_NANOS) {
                return kept == null ? null : kept.connection();
            }
            kept.connection().close();
            connections.idle().forEach(old -> old.connection().close()); // older still
            connections.idle().clear();
            return null;
        } finally {
            lock.unlock();
        }
    }

    /// Ends the use of a connection; it is kept if it is `sound` and the server allows it.
    void release(HttpAddress.Host host, Connection connection, boolean sound) {
        connection.expiresAt(Long.MAX_VALUE);
        busy.remove(connection);
        HostConnections connections = connections(host);
        lock.lock();
        try {
            if (sound && !closed) {
                connections.idle().addLast(new Idle(connection, System.nanoTime()));
            } else {
                connection.close();
            }
        } finally {
            lock.unlock();
        }
        connections.permits().release();
    }

    private HostConnections connections(HttpAddress.Host host) {
        lock.lock();
        try {
            if (watch == null && !closed) {
                watch = Thread.ofVirtual().name("jspdl-storage-deadlines").start(this::watch);
            }
            return hosts.computeIfAbsent(host, _ -> new HostConnections(new HostPermits(perHost), new ArrayDeque<>()));
        } finally {
            lock.unlock();
        }
    }

    /// A host answered well.
    void answered(HttpAddress.Host host) {
        connections(host).permits().answered();
    }

    /// A host said that it is asked too much: fewer requests run at once from now on.
    void throttled(HttpAddress.Host host) {
        connections(host).permits().throttled();
    }

    boolean isClosed() {
        return closed;
    }

    private void watch() {
        while (!closed) {
            LockSupport.parkNanos(WATCH_NANOS);
            long now = System.nanoTime();
            busy.forEach(connection -> connection.expireIfLate(now));
            connecting.forEach(attempt -> attempt.expireIfLate(now));
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
                    .forEach(connections ->
                            connections.idle().forEach(idle -> idle.connection().close()));
            hosts.values().forEach(connections -> connections.idle().clear());
        } finally {
            lock.unlock();
        }
        busy.forEach(Connection::close);
        connecting.forEach(Connecting::close);
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
