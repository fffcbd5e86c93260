package org.jspdl.service;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongUnaryOperator;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspdl.json.Json;
import org.jspdl.plan.Operations;
import org.jspdl.plan.Plan;
import org.jspdl.plan.PlanContext;
import org.jspdl.service.exchange.Exchanges;

/// A worker of a data service: makes the pieces of a plan that others ask for, over HTTP or HTTPS. Keeps nothing
/// between requests, so it may be started, stopped and killed at any time.
///
/// A virtual thread for each request; pieces at once are bounded, and with them memory. Thread-safe; closing it ends
/// what is under way.
public final class PieceServer implements AutoCloseable {
    static final String CHECKSUM = Exchanges.CHECKSUM;
    private static final System.Logger LOG = System.getLogger(PieceServer.class.getName());
    private static final int CHUNK = 64 << 10;
    private static final int BACKLOG = 1_024;
    /// What a loader may take for any piece, and for each MiB of it.
    private static final long BASE_NANOS = Duration.ofSeconds(10).toNanos();

    private static final long MEBIBYTE_NANOS = Duration.ofSeconds(1).toNanos();

    private final ServedPlan plan;
    private final String fingerprint;
    private final ServerOptions options;
    private final HttpServer server;
    private final ExecutorService threads;
    private final FairTurns turns;
    private final SendingLimit limit;
    private final ServerCounters counters = new ServerCounters();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition idle = lock.newCondition();
    private int requests;
    private volatile boolean draining;

    private PieceServer(ServedPlan plan, ServerOptions options, LongUnaryOperator mostNanos) throws IOException {
        this.plan = plan;
        this.fingerprint = plan.description().fingerprint();
        this.options = options;
        this.turns = new FairTurns(options.atOnce());
        this.server = server(options);
        this.limit = new SendingLimit(mostNanos);
        this.threads = Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("jspdl-serve-", 0).factory());
        server.setExecutor(threads);
        server.createContext("/", this::handle);
    }

    private static HttpServer server(ServerOptions options) throws IOException {
        InetSocketAddress address = address(options);
        if (options.tls().isEmpty()) {
            return HttpServer.create(address, BACKLOG);
        }
        ServerTls files = options.tls().get();
        SSLContext context = files.context();
        HttpsServer server = HttpsServer.create(address, BACKLOG);
        server.setHttpsConfigurator(new HttpsConfigurator(context) {
            @Override
            public void configure(HttpsParameters parameters) {
                SSLParameters usual = getSSLContext().getDefaultSSLParameters();
                usual.setNeedClientAuth(files.clients().isPresent());
                parameters.setSSLParameters(usual);
            }
        });
        return server;
    }

    private static InetSocketAddress address(ServerOptions options) {
        InetSocketAddress address = new InetSocketAddress(options.host(), options.port());
        boolean isLocal = !address.isUnresolved() && address.getAddress().isLoopbackAddress();
        boolean asksWho = options.token().isPresent()
                || options.tls().flatMap(ServerTls::clients).isPresent();
        if (!isLocal && !asksWho && !options.anybody()) {
            throw new IllegalArgumentException("other machines can reach " + options.host()
                    + ", so requests need a token: set " + ClientOptions.TOKEN_VARIABLE
                    + " (ServerOptions.token), ask for certificates of loaders with --tls-client-ca (ServerTls.clients),"
                    + " or let anybody ask with --anybody (ServerOptions.forAnybody)");
        }
        return address;
    }

    /// Starts to serve `plan`. The caller closes it.
    ///
    /// @throws IllegalArgumentException if it is a plan that can't be served, or anybody could ask for it without
    ///     leave; the message says why
    /// @throws org.jspdl.plan.PlanException if it can't be compiled
    public static PieceServer start(Plan plan, Operations operations, PlanContext context, ServerOptions options)
            throws IOException {
        return start(plan, operations, context, options, bytes -> BASE_NANOS + (bytes >> 20) * MEBIBYTE_NANOS);
    }

    /// The same.
    ///
    /// @param mostNanos how long a loader may take for so many bytes
    static PieceServer start(
            Plan plan, Operations operations, PlanContext context, ServerOptions options, LongUnaryOperator mostNanos)
            throws IOException {
        ServedPlan served = ServedPlan.open(plan, operations, context, options);
        try {
            PieceServer server = new PieceServer(served, options, mostNanos);
            server.server.start();
            return server;
        } catch (Throwable failure) {
            served.close();
            throw failure;
        }
    }

    /// The port that it listens at.
    public int port() {
        return server.getAddress().getPort();
    }

    /// Images in an epoch.
    public long places() {
        return plan.description().places();
    }

    /// What a loader must ask for: see the design note 38.
    public String fingerprint() {
        return fingerprint;
    }

    private void handle(HttpExchange exchange) throws IOException {
        lock.lock();
        try {
            requests++;
        } finally {
            lock.unlock();
        }
        try (exchange) {
            answer(exchange);
        } catch (IOException gone) {
            LOG.log(Level.DEBUG, "a request ended early", gone);
        } finally {
            lock.lock();
            try {
                if (--requests == 0) {
                    idle.signalAll();
                }
            } finally {
                lock.unlock();
            }
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getRawPath();
        if (!exchange.getRequestMethod().equals("GET")) {
            refuse(exchange, 405, "only GET is answered");
            return;
        }
        if (path.equals("/health")) {
            send(exchange, draining ? 503 : 200, "text/plain", draining ? "draining\n" : "ok\n");
            return;
        }
        if (!isAllowed(exchange)) {
            refuse(
                    exchange,
                    401,
                    "the request carries no token, or another than this worker's: set " + ClientOptions.TOKEN_VARIABLE
                            + " to it");
            return;
        }
        switch (path) {
            case "/metrics" -> send(exchange, 200, "text/plain; version=0.0.4", counters.text(plan.pieceBytes()));
            case "/v1/dataset" ->
                send(exchange, 200, "application/json", plan.description().toJson());
            default -> answerPiece(exchange, path);
        }
    }

    private boolean isAllowed(HttpExchange exchange) {
        if (options.token().isEmpty()) {
            return true;
        }
        String given = exchange.getRequestHeaders().getFirst("Authorization");
        byte[] wanted = ("Bearer " + options.token().get()).getBytes(StandardCharsets.UTF_8);
        return given != null && MessageDigest.isEqual(wanted, given.getBytes(StandardCharsets.UTF_8));
    }

    private void answerPiece(HttpExchange exchange, String path) throws IOException {
        if (!path.startsWith(PieceAddress.PREFIX)) {
            refuse(exchange, 404, "there are /v1/dataset, " + PieceAddress.PREFIX + "..., /health and /metrics");
            return;
        }
        PieceAddress address;
        try {
            address = PieceAddress.parse(path);
        } catch (IllegalArgumentException malformed) {
            refuse(exchange, 400, String.valueOf(malformed.getMessage()));
            return;
        }
        Description served = plan.description();
        if (!address.fingerprint().equals(fingerprint)) {
            counters.differed.increment();
            send(exchange, 409, "application/json", served.toJson());
        } else if (address.places().count() > served.most() || address.last() >= served.places()) {
            refuse(exchange, 400, "an epoch has " + served.places() + " places, and a piece at most " + served.most());
        } else if (draining) {
            later(exchange, "this worker is about to end");
        } else {
            inTurn(exchange, address);
        }
    }

    private void inTurn(HttpExchange exchange, PieceAddress address) throws IOException {
        counters.waiting.incrementAndGet();
        String loader = loader(exchange);
        boolean mine = false;
        try {
            mine = turns.take(loader, options.patience().toNanos());
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
        } finally {
            counters.waiting.decrementAndGet();
        }
        if (!mine) {
            counters.busy.increment();
            later(exchange, "this worker has more to do than it can");
            return;
        }
        long begun = System.nanoTime();
        counters.working.incrementAndGet();
        try {
            make(exchange, address);
        } finally {
            counters.working.decrementAndGet();
            counters.nanos.add(System.nanoTime() - begun);
            turns.release(loader);
        }
    }

    /// Who asks: what the loader calls itself, or else where it is.
    private static String loader(HttpExchange exchange) {
        String told = exchange.getRequestHeaders().getFirst(Exchanges.LOADER);
        return told == null
                ? String.valueOf(exchange.getRemoteAddress().getAddress())
                : told.substring(0, Math.min(told.length(), Exchanges.LONGEST_LOADER));
    }

    private void make(HttpExchange exchange, PieceAddress address) throws IOException {
        MadePiece made;
        try {
            made = plan.make(address);
        } catch (ServedPlan.UnmadeException unmade) {
            if (unmade.isPassing()) {
                counters.unread.increment();
                later(exchange, String.valueOf(unmade.getMessage()));
            } else {
                refuse(exchange, 422, String.valueOf(unmade.getMessage()));
            }
            return;
        } catch (RuntimeException failure) {
            LOG.log(Level.WARNING, "the piece " + address.path() + " could not be made", failure);
            counters.unread.increment();
            later(exchange, String.valueOf(failure));
            return;
        }
        try (made) {
            sendInTime(exchange, made);
            counters.pieces.increment();
            counters.images.add(address.places().count());
            counters.failedImages.add(made.failures());
            counters.bytes.add(made.byteSize());
        } catch (IOException gone) {
            counters.unsent.increment();
            throw gone;
        }
    }

    private void sendInTime(HttpExchange exchange, MadePiece made) throws IOException {
        SendingLimit.Sending sending = limit.begin(made.byteSize());
        try (sending) {
            send(exchange, made);
        } catch (IOException gone) {
            if (sending.isExpired()) {
                counters.slow.increment();
                throw new IOException("the loader took the piece too slowly: others wait for their turn", gone);
            }
            throw gone;
        }
    }

    private static void send(HttpExchange exchange, MadePiece made) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "application/vnd.safetensors");
        exchange.getResponseHeaders().set("Cache-Control", "public, max-age=31536000, immutable");
        exchange.getResponseHeaders().set(CHECKSUM, PieceFile.checksum(made.parts()));
        exchange.sendResponseHeaders(200, made.byteSize());
        byte[] chunk = new byte[(int) Math.min(CHUNK, made.byteSize())];
        int filled = 0;
        try (OutputStream body = exchange.getResponseBody()) {
            for (MemorySegment part : made.parts()) {
                for (long at = 0; at < part.byteSize(); ) {
                    int bytes = (int) Math.min(chunk.length - filled, part.byteSize() - at);
                    MemorySegment.copy(part, ValueLayout.JAVA_BYTE, at, chunk, filled, bytes);
                    at += bytes;
                    filled += bytes;
                    if (filled == chunk.length) {
                        body.write(chunk, 0, filled);
                        filled = 0;
                    }
                }
            }
            body.write(chunk, 0, filled);
        }
    }

    private void refuse(HttpExchange exchange, int status, String reason) throws IOException {
        counters.refused.increment();
        send(exchange, status, "application/json", Json.write(Map.of("error", Json.wellFormed(reason))) + "\n");
    }

    /// Sends a loader to another worker.
    private static void later(HttpExchange exchange, String reason) throws IOException {
        exchange.getResponseHeaders().set("Retry-After", "1");
        send(exchange, 503, "application/json", Json.write(Map.of("error", Json.wellFormed(reason))) + "\n");
    }

    private static void send(HttpExchange exchange, int status, String type, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.getResponseHeaders().set("Cache-Control", "no-store"); // only pieces stay as they are
        if (exchange.getRequestMethod().equals("HEAD")) { // whose answer has no body
            exchange.sendResponseHeaders(status, -1);
            return;
        }
        exchange.sendResponseHeaders(status, bytes.length);
        try (OutputStream body = exchange.getResponseBody()) {
            body.write(bytes);
        }
    }

    /// Takes no more pieces, and waits until those under way are sent, but at most `patience`. Loaders go to other
    /// workers meanwhile.
    ///
    /// @return whether all were sent
    public boolean drain(Duration patience) throws InterruptedException {
        draining = true;
        long left = patience.toNanos();
        lock.lockInterruptibly();
        try {
            while (requests > 0 && left > 0) {
                left = idle.awaitNanos(left);
            }
            return requests == 0;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        draining = true;
        server.stop(0);
        threads.shutdownNow();
        threads.close();
        limit.close();
        plan.close();
    }
}
