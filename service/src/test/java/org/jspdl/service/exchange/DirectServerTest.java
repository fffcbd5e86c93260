package org.jspdl.service.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What connections get whose bytes a test says.
class DirectServerTest {
    private static final int LARGE = 5_000_000;

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final TimeLimit limit = new TimeLimit();
    private final Arena arena = Arena.ofShared();
    private final MemorySegment large = arena.allocate(LARGE);
    private DirectServer server;

    @BeforeEach
    void start() throws IOException {
        for (int i = 0; i < LARGE; i++) {
            large.set(ValueLayout.JAVA_BYTE, i, (byte) (i % 251));
        }
        server = new DirectServer(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), threads, limit, asked -> {
            asked.header("Who", asked.authorization().orElse("nobody"));
            MemorySegment path = MemorySegment.ofArray(asked.path().getBytes(StandardCharsets.US_ASCII));
            asked.send(
                    200,
                    asked.path().equals("/large")
                            ? List.of(path, large, MemorySegment.ofArray(new byte[0]), large)
                            : List.of(path));
        });
        server.start();
    }

    @AfterEach
    void end() throws IOException {
        server.close();
        threads.shutdownNow();
        threads.close();
        limit.close();
        arena.close();
    }

    /// All that comes after `sent`, until the server hangs up.
    private String ask(String sent) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.getOutputStream().write(sent.getBytes(StandardCharsets.ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    @Test
    void requestsThatFollowOneAnotherAreAnsweredInTheirOrder() throws Exception {
        String requests = String.join(
                "\r\n",
                List.of(
                        "GET /one HTTP/1.1",
                        "Host: a",
                        "",
                        "GET /two HTTP/1.1",
                        "Authorization: me",
                        "",
                        "GET /three HTTP/1.1",
                        "Connection: close",
                        "",
                        ""));

        String answers = ask(requests);

        assertThat(answers.split("HTTP/1.1 200 OK")).hasSize(4);
        assertThat(answers)
                .matches("(?s).*Date: \\w{3}, \\d\\d \\w{3} \\d{4} \\d\\d:\\d\\d:\\d\\d GMT.*")
                .matches("(?s).*Who: nobody.*\r\n/one.*Who: me.*\r\n/two.*Connection: close.*\r\n/three");
    }

    @Test
    void partsInAndOutsideTheHeapArriveWhole() throws Exception {
        String answer = ask("GET /large HTTP/1.0\r\n\r\n");
        String body = answer.substring(answer.indexOf("\r\n\r\n") + 4);

        assertThat(answer).contains("Content-Length: " + (2 * LARGE + 6) + "\r\n");
        assertThat(body).hasSize(2 * LARGE + 6).startsWith("/large");
        for (int i = 0; i < 2 * LARGE; i++) {
            if (body.charAt(6 + i) != i % LARGE % 251) {
                throw new AssertionError("byte " + i + " is " + (int) body.charAt(6 + i));
            }
        }
    }

    @Test
    void onlyTheHeadIsSentWhereOnlyThatIsAskedFor() throws Exception {
        assertThat(ask("HEAD /one HTTP/1.0\r\n\r\n"))
                .contains("Content-Length: 4")
                .endsWith("\r\n\r\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET one HTTP/1.1\r\n\r\n",
                "POST /one HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc",
                "\u0016\u0003\u0001 hello",
                "\r\n\r\n"
            })
    void whatIsNoRequestIsRefusedAndTheConnectionEnds(String sent) throws Exception {
        assertThat(ask(sent)).startsWith("HTTP/1.1 400 ").contains("Connection: close");
    }

    @Test
    void aHeadIsNoLongerThanItMayBe() throws Exception {
        assertThat(ask("GET /one HTTP/1.1\r\nMore: " + "a".repeat(8_192 - 25))).startsWith("HTTP/1.1 400 ");
    }

    @Test
    void connectionsEndWithTheServer() throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.getOutputStream().write("GET /one HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(socket.getInputStream().read()).isEqualTo('H');
            server.close();
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                    .endsWith("/one");
        }
    }
}
