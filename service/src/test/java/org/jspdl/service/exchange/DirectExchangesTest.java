package org.jspdl.service.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.zip.CRC32C;
import org.jspdl.memory.BufferPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Requests to servers that answer what a test says, byte by byte.
class DirectExchangesTest {
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final BufferPool pool = BufferPool.unbounded("test");
    private final DirectExchanges exchanges = new DirectExchanges(Optional.of("secret"), "loader 1", pool, threads);

    @AfterEach
    void nothingIsLeft() {
        threads.shutdownNow();
        threads.close();
        exchanges.close();
        assertThat(pool.outstanding()).isZero();
        pool.close();
    }

    /// What a server does with one connection.
    private interface Manners {
        void serve(Said said, OutputStream out) throws Exception;
    }

    /// What came on a connection.
    private record Said(InputStream in, List<String> heads) {
        /// Reads a request; false at the end.
        boolean next() throws IOException {
            StringBuilder head = new StringBuilder();
            for (int c = in.read(); c >= 0; c = in.read()) {
                head.append((char) c);
                if (head.toString().endsWith("\r\n\r\n")) {
                    heads.add(head.toString());
                    return true;
                }
            }
            return false;
        }
    }

    /// A server whose connections behave as the first, the second, ... of `manners` says, and then as the last.
    private final class Server implements AutoCloseable {
        private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        final List<String> heads = new CopyOnWriteArrayList<>();
        final List<Socket> accepted = new CopyOnWriteArrayList<>();

        Server(Manners... manners) throws IOException {
            threads.execute(() -> {
                try {
                    for (int i = 0; ; i++) {
                        Socket connection = socket.accept();
                        accepted.add(connection);
                        Manners own = manners[Math.min(i, manners.length - 1)];
                        threads.execute(() -> {
                            try (connection) {
                                own.serve(new Said(connection.getInputStream(), heads), connection.getOutputStream());
                            } catch (Exception ended) {
                                // the test looks at what its side sees
                            }
                        });
                    }
                } catch (IOException closed) {
                    // the test has ended
                }
            });
        }

        URI url() {
            return URI.create("http://127.0.0.1:" + socket.getLocalPort());
        }

        @Override
        public void close() throws IOException {
            socket.close();
            for (Socket each : accepted) {
                each.close();
            }
        }
    }

    private static byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        new Random(count).nextBytes(bytes);
        return bytes;
    }

    private static void answer(OutputStream out, byte[] body) throws IOException {
        out.write(("HTTP/1.1 200 OK\r\nContent-Length: " + body.length + "\r\nJspdl-Crc32c: " + sum(body) + "\r\n\r\n")
                .getBytes(StandardCharsets.ISO_8859_1));
        out.write(body);
        out.flush();
    }

    private static String sum(byte[] body) {
        CRC32C sum = new CRC32C();
        sum.update(body);
        return Exchanges.told(sum);
    }

    private byte[] ask(Server server) throws Exception {
        Answer answer = exchanges.send(server.url(), "/piece", 1 << 20).answer().get();
        try (var body = answer.body()) {
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.found()).isEqualTo(answer.announced());
            return body.segment().toArray(ValueLayout.JAVA_BYTE);
        }
    }

    @Test
    void bodiesOfAllSizesArriveOverOneConnectionWithTheirChecksum() throws Exception {
        try (Server server = new Server((said, out) -> {
            for (int size : new int[] {1, 1_000, 16_384, 300_000, 1_000_000}) {
                said.next();
                answer(out, bytes(size));
            }
        })) {
            for (int size : new int[] {1, 1_000, 16_384, 300_000, 1_000_000}) {
                assertThat(ask(server)).isEqualTo(bytes(size));
            }
            assertThat(server.accepted).hasSize(1);
            assertThat(server.heads.getFirst())
                    .isEqualTo("GET /piece HTTP/1.1\r\nHost: 127.0.0.1:"
                            + server.url().getPort()
                            + "\r\nJspdl-Loader: loader 1\r\nAuthorization: Bearer secret\r\n\r\n");
        }
    }

    @Test
    void anAnswerThatComesInSmallPartsIsTheSame() throws Exception {
        try (Server server = new Server((said, out) -> {
            said.next();
            byte[] whole = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nJspdl-Crc32c: 9a71bb4c\r\n\r\nhello"
                    .getBytes(StandardCharsets.ISO_8859_1);
            for (byte each : whole) {
                out.write(each);
                out.flush();
            }
            said.next();
        })) {
            assertThat(ask(server)).asString(StandardCharsets.US_ASCII).isEqualTo("hello");
        }
    }

    @Test
    void aKeptConnectionThatTheWorkerHasClosedIsReplacedWithoutAFailure() throws Exception {
        CountDownLatch closed = new CountDownLatch(1);
        try (Server server = new Server(
                (said, out) -> {
                    said.next();
                    answer(out, bytes(10));
                    said.in.close();
                    closed.countDown();
                },
                (said, out) -> {
                    said.next();
                    answer(out, bytes(20));
                    said.next();
                })) {
            assertThat(ask(server)).isEqualTo(bytes(10));
            closed.await();
            assertThat(ask(server)).isEqualTo(bytes(20));
        }
    }

    @Test
    void aConnectionOnWhichMoreCameThanWasAnnouncedIsNotUsedAgain() throws Exception {
        try (Server server = new Server((said, out) -> {
            said.next();
            out.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nJspdl-Crc32c: e2a22936\r\n\r\nabHTTP/1.1 200 OK\r\n"
                    .getBytes(StandardCharsets.ISO_8859_1));
            out.flush();
            said.next();
        })) {
            Answer first =
                    exchanges.send(server.url(), "/piece", 1 << 20).answer().get();
            first.body().close();
            assertThat(first.body().byteSize()).isEqualTo(2);
            exchanges
                    .send(server.url(), "/piece", 1 << 20)
                    .answer()
                    .get()
                    .body()
                    .close();
            assertThat(server.accepted).hasSize(2);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nContent-Length: 2000000\r\n\r\n | it announces 2000000 bytes (status 200), of at most 1048576",
                "HTTP/1.1 500 No\r\nContent-Length: 5000000\r\n\r\n | it announces 5000000 bytes (status 500), of at most 4194304",
                "HTTP/1.1 200 OK\r\n\r\nabc | it announces -1 bytes",
                "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc | it ended after 3 of 10 bytes",
                "HTTP/1.1 200 OK\r\nContent-Le | it hung up within the head",
                "220 mail ready\r\n\r\n | without a status line: \"220 mail",
                " | it hung up before it answered",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n | not with a length"
            })
    void whatIsNoWholeAnswerIsAFailureThatSaysWhatCame(String behavior) throws Exception {
        String[] parts = behavior.split(" \\| ", -1);
        try (Server server = new Server((said, out) -> {
            said.next();
            out.write(parts[0].getBytes(StandardCharsets.ISO_8859_1));
            out.flush();
        })) {
            assertThatThrownBy(() -> ask(server))
                    .isInstanceOf(ExecutionException.class)
                    .cause()
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(parts[1]);
        }
    }

    @Test
    void anEndlessHeadIsRefused() throws Exception {
        try (Server server = new Server((said, out) -> {
            said.next();
            out.write("HTTP/1.1 200 OK\r\n".getBytes(StandardCharsets.ISO_8859_1));
            while (true) {
                out.write("More: and more\r\n".getBytes(StandardCharsets.ISO_8859_1));
            }
        })) {
            assertThatThrownBy(() -> ask(server)).hasMessageContaining("longer than 16384 bytes");
        }
    }

    @Test
    void aRequestThatIsGivenUpEndsAndReleasesWhatCame() throws Exception {
        CountDownLatch half = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        try (Server server = new Server((said, out) -> {
            said.next();
            out.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nabc".getBytes(StandardCharsets.ISO_8859_1));
            out.flush();
            half.countDown();
            try {
                said.next();
            } finally {
                ended.countDown();
            }
        })) {
            Exchanges.Sent sent = exchanges.send(server.url(), "/piece", 1 << 20);
            half.await();
            sent.end().run();
            sent.end().run();
            ended.await();
            assertThatThrownBy(() -> sent.answer().get()).isInstanceOf(CancellationException.class);
        }
    }

    @Test
    void nobodyAtThePortAndAnUnknownNameAreFailures() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        for (String nobody : List.of("http://127.0.0.1:" + port, "http://no-such-name.invalid:80")) {
            assertThatThrownBy(() -> exchanges
                            .send(URI.create(nobody), "/piece", 10)
                            .answer()
                            .get())
                    .cause()
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void onlyWorkersWithoutTlsAreAskedInThisWay() {
        assertThat(DirectExchanges.canAsk(URI.create("http://127.0.0.1:8080"))).isTrue();
        assertThat(DirectExchanges.canAsk(URI.create("https://127.0.0.1:8080"))).isFalse();
    }
}
