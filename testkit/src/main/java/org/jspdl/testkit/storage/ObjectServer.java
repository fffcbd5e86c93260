package org.jspdl.testkit.storage;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/// A web server on a port of its own that serves ranges of objects in memory, with faults on purpose.
///
/// Objects have paths such as `/bucket/key`. `GET /bucket?list-type=2&prefix=...` lists them as S3 does. Each
/// connection is served by a virtual thread, so ten thousand of them are fine. Safe for use by several threads; closed
/// by its owner, which ends all connections.
public final class ObjectServer implements AutoCloseable {
    private static final int BACKLOG = 16_384;

    private final ServerSocket listener;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final NavigableMap<String, ObjectContent> objects = new ConcurrentSkipListMap<>();
    private final ConcurrentHashMap<Long, Integer> attempts = new ConcurrentHashMap<>();
    private final Counters counters = new Counters();
    private volatile Faults faults;
    private volatile @Nullable Credentials credentials;
    private volatile boolean ignoresRanges;
    private volatile @Nullable Thread accepting;

    /// Whose requests are answered.
    record Credentials(String accessKey, String expiredToken) {}

    private ObjectServer(ServerSocket listener, Faults faults) {
        this.listener = listener;
        this.faults = faults;
    }

    /// A server on a free port of this machine.
    public static ObjectServer start(Faults faults) throws IOException {
        return start(faults, 0);
    }

    /// A server on `port` of this machine.
    public static ObjectServer start(Faults faults, int port) throws IOException {
        ServerSocket listener = new ServerSocket(port, BACKLOG, InetAddress.getLoopbackAddress());
        ObjectServer server = new ObjectServer(listener, faults);
        server.accepting = Thread.ofVirtual().name("object-server-accept").start(server::accept);
        return server;
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket socket = listener.accept();
                socket.setTcpNoDelay(true);
                open.add(socket);
                counters.connections.increment();
                Thread.ofVirtual().name("object-server-connection").start(() -> serve(socket));
            } catch (IOException failure) {
                if (!listener.isClosed()) {
                    throw new java.io.UncheckedIOException(failure);
                }
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            new Exchange(this, counters, socket).run();
        } catch (IOException gone) {
            // the client went away, or the server was closed
        } catch (InterruptedException impossible) {
            Thread.currentThread().interrupt();
        } finally {
            open.remove(socket);
        }
    }

    /// Adds an object, or replaces it.
    public void put(String path, ObjectContent content) {
        objects.put(path, content);
    }

    /// From now on, other faults.
    public void faults(Faults other) {
        faults = other;
    }

    /// From now on, only requests signed with `accessKey` are answered, and none whose session token is
    /// `expiredToken`. Signatures are not checked.
    public void requireCredentials(String accessKey, String expiredToken) {
        credentials = new Credentials(accessKey, expiredToken);
    }

    /// From now on every answer is the whole object, as simple web servers do.
    public void ignoreRanges() {
        ignoresRanges = true;
    }

    boolean ignoresRanges() {
        return ignoresRanges;
    }

    Faults faults() {
        return faults;
    }

    Optional<Credentials> credentials() {
        return Optional.ofNullable(credentials);
    }

    Optional<ObjectContent> find(String path) {
        return Optional.ofNullable(objects.get(path));
    }

    /// The objects whose paths begin with `prefix`, those after `after`.
    NavigableMap<String, ObjectContent> below(String prefix, String after) {
        String from = after.compareTo(prefix) > 0 ? after : prefix;
        return objects.subMap(from, !from.equals(after), prefix + Character.MAX_VALUE, false);
    }

    /// How often the request that `key` names failed on purpose before.
    int attempt(long key) {
        return attempts.getOrDefault(key, 0);
    }

    void failedOnPurpose(long key) {
        counters.faults.increment();
        askAgain(key);
    }

    /// The next request that `key` names has new luck.
    void askAgain(long key) {
        attempts.merge(key, 1, Integer::sum);
    }

    /// Where it listens.
    public int port() {
        return listener.getLocalPort();
    }

    /// The address of the object at `path`, spaces and the like escaped.
    public String url(String path) {
        return "http://localhost:" + port() + Escapes.path(path);
    }

    /// What it has done so far.
    public ServerCounts counts() {
        return counters.snapshot();
    }

    /// Closes all connections, as servers do with those that were idle for long.
    public void dropConnections() throws IOException {
        for (Socket socket : open) {
            socket.close();
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        awaitAccepting();
        dropConnections();
    }

    /// Until then the system takes connections, and one that was just accepted is not among those to be dropped.
    private void awaitAccepting() {
        boolean interrupted = false;
        for (Thread thread = accepting; thread != null && thread.isAlive(); ) {
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
