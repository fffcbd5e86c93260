package org.jspdl.service.exchange;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.zip.CRC32C;
import org.jspdl.data.http.pace.Cancellation;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Lease;
import org.jspecify.annotations.Nullable;

/// Requests to workers without TLS and without a proxy, each on a thread of its own that reads what comes straight into
/// the memory that it is for; connections are kept for the next request. Thread-safe.
///
/// Memory is released by the thread that writes to it, or by whoever gets it from there, so nothing is written to what
/// is used for something else.
public final class DirectExchanges implements Exchanges {
    /// Workers hang up after 30 s.
    private static final long MOST_IDLE = TimeUnit.SECONDS.toNanos(15);

    private static final int HTTP_PORT = 80;

    private final Optional<String> token;
    private final String loader;
    private final BufferPool pool;
    private final Executor threads;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<URI, Deque<Kept>> kept = new HashMap<>();
    private long swept = System.nanoTime();
    private boolean closed;

    /// A connection that nobody uses, since when.
    private record Kept(DirectConnection connection, long since) {}

    /// @param token   what requests carry; empty for none
    /// @param loader  who asks
    /// @param pool    of the memory for what comes
    /// @param threads virtual ones; those of requests under way are ended by whoever owns them
    public DirectExchanges(Optional<String> token, String loader, BufferPool pool, Executor threads) {
        this.token = token;
        this.loader = loader;
        this.pool = pool;
        this.threads = threads;
    }

    /// Whether `worker` can be asked in this way.
    public static boolean canAsk(URI worker) {
        return "http".equals(worker.getScheme()) && !hasProxy(worker);
    }

    private static boolean hasProxy(URI worker) {
        ProxySelector selector = ProxySelector.getDefault();
        return selector != null
                && selector.select(worker).stream().anyMatch(proxy -> proxy.type() != Proxy.Type.DIRECT);
    }

    @Override
    public Sent send(URI worker, String path, long mostBytes) {
        Cancellation ends = new Cancellation();
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        threads.execute(() -> {
            try {
                Answer whole = ask(worker, path, mostBytes, ends);
                if (!answer.complete(whole)) {
                    whole.body().close();
                }
            } catch (Throwable failure) {
                answer.completeExceptionally(failure);
            }
        });
        return new Sent(answer, () -> {
            answer.cancel(true);
            ends.cancel();
        });
    }

    private Answer ask(URI worker, String path, long mostBytes, Cancellation ends) throws IOException {
        DirectConnection connection = idle(worker);
        if (connection != null) {
            try {
                return ask(connection, worker, path, mostBytes, ends);
            } catch (IOException failure) {
                // the worker hung up while nobody looked: that is nobody's failure
                if (!connection.mayBeStale() || ends.isCancelled()) {
                    throw failure;
                }
            }
        }
        return ask(new DirectConnection(), worker, path, mostBytes, ends);
    }

    private Answer ask(DirectConnection connection, URI worker, String path, long mostBytes, Cancellation ends)
            throws IOException {
        boolean sound = false;
        try {
            ends.use(connection);
            if (!connection.isConnected()) {
                connection.connect(
                        new InetSocketAddress(host(worker), worker.getPort() < 0 ? HTTP_PORT : worker.getPort()));
            }
            connection.send(request(worker, path));
            AnswerHead head = connection.head();
            long most = head.status() == 200 ? mostBytes : MOST_OTHER;
            if (head.length() < 1 || head.length() > most) {
                throw Receiving.refused(head.length(), head.status(), most);
            }
            Answer answer = receive(connection, head);
            sound = head.keeps() && !connection.hasRest();
            return answer;
        } finally {
            ends.done(); // before others may have the connection
            if (sound) {
                keep(worker, connection);
            } else {
                connection.close();
            }
        }
    }

    private Answer receive(DirectConnection connection, AnswerHead head) throws IOException {
        Lease body = pool.lease(head.length());
        try {
            CRC32C sum = new CRC32C();
            connection.body(body.segment(), sum);
            return new Answer(head.status(), head.checksum(), Exchanges.told(sum), body);
        } catch (Throwable failure) {
            body.close();
            throw failure;
        }
    }

    private static String host(URI worker) {
        String host = worker.getHost();
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    private String request(URI worker, String path) {
        return "GET " + path + " HTTP/1.1\r\nHost: " + worker.getRawAuthority() + "\r\n" + LOADER + ": " + loader
                + "\r\n"
                + Exchanges.authorization(token)
                        .map(value -> "Authorization: " + value + "\r\n")
                        .orElse("")
                + "\r\n";
    }

    private @Nullable DirectConnection idle(URI worker) throws IOException {
        lock.lock();
        try {
            Deque<Kept> idle = kept.get(worker);
            Kept last = idle == null ? null : idle.pollLast();
            if (last == null || System.nanoTime() - last.since < MOST_IDLE) {
                return last == null ? null : last.connection;
            }
            last.connection.close();
            return null;
        } finally {
            lock.unlock();
        }
    }

    private void keep(URI worker, DirectConnection connection) throws IOException {
        long now = System.nanoTime();
        lock.lock();
        try {
            if (closed) {
                connection.close();
                return;
            }
            kept.computeIfAbsent(worker, _ -> new ArrayDeque<>()).addLast(new Kept(connection, now));
            if (now - swept >= MOST_IDLE) {
                swept = now;
                sweep(now);
            }
        } finally {
            lock.unlock();
        }
    }

    /// Closes what nobody has used for long, also to workers that are asked no more.
    private void sweep(long now) throws IOException {
        for (Deque<Kept> idle : kept.values()) {
            while (!idle.isEmpty() && now - idle.getFirst().since >= MOST_IDLE) {
                idle.removeFirst().connection.close();
            }
        }
        kept.values().removeIf(Deque::isEmpty);
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            for (Deque<Kept> idle : kept.values()) {
                for (Kept each : idle) {
                    closeQuietly(each.connection);
                }
            }
            kept.clear();
        } finally {
            lock.unlock();
        }
    }

    private static void closeQuietly(DirectConnection connection) {
        try {
            connection.close();
        } catch (IOException gone) {
            // nothing is left to do for a connection that nobody uses
        }
    }
}
