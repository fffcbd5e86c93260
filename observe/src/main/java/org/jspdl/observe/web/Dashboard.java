package org.jspdl.observe.web;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspdl.observe.live.Live;
import org.jspdl.observe.live.LiveRuns;
import org.jspdl.pipeline.RunHandle;
import org.jspdl.pipeline.RunOptions;

/// A page with plots that move: all runs of this user on this machine that can be [looked at][Live], side by side.
///
/// The page loads nothing from elsewhere, and gets a look at each run once a second as server-sent events. Nothing can
/// be changed by it. It listens on the loopback interface unless it is told otherwise, and its address has a random
/// token, without which there is only "not found". Beyond the loopback interface, the token and the figures travel as
/// plain text. May be used by any thread; closing ends all connections.
///
/// ```java
/// try (Run<Batch> run = loading.start(Dashboard.on(RunOptions.defaults(), 8080))) { ... }   // the address is logged
/// ```
public final class Dashboard implements AutoCloseable {
    private static final Logger LOGGER = System.getLogger(Dashboard.class.getName());
    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);
    private static final int TOKEN_BYTES = 16;
    /// Browsers that may watch at once.
    private static final int MOST_STREAMS = 32;
    private static final int NOT_FOUND = 404;
    private static final int NO_SUCH_METHOD = 405;
    private static final int TOO_MANY = 503;
    private static final int OK = 200;

    private final HttpServer server;
    private final ExecutorService threads;
    private final LookCache looks;
    private final String token;
    private final String page;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final AtomicInteger streams = new AtomicInteger();

    private Dashboard(HttpServer server, LiveRuns runs) {
        this.server = server;
        this.looks = new LookCache(runs, BETWEEN_LOOKS.dividedBy(2));
        this.token = random();
        String nonce = random();
        this.page = resource().replace("NONCE", nonce);
        this.threads = Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("jspdl-dashboard-", 0).factory());
        String policy =
                "default-src 'none'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
                        + "style-src 'nonce-" + nonce + "'; script-src 'nonce-" + nonce + "'";
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            try (exchange) {
                exchange.getResponseHeaders().set("Content-Security-Policy", policy);
                exchange.getResponseHeaders().set("Referrer-Policy", "no-referrer");
                exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
                exchange.getResponseHeaders().set("Cache-Control", "no-store");
                answer(exchange);
            }
        });
    }

    /// Serves the runs of this user on `port` of the loopback interface; 0 takes any free one.
    ///
    /// @throws IOException if the port is taken, or others could put sockets into the folder of the runs
    public static Dashboard open(int port) throws IOException {
        return open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    /// Serves the runs of this user at `address`, which others may reach who know the token.
    public static Dashboard open(InetSocketAddress address) throws IOException {
        return open(address, LiveRuns.ofThisUser());
    }

    static Dashboard open(InetSocketAddress address, LiveRuns runs) throws IOException {
        HttpServer server;
        try {
            server = HttpServer.create(address, 0);
        } catch (IOException taken) {
            throw new IOException("the dashboard can't listen on " + address + ": " + taken.getMessage(), taken);
        }
        Dashboard dashboard = new Dashboard(server, runs);
        server.start();
        return dashboard;
    }

    /// `options` of a run that serves a dashboard as long as it goes on, on `port` of the loopback interface. The
    /// address is logged. If the port is taken, the run goes on without.
    public static RunOptions on(RunOptions options, int port) {
        RunOptions looked = options.background().containsKey("live") ? options : Live.on(options);
        return looked.background("dashboard", run -> serve(run, port));
    }

    private static void serve(RunHandle run, int port) throws IOException, InterruptedException {
        try (Dashboard dashboard = open(port)) {
            LOGGER.log(Level.INFO, "pipeline '" + run.get().pipeline() + "' can be watched at " + dashboard.address());
            dashboard.closed.await();
        }
    }

    /// Where to look, with the token.
    public URI address() {
        InetAddress host = server.getAddress().getAddress();
        String name = host.isAnyLocalAddress() ? "localhost" : host.getHostAddress();
        return URI.create("http://" + (name.contains(":") ? "[" + name + "]" : name) + ":"
                + server.getAddress().getPort() + "/" + token + "/");
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        boolean events = path.endsWith("/events");
        String given = path.substring(Math.min(1, path.length()), Math.max(1, path.lastIndexOf('/')));
        boolean known =
                MessageDigest.isEqual(given.getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
        if (!known || !(events || path.endsWith("/"))) {
            send(exchange, NOT_FOUND, "text/plain", "not found\n");
        } else if (!exchange.getRequestMethod().equals("GET")) {
            send(exchange, NO_SUCH_METHOD, "text/plain", "only GET\n");
        } else if (events) {
            stream(exchange);
        } else {
            send(exchange, OK, "text/html", page);
        }
    }

    private static void send(HttpExchange exchange, int code, String type, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type + "; charset=utf-8");
        exchange.sendResponseHeaders(code, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    /// Sends looks until the browser leaves or the dashboard is closed.
    private void stream(HttpExchange exchange) throws IOException {
        if (streams.incrementAndGet() > MOST_STREAMS) {
            streams.decrementAndGet();
            send(exchange, TOO_MANY, "text/plain", "too many browsers watch\n");
            return;
        }
        try {
            exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
            exchange.sendResponseHeaders(OK, 0);
            do {
                exchange.getResponseBody().write(("data: " + looks.json() + "\n\n").getBytes(StandardCharsets.UTF_8));
                exchange.getResponseBody().flush();
            } while (!closed.await(BETWEEN_LOOKS.toNanos(), TimeUnit.NANOSECONDS));
        } catch (InterruptedException ends) {
            Thread.currentThread().interrupt();
        } finally {
            streams.decrementAndGet();
        }
    }

    private static String random() {
        byte[] bytes = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    private static String resource() {
        try (InputStream page = Dashboard.class.getResourceAsStream("dashboard.html")) {
            if (page == null) {
                throw new IllegalStateException("the resource dashboard.html is missing");
            }
            return new String(page.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new IllegalStateException("the resource dashboard.html cannot be read", unreadable);
        }
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
        threads.shutdownNow();
        // Waits for what the connections were told before, even if the caller is interrupted.
        threads.close();
    }
}
