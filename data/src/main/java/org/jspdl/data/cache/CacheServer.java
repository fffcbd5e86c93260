package org.jspdl.data.cache;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;

/// Lets other machines read pieces of remote objects that a cache on disk has: what they ask for, a range of an object
/// in one version, or nothing. It never asks a store itself, and reads nothing but entries of its cache.
///
/// A virtual thread for each request, and 64 KiB of memory; pieces at once are bounded. Thread-safe; closing it ends
/// what is under way, and leaves the cache open, which must stay so until then.
public final class CacheServer implements AutoCloseable {
    static final String CHECKSUM = "Jspdl-Crc32c";
    static final String IDENTITY = "Jspdl-Piece";
    static final int OK = 200;
    static final int MISSING = 404;
    static final int BUSY = 503;
    private static final int BACKLOG = 1_024;

    private final DiskCache cache;
    private final CacheServerOptions options;
    private final HttpServer server;
    private final ExecutorService threads;
    private final Semaphore turns;
    private final LongAdder sent = new LongAdder();

    private CacheServer(DiskCache cache, CacheServerOptions options) throws IOException {
        this.cache = cache;
        this.options = options;
        this.turns = new Semaphore(options.atOnce());
        this.server = HttpServer.create(address(options), BACKLOG);
        this.threads = Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("jspdl-cache-server-", 0).factory());
        server.setExecutor(threads);
        server.createContext("/", this::handle);
    }

    private static InetSocketAddress address(CacheServerOptions options) {
        InetSocketAddress address = new InetSocketAddress(options.host(), options.port());
        boolean isLocal = !address.isUnresolved() && address.getAddress().isLoopbackAddress();
        if (!isLocal && options.token().isEmpty() && !options.anybody()) {
            throw new IllegalArgumentException("other machines can reach " + options.host()
                    + ", so requests for what the cache has need a token: set " + CacheServerOptions.TOKEN_VARIABLE
                    + ", the same on all machines (CacheServerOptions.token in Java); or, where everybody on the network"
                    + " may read the data, let anybody ask ('anybody: true' in plans, CacheServerOptions.forAnybody)");
        }
        return address;
    }

    /// Starts to serve `cache`. The caller closes it, before the cache.
    ///
    /// @throws IllegalArgumentException if anybody could ask for it without leave
    /// @throws IOException              if it can't listen there; a [java.net.BindException] if something else does
    public static CacheServer start(DiskCache cache, CacheServerOptions options) throws IOException {
        CacheServer server = new CacheServer(cache, options);
        server.server.start();
        return server;
    }

    /// The port that it listens at.
    public int port() {
        return server.getAddress().getPort();
    }

    /// Pieces that it sent so far.
    public long sent() {
        return sent.sum();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            answer(exchange);
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        if (!exchange.getRequestMethod().equals("GET")) {
            exchange.sendResponseHeaders(405, -1);
            return;
        }
        if (!isAllowed(exchange)) {
            exchange.sendResponseHeaders(401, -1);
            return;
        }
        Optional<PieceName> name = PieceName.parse(exchange.getRequestURI().getRawPath());
        if (name.isEmpty()) {
            exchange.sendResponseHeaders(400, -1);
        } else if (!turns.tryAcquire()) {
            exchange.sendResponseHeaders(BUSY, -1);
        } else {
            try {
                send(exchange, name.get());
            } finally {
                turns.release();
            }
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

    private void send(HttpExchange exchange, PieceName name) throws IOException {
        Optional<CachedPiece> found = cache.piece(name);
        if (found.isEmpty()) {
            exchange.sendResponseHeaders(MISSING, -1);
            return;
        }
        try (CachedPiece piece = found.get()) {
            exchange.getResponseHeaders().set("Content-Type", "application/octet-stream");
            exchange.getResponseHeaders().set(CHECKSUM, checksum(piece.checksum()));
            exchange.getResponseHeaders().set(IDENTITY, name.identity());
            exchange.sendResponseHeaders(OK, piece.length());
            sent.increment(); // before its last byte, so that whoever has a piece finds it counted
            try (OutputStream body = exchange.getResponseBody()) {
                piece.send(body);
            } catch (IOException | RuntimeException gone) {
                sent.decrement();
                throw gone;
            }
        }
    }

    static String checksum(int crc) {
        return HexFormat.of().toHexDigits(crc);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
        threads.close();
    }
}
