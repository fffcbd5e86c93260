package org.jspdl.service.exchange;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/// The JDK's server with TLS, which takes what it sends from arrays. Thread-safe.
public final class TlsServer implements PieceListener {
    private static final int BACKLOG = 1_024;
    private static final int CHUNK = 64 << 10;

    private final HttpsServer server;

    /// Listens at `address`, and answers nothing before [#start].
    ///
    /// @param asksClients whether loaders must show a certificate
    /// @param threads     for each request one
    public TlsServer(
            InetSocketAddress address, SSLContext context, boolean asksClients, Executor threads, Asked.Handler handler)
            throws IOException {
        server = HttpsServer.create(address, BACKLOG);
        server.setHttpsConfigurator(new HttpsConfigurator(context) {
            @Override
            public void configure(HttpsParameters parameters) {
                SSLParameters usual = getSSLContext().getDefaultSSLParameters();
                usual.setNeedClientAuth(asksClients);
                parameters.setSSLParameters(usual);
            }
        });
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            try (exchange) {
                handler.answer(new Exchange(exchange));
            }
        });
    }

    @Override
    public void start() {
        server.start();
    }

    @Override
    public int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private record Exchange(HttpExchange exchange) implements Asked {
        @Override
        public String method() {
            return exchange.getRequestMethod();
        }

        @Override
        public String path() {
            return exchange.getRequestURI().getRawPath();
        }

        @Override
        public Optional<String> authorization() {
            return Optional.ofNullable(exchange.getRequestHeaders().getFirst("Authorization"));
        }

        @Override
        public void header(String name, String value) {
            exchange.getResponseHeaders().set(name, value);
        }

        @Override
        public void send(int status, List<MemorySegment> parts) throws IOException {
            long bytes = parts.stream().mapToLong(MemorySegment::byteSize).sum();
            exchange.sendResponseHeaders(status, bytes);
            byte[] chunk = new byte[(int) Math.min(CHUNK, bytes)];
            int filled = 0;
            try (OutputStream body = exchange.getResponseBody()) {
                for (MemorySegment part : parts) {
                    for (long at = 0; at < part.byteSize(); ) {
                        int count = (int) Math.min(chunk.length - filled, part.byteSize() - at);
                        MemorySegment.copy(part, ValueLayout.JAVA_BYTE, at, chunk, filled, count);
                        at += count;
                        filled += count;
                        if (filled == chunk.length) {
                            body.write(chunk, 0, filled);
                            filled = 0;
                        }
                    }
                }
                body.write(chunk, 0, filled);
            }
        }
    }
}
