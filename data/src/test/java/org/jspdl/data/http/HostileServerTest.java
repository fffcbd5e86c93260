package org.jspdl.data.http;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLSocketFactory;
import org.jspdl.data.dataset.LabeledFiles;
import org.jspdl.data.http.pace.RetryClock;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.StorageException;
import org.jspdl.data.storage.StorageException.Kind;
import org.jspdl.data.storage.StorageOptions;
import org.jspdl.data.storage.StoredObject;
import org.jspdl.memory.BufferPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Servers and proxies that want to hold up a run, or to send it somewhere else.
class HostileServerTest {
    private static final StorageOptions QUICK = StorageOptions.defaults().readDeadline(Duration.ofSeconds(1));
    private static final Duration PATIENCE = Duration.ofSeconds(100);

    private final BufferPool pool = BufferPool.create("test", 1 << 20);
    private RawServer server;

    @BeforeEach
    void start() throws IOException {
        server = new RawServer();
    }

    @AfterEach
    void stop() throws IOException {
        pool.close();
        server.close();
    }

    private static HttpStorage storage(StorageOptions options, Map<String, String> environment) {
        return storage(options, environment, NameLookups.ofSystem());
    }

    private static HttpStorage storage(StorageOptions options, Map<String, String> environment, NameLookups lookups) {
        ConnectionPool connections = new ConnectionPool(
                options, (SSLSocketFactory) SSLSocketFactory.getDefault(), new ProxySettings(environment), lookups);
        return new HttpStorage(new RangeClient(options, Authorizer.anonymous(), connections, RetryClock.system()));
    }

    /// Gives up after minutes, of which pauses take no time.
    private static HttpStorage patient() {
        StorageOptions options = StorageOptions.defaults().readDeadline(Duration.ofMinutes(2));
        ConnectionPool connections = new ConnectionPool(
                options,
                (SSLSocketFactory) SSLSocketFactory.getDefault(),
                new ProxySettings(Map.of()),
                NameLookups.ofSystem());
        return new HttpStorage(
                new RangeClient(options, Authorizer.anonymous(), connections, new SkippingClock(_ -> {})));
    }

    private void read(HttpStorage storage, String url) throws IOException {
        try (StoredObject object = storage.object(url)) {
            object.read(0, 10, pool).close();
        }
    }

    /// Sends `begin` to whoever connects, then a byte ten times a second, for as long as anybody listens.
    private static ServerSocket dribbling(byte[] begin) throws IOException {
        ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().name("dribbling-accept").start(() -> {
            while (!listener.isClosed()) {
                try {
                    Socket socket = listener.accept();
                    Thread.ofVirtual().name("dribbling").start(() -> dribble(socket, begin));
                } catch (IOException closed) {
                    return;
                }
            }
        });
        return listener;
    }

    private static void dribble(Socket socket, byte[] begin) {
        try (socket;
                OutputStream out = socket.getOutputStream()) {
            out.write(begin);
            for (; ; ) {
                out.write('x');
                LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
            }
        } catch (IOException gone) {
            // the client gave up
        }
    }

    private void assertGivesUp(HttpStorage storage, String url) {
        assertTimeoutPreemptively(
                PATIENCE,
                () -> assertThatThrownBy(() -> read(storage, url))
                        .isInstanceOf(StorageException.class)
                        .hasMessageContaining("no connection in time"));
    }

    @Test
    void aServerThatDribblesDuringTheTlsHandshakeIsGivenUpAtTheDeadline() throws IOException {
        // the header of a TLS record of 16 KiB, whose bytes then take half an hour
        try (ServerSocket slow = dribbling(new byte[] {0x16, 3, 3, 0x40, 0});
                HttpStorage storage = storage(QUICK, Map.of())) {
            assertGivesUp(storage, "https://localhost:" + slow.getLocalPort() + "/a");
        }
    }

    @Test
    void aProxyThatDribblesBeforeTheTunnelIsOpenIsGivenUpAtTheDeadline() throws IOException {
        try (ServerSocket slow = dribbling("HTTP/1.1 200 ".getBytes(StandardCharsets.US_ASCII));
                HttpStorage storage =
                        storage(QUICK, Map.of("https_proxy", "http://localhost:" + slow.getLocalPort()))) {
            assertGivesUp(storage, "https://data.example/a");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://silent.example/a", "https://silent.example/a", "http://proxied.example/a"})
    void aResolverThatDoesNotAnswerIsGivenUpAtTheDeadlineAndAskedOnce(String url) throws InterruptedException {
        AtomicInteger asked = new AtomicInteger();
        CountDownLatch silence = new CountDownLatch(1);
        AtomicReference<Thread> asking = new AtomicReference<>();
        NameLookups lookups = new NameLookups(name -> {
            asked.incrementAndGet();
            asking.set(Thread.currentThread());
            try {
                silence.await();
            } catch (InterruptedException impossible) {
                throw new UnknownHostException(name);
            }
            return InetAddress.getLoopbackAddress();
        });
        Map<String, String> environment =
                url.contains("proxied") ? Map.of("http_proxy", "http://silent.example:3128") : Map.of();
        try (HttpStorage storage = storage(QUICK, environment, lookups)) {
            assertGivesUp(storage, url);
            assertGivesUp(storage, url);
        } finally {
            silence.countDown();
            requireNonNull(asking.get()).join();
        }
        assertThat(asked).hasValue(1);
    }

    @Test
    void closingTheStorageEndsAnAttemptToConnect() throws Exception {
        try (ServerSocket slow = dribbling(new byte[] {0x16, 3, 3, 0x40, 0})) {
            HttpStorage storage = storage(StorageOptions.defaults(), Map.of());
            Thread reading = Thread.ofVirtual().start(() -> {
                try {
                    read(storage, "https://localhost:" + slow.getLocalPort() + "/a");
                } catch (IOException expected) {
                    // closed meanwhile
                }
            });
            // A thread that waits for a socket with a time limit waits so.
            while (reading.getState() != Thread.State.TIMED_WAITING) {
                assertThat(reading.isAlive()).isTrue();
                Thread.onSpinWait();
            }
            storage.close();
            assertThat(reading.join(PATIENCE)).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "169.254.169.254",
                "169.254.170.2",
                "0.0.0.0",
                "224.0.0.1",
                "100.100.100.200",
                "[fe80::1]",
                "[::ffff:169.254.169.254]",
                "[fd00:ec2::254]",
                "2852039166"
            })
    void addressesWhereACloudKeepsCredentialsAreNotAsked(String host) {
        boolean isProxied = host.contains(".") || host.startsWith("[");
        for (Map<String, String> environment : isProxied
                ? List.of(Map.<String, String>of(), Map.of("http_proxy", "http://localhost:1"))
                : List.of(Map.<String, String>of())) {
            try (HttpStorage storage = storage(QUICK, environment)) {
                assertThatThrownBy(() -> read(storage, "http://" + host + "/latest/meta-data"))
                        .isInstanceOf(StorageException.class)
                        .satisfies(failure ->
                                assertThat(((StorageException) failure).kind()).isIn(Kind.DENIED, Kind.UNSUPPORTED));
                assertThat(storage.stats().requests()).isZero();
            }
        }
    }

    @Test
    void aHostThatIsAllowedIsAskedWhereverItIs() {
        try (HttpStorage storage = storage(QUICK.allowHosts("0.0.0.0"), Map.of())) {
            assertThatThrownBy(() -> read(storage, "http://0.0.0.0:1/a"))
                    .isInstanceOf(StorageException.class)
                    .satisfies(failure ->
                            assertThat(((StorageException) failure).kind()).isEqualTo(Kind.UNAVAILABLE));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://169.254.169.254/latest/meta-data",
                "file:///etc/passwd",
                "ftp://localhost/a",
                "/../x\u0001"
            })
    void aRedirectionLeadsNowhereElse(String to) throws IOException {
        server.put(
                "/moved",
                new RawServer.Response(
                        "HTTP/1.1 302 Found\r\nLocation: " + to + "\r\nContent-Length: 0\r\n\r\n", "", false));
        try (HttpStorage storage = storage(QUICK, Map.of())) {
            assertThatThrownBy(() -> read(storage, server.url("/moved"))).isInstanceOf(StorageException.class);
            assertThat(storage.stats().requests()).isEqualTo(1);
        }
    }

    @Test
    void aChunkOfTwoGigabytesTakesNoMemory() throws IOException {
        server.put(
                "/chunk",
                new RawServer.Response(
                        "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-9/10\r\nTransfer-Encoding: chunked\r\n\r\n"
                                + "7fffffff\r\n0123456789more",
                        "",
                        true));
        try (HttpStorage storage = patient()) {
            assertThatThrownBy(() -> read(storage, server.url("/chunk")))
                    .isInstanceOf(StorageException.class)
                    .hasMessageContaining("longer than it says");
        }
    }

    @Test
    void aListOfAnyClaimedSizeTakesNoMoreThanArrives() throws IOException {
        server.put(
                "/list.txt",
                new RawServer.Response(
                        "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-0/60000000000\r\nContent-Length: 1\r\n\r\n",
                        "x",
                        true));
        try (HttpStorage storage = storage(QUICK, Map.of())) {
            assertThatThrownBy(() -> LabeledFiles.open(storage, server.url("/list.txt")))
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void aWholeObjectOfAnyClaimedSizeTakesNoMoreThanTheLimit() throws IOException {
        server.put(
                "/huge",
                new RawServer.Response("HTTP/1.1 200 OK\r\nContent-Length: 999999999999999999\r\n\r\nx", "", true));
        try (HttpStorage storage = storage(QUICK, Map.of());
                StoredObject object = storage.object(Location.of(server.url("/huge")))) {
            assertThatThrownBy(() -> requireNonNull(object.readAll(pool, 1000)).close())
                    .isInstanceOf(StorageException.class);
        }
        assertThat(pool.outstanding()).isZero();
    }
}
