package org.jspdl.data.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspdl.data.storage.ByteRange;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StoredObject;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Lease;
import org.jspdl.testkit.storage.Faults;
import org.jspdl.testkit.storage.ObjectContent;
import org.jspdl.testkit.storage.ObjectServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Two machines with a cache each, one store that counts what it is asked for, and peers that do what they must not.
@Timeout(60)
class CachePeersTest {
    private static final int SIZE = 200_000;
    private static final long BUDGET = 64 << 20;
    private static final List<ByteRange> RANGES =
            List.of(new ByteRange(5, 70_000), new ByteRange(100_000, 9), new ByteRange(5, 70_000));

    @TempDir
    Path folder;

    private final BufferPool pool = BufferPool.create("peers", 64 << 20);
    private final byte[] content = new byte[SIZE];
    private ObjectServer store;
    private Storage storage;
    private DiskCache theirs;
    private DiskCache ours;

    @BeforeEach
    void start() throws IOException {
        ObjectContent.seeded(1, SIZE).copy(0, content);
        store = ObjectServer.start(Faults.none());
        store.put("/a", ObjectContent.of(content));
        storage = Storage.open();
        theirs = DiskCache.open(folder.resolve("theirs"), BUDGET);
        ours = DiskCache.open(folder.resolve("ours"), BUDGET);
    }

    @AfterEach
    void stop() throws IOException {
        ours.close();
        theirs.close();
        storage.close();
        store.close();
        pool.close();
    }

    private static CachePeersOptions asking(int port) {
        return CachePeersOptions.of(List.of("http://127.0.0.1:" + port)).patience(Duration.ofSeconds(20));
    }

    private static byte[] bytes(Lease lease) {
        try (lease) {
            return lease.segment().toArray(ValueLayout.JAVA_BYTE);
        }
    }

    private void readAll(Storage from, byte[] expected) throws IOException {
        try (StoredObject object = from.object(store.url("/a"))) {
            assertThat(bytes(object.readAll(pool, 1 << 20))).isEqualTo(expected);
        }
        try (StoredObject object = from.object(store.url("/a"))) {
            object.expect(SIZE);
            List<Lease> leases = object.read(RANGES, pool);
            for (int i = 0; i < RANGES.size(); i++) {
                int offset = (int) RANGES.get(i).offset();
                assertThat(bytes(leases.get(i))).isEqualTo(Arrays.copyOfRange(expected, offset, (int)
                        RANGES.get(i).end()));
            }
            assertThat(bytes(object.read(7, 11, pool))).isEqualTo(Arrays.copyOfRange(expected, 7, 18));
        }
    }

    @Test
    void whatAPeerHasIsNotReadFromTheStore() throws IOException {
        readAll(CachedStorage.of(storage, theirs), content);
        long read = store.counts().bytes();
        try (CacheServer server = CacheServer.start(theirs, CacheServerOptions.at(0));
                CachePeers peers = CachePeers.open(asking(server.port()))) {
            CachedStorage cached = CachedStorage.of(storage, ours, peers);
            readAll(cached, content);

            assertThat(store.counts().bytes()).isEqualTo(read);
            assertThat(cached.peerStats()).contains(new PeerStats(4, 4, SIZE + 70_000 + 9 + 11, 0, 0));
            assertThat(server.sent()).isEqualTo(4);
            readAll(cached, content);
            assertThat(server.sent()).as("it is in its own cache now").isEqualTo(4);
        }
    }

    /// What came from a peer is given on: it carries the version that the store said.
    @Test
    void aThirdMachineReadsWhatTheSecondHasOfTheFirst() throws IOException {
        readAll(CachedStorage.of(storage, theirs), content);
        try (CacheServer server = CacheServer.start(theirs, CacheServerOptions.at(0));
                CachePeers peers = CachePeers.open(asking(server.port()))) {
            readAll(CachedStorage.of(storage, ours, peers), content);
        }
        long read = store.counts().bytes();
        try (DiskCache third = DiskCache.open(folder.resolve("third"), BUDGET);
                CacheServer server = CacheServer.start(ours, CacheServerOptions.at(0));
                CachePeers peers = CachePeers.open(asking(server.port()))) {
            readAll(CachedStorage.of(storage, third, peers), content);
            assertThat(store.counts().bytes()).isEqualTo(read);
        }
    }

    @Test
    void anotherVersionOfTheObjectIsNeverTaken() throws IOException {
        readAll(CachedStorage.of(storage, theirs), content);
        byte[] other = content.clone();
        other[10]++;
        store.put("/a", ObjectContent.of(other));
        try (CacheServer server = CacheServer.start(theirs, CacheServerOptions.at(0));
                CachePeers peers = CachePeers.open(asking(server.port()))) {
            CachedStorage cached = CachedStorage.of(storage, ours, peers);
            readAll(cached, other);
            assertThat(cached.peerStats().orElseThrow().hits()).isZero();
            assertThat(server.sent()).isZero();
        }
    }

    @Test
    void entriesWhoseVersionIsNotKnownAreGivenToNobody() throws IOException {
        try (Lease bytes = pool.lease(SIZE)) {
            theirs.offer("@" + store.url("/a"), bytes.segment());
        }
        try (CacheServer server = CacheServer.start(theirs, CacheServerOptions.at(0));
                CachePeers peers = CachePeers.open(asking(server.port()))) {
            readAll(CachedStorage.of(storage, ours, peers), content);
            assertThat(server.sent()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"W/\"1\"", "", "date"})
    void aStoreThatSaysNoCertainVersionIsReadWithoutPeers(String tag) throws IOException {
        HttpServer weak = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        weak.createContext("/", exchange -> {
            exchange.getResponseHeaders().set("Last-Modified", "Mon, 23 Nov 2026 10:00:00 GMT");
            if (!tag.equals("date")) {
                exchange.getResponseHeaders().set("ETag", tag);
            }
            boolean isHead = exchange.getRequestMethod().equals("HEAD");
            if (isHead) {
                exchange.getResponseHeaders().set("Content-Length", "5");
            }
            exchange.sendResponseHeaders(200, isHead ? -1 : 5);
            if (!isHead) {
                exchange.getResponseBody().write("hello".getBytes(java.nio.charset.StandardCharsets.UTF_8));
            }
            exchange.close();
        });
        weak.start();
        try (CacheServer server = CacheServer.start(theirs, CacheServerOptions.at(0));
                CachePeers peers = CachePeers.open(asking(server.port()))) {
            CachedStorage cached = CachedStorage.of(storage, ours, peers);
            String url = "http://127.0.0.1:" + weak.getAddress().getPort() + "/x";
            assertThat(bytes(cached.object(url).readAll(pool, 100))).hasSize(5);
            assertThat(peers.stats().requests()).isZero();
        } finally {
            weak.stop(0);
        }
    }

    @Test
    void aDamagedEntryOfAPeerIsRefused() throws IOException {
        readAll(CachedStorage.of(storage, theirs), content);
        try (Stream<Path> files = Files.walk(folder.resolve("theirs").resolve("entries"))) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                byte[] entry = Files.readAllBytes(file);
                entry[entry.length - 3]++;
                Files.write(file, entry);
            }
        }
        try (CacheServer server = CacheServer.start(theirs, CacheServerOptions.at(0));
                CachePeers peers = CachePeers.open(asking(server.port()))) {
            readAll(CachedStorage.of(storage, ours, peers), content);
            assertThat(peers.stats().refused()).isEqualTo(1);
            assertThat(peers.stats().requests()).as("it is left alone then").isEqualTo(1);
        }
    }

    /// Answers with the headers of a good answer, as far as `lie` does not say otherwise.
    private static void lie(HttpExchange exchange, String lie, byte[] content) throws IOException {
        PieceName name = PieceName.parse(exchange.getRequestURI().getRawPath()).orElseThrow();
        byte[] body = content.clone();
        if (lie.equals("content")) {
            body[50]++;
        } else if (lie.equals("longer")) {
            body = Arrays.copyOf(content, SIZE + 1);
        } else if (lie.equals("shorter")) {
            body = Arrays.copyOf(content, SIZE - 1);
        }
        java.util.zip.CRC32C crc = new java.util.zip.CRC32C();
        crc.update(ObjectContent.of(content).tag().getBytes(java.nio.charset.StandardCharsets.UTF_8));
        crc.update(lie.equals("content") ? content : body);
        if (!lie.equals("no checksum")) {
            exchange.getResponseHeaders().set(CacheServer.CHECKSUM, CacheServer.checksum((int) crc.getValue()));
        }
        String identity = lie.equals("another") ? "0".repeat(64) : name.identity();
        exchange.getResponseHeaders().set(CacheServer.IDENTITY, identity);
        if (lie.equals("redirect")) {
            exchange.getResponseHeaders().set("Location", "/elsewhere");
        }
        int status = lie.equals("redirect") ? 302 : lie.equals("broken") ? 500 : 200;
        exchange.sendResponseHeaders(status, lie.equals("chunked") ? 0 : body.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(body, 0, lie.equals("truncated") ? SIZE / 2 : body.length);
        } catch (IOException gone) {
            // who asked has had enough, or the body was shorter on purpose
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "content",
                "longer",
                "shorter",
                "another",
                "no checksum",
                "redirect",
                "broken",
                "chunked",
                "truncated"
            })
    void aPeerThatLiesIsRefusedAndLeftAlone(String lie) throws IOException {
        HttpServer liar = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        AtomicInteger asked = new AtomicInteger();
        liar.createContext("/", exchange -> {
            asked.incrementAndGet();
            try (exchange) {
                lie(exchange, lie, content);
            }
        });
        liar.start();
        try (CachePeers peers = CachePeers.open(asking(liar.getAddress().getPort()))) {
            CachedStorage cached = CachedStorage.of(storage, ours, peers);
            for (int i = 0; i < 5; i++) {
                try (StoredObject object = cached.object(store.url("/a"))) {
                    assertThat(bytes(object.readAll(pool, 1 << 20))).isEqualTo(content);
                    assertThat(bytes(object.read(i, 10, pool))).isEqualTo(Arrays.copyOfRange(content, i, i + 10));
                }
            }
            assertThat(peers.stats().hits()).isZero();
            if (!lie.equals("truncated")) { // which may happen to anybody: it is asked again after a second
                assertThat(peers.stats().refused() + peers.stats().failed()).isEqualTo(1);
                assertThat(asked).hasValue(1);
            }
        } finally {
            liar.stop(0);
        }
    }

    /// It takes connections, and never answers.
    @Test
    void aPeerThatHangsCostsItsPatienceOnce() throws IOException {
        try (ServerSocket mute = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                CachePeers peers = CachePeers.open(asking(mute.getLocalPort()).patience(Duration.ofMillis(50)))) {
            long begun = System.nanoTime();
            CachedStorage cached = CachedStorage.of(storage, ours, peers);
            readAll(cached, content);

            assertThat(peers.stats().failed())
                    .isPositive()
                    .isEqualTo(peers.stats().requests())
                    .isLessThan(4);
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(10));
        }
    }

    @Test
    void aPeerThatIsGoneIsLeftAloneAndTheOtherIsAsked() throws IOException {
        int closed;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            closed = socket.getLocalPort();
        }
        readAll(CachedStorage.of(storage, theirs), content);
        try (CacheServer server = CacheServer.start(theirs, CacheServerOptions.at(0));
                CachePeers peers = CachePeers.open(
                        CachePeersOptions.of(List.of("http://127.0.0.1:" + closed, "http://127.0.0.1:" + server.port()))
                                .patience(Duration.ofSeconds(20)))) {
            readAll(CachedStorage.of(storage, ours, peers), content);
            assertThat(peers.stats().hits()).isEqualTo(4);
        }
    }

    @Test
    void onlyWhoHasTheTokenIsAnswered() throws Exception {
        readAll(CachedStorage.of(storage, theirs), content);
        CacheServerOptions options = CacheServerOptions.at(0).token("right");
        try (CacheServer server = CacheServer.start(theirs, options)) {
            for (String token : List.of("wrong", "right")) {
                try (CachePeers peers = CachePeers.open(asking(server.port()).token(token))) {
                    readAll(CachedStorage.of(storage, ours, peers), content);
                    assertThat(peers.stats().hits()).isEqualTo(token.equals("right") ? 4 : 0);
                }
                ours.close();
                ours = DiskCache.open(folder.resolve("ours-" + token), BUDGET);
            }
            try (HttpClient client = HttpClient.newHttpClient()) {
                for (String path : List.of("/", "/v1/entries/../../x/y", "/v1/entries/" + "0".repeat(56))) {
                    HttpRequest.Builder request =
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path));
                    assertThat(client.send(request.build(), HttpResponse.BodyHandlers.discarding())
                                    .statusCode())
                            .isEqualTo(401);
                    request.header("Authorization", "Bearer right");
                    assertThat(client.send(request.build(), HttpResponse.BodyHandlers.discarding())
                                    .statusCode())
                            .isEqualTo(400);
                }
            }
        }
        assertThatThrownBy(
                        () -> CacheServer.start(theirs, CacheServerOptions.at(0).host("0.0.0.0")))
                .hasMessageContaining("JSPDL_CACHE_TOKEN");
        assertThat(options.toString() + asking(1).token("secret")).doesNotContain("right", "secret");
    }

    @Test
    void namesAreLookedUpAgainAsMachinesComeAndGo() throws Exception {
        List<InetAddress> found = new java.util.ArrayList<>(List.of(InetAddress.getByName("192.0.2.1")));
        long[] now = {0};
        boolean[] fails = {false};
        PeerAddresses addresses = new PeerAddresses(
                List.of("dns:///trainers:7070", "http://fixed:1/"),
                0,
                host -> {
                    if (fails[0]) {
                        throw new IOException("no such name: " + host);
                    }
                    return List.copyOf(found);
                },
                Runnable::run,
                () -> now[0]);
        assertThat(addresses.now())
                .extracting(Peer::address)
                .containsExactly(URI.create("http://fixed:1"), URI.create("http://192.0.2.1:7070"));
        Peer first = addresses.now().get(1);

        found.add(InetAddress.getByName("2001:db8::1"));
        assertThat(addresses.now()).hasSize(2);
        now[0] += Duration.ofSeconds(5).toNanos();
        assertThat(addresses.now())
                .extracting(Peer::address)
                .containsExactly(
                        URI.create("http://fixed:1"),
                        URI.create("http://192.0.2.1:7070"),
                        URI.create("http://[2001:db8:0:0:0:0:0:1]:7070"));
        assertThat(addresses.now().get(1)).isSameAs(first);

        fails[0] = true;
        now[0] += Duration.ofSeconds(5).toNanos();
        assertThat(addresses.now()).hasSize(3);
        fails[0] = false;
        found.removeFirst();
        now[0] += Duration.ofSeconds(5).toNanos();
        assertThat(addresses.now()).hasSize(2);
    }

    @Test
    void aFailedPeerIsTriedAgainByOneThreadAfterItsRest() {
        Peer peer = new Peer(URI.create("http://a:1"));
        long second = Duration.ofSeconds(1).toNanos();
        assertThat(peer.take(0)).isTrue();
        peer.failed(0);
        assertThat(peer.take(second - 1)).isFalse();
        assertThat(peer.take(second)).isTrue();
        assertThat(peer.take(second)).as("another thread tries it").isFalse();
        peer.failed(second);
        assertThat(peer.take(2 * second)).isFalse();
        assertThat(peer.take(3 * second)).isTrue();
        peer.answered();
        assertThat(peer.take(3 * second)).isTrue();
        assertThat(peer.take(3 * second)).isTrue();
    }

    @Test
    void theFirstProcessThatSharesAFolderServesItAndASecondDoesNot() throws IOException {
        Map<String, String> said = Map.of(
                "folder", "shared", "size", "1M", "serve", "0", "listen", "127.0.0.1", "peers", "dns:///localhost:1");
        try (OpenedCache first = OpenedCache.open(said, folder, Map.of())) {
            assertThat(first.server()).isPresent();
            try (OpenedCache second = OpenedCache.open(said, folder, Map.of())) {
                assertThat(second.server()).isEmpty();
            }
        }
        try (OpenedCache later = OpenedCache.open(said, folder, Map.of())) {
            assertThat(later.server()).isPresent();
        }
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Map<String, String> there = new java.util.HashMap<>(said);
            there.put("serve", Integer.toString(taken.getLocalPort()));
            assertThatThrownBy(() -> OpenedCache.open(there, folder, Map.of()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("choose another port");
        }
    }

    @Test
    void aCacheInMemoryAsksPeers() throws IOException {
        readAll(CachedStorage.of(storage, theirs), content);
        long read = store.counts().bytes();
        try (CacheServer server = CacheServer.start(theirs, CacheServerOptions.at(0));
                OpenedCache mine = OpenedCache.open(
                        Map.of("folder", "memory", "patience", "20s", "peers", "http://127.0.0.1:" + server.port()),
                        folder,
                        Map.of())) {
            CachedStorage cached = mine.over(storage);
            readAll(cached, content);
            assertThat(cached.peerStats().map(PeerStats::hits)).isEqualTo(Optional.of(4L));
            assertThat(store.counts().bytes()).isEqualTo(read);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "size~5~cache: folder must be a local folder",
                "folder=a,pears~x~cache has no setting 'pears', but anybody, folder",
                "folder=a,size~much~cache: size must be a number of bytes above 0, such as 500GiB, but was 'much'",
                "folder=a,serve~70000~port must be from 0 to 65535",
                "folder=a,serve~x~cache: serve must be a port",
                "folder=a,serve~0~need a token: set JSPDL_CACHE_TOKEN",
                "folder=memory,serve~0~serve needs a folder",
                "folder=a,peers=http://a:1,patience~5~cache: patience must be a time",
                "folder=a,patience~5s~patience needs peers",
                "folder=a,listen~x~listen needs serve",
                "folder=a,peers~trainers~a peer is as http://trainer-3:7070",
                "folder=a,peers~dns:///trainers~a peer is as",
                "folder=a,peers~http://a:1/path~a peer is as",
                "folder=s3://bucket/x,peers~http://a:1~cache: folder must be a local folder"
            })
    void aWrongSettingIsNamed(String before, String value, String message) {
        Map<String, String> said = new java.util.HashMap<>();
        for (String each : (before + "=" + value).split(",", -1)) {
            said.put(each.substring(0, each.indexOf('=')), each.substring(each.indexOf('=') + 1));
        }
        assertThatThrownBy(() -> OpenedCache.open(said, folder, Map.of()).close())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }
}
