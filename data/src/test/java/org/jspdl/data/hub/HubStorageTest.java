package org.jspdl.data.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.jspdl.data.http.HttpAddress;
import org.jspdl.data.storage.ListedObject;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StorageException;
import org.jspdl.data.storage.StorageOptions;
import org.jspdl.data.storage.StoredObject;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Lease;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Against a server written from the Hub's published interface: listings by pages, files by redirections to another
/// host, tokens.
class HubStorageTest {
    private static final String TOKEN = "hf_secret";
    private static final byte[] CONTENT = "0123456789 the content of a file".getBytes(StandardCharsets.US_ASCII);

    @TempDir
    Path home;

    private final BufferPool pool = BufferPool.create("hub", 1 << 20);
    private final ConcurrentLinkedQueue<String> seenElsewhere = new ConcurrentLinkedQueue<>();
    private HttpServer hub;
    /// What else the first page of a listing says, and how it names the next.
    private volatile List<String> links = List.of("<NEXT>; rel=\"next\"");
    private volatile String secondPage = "[{\"type\":\"file\",\"size\":7,\"path\":\"data/sub/c.bin\"}]";
    private HttpServer elsewhere;

    @BeforeEach
    void start() throws IOException {
        elsewhere = server();
        elsewhere.createContext("/cdn", exchange -> {
            seenElsewhere.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
            answerRange(exchange);
        });
        hub = server();
        hub.createContext("/datasets/me/mine/resolve/main/data/a b.bin", exchange -> {
            if (!("Bearer " + TOKEN).equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
                answer(exchange, 401, new byte[0]);
                return;
            }
            exchange.getResponseHeaders().add("Location", url(elsewhere) + "/cdn?X-Amz-Signature=1");
            answer(exchange, 302, new byte[0]);
        });
        hub.createContext("/api/datasets/me/mine/tree/main/data", exchange -> {
            boolean first = !exchange.getRequestURI().getQuery().contains("cursor");
            if (first) {
                String next = url(hub) + exchange.getRequestURI() + "&cursor=2";
                links.forEach(
                        link -> exchange.getResponseHeaders().add("Link", link.replace("<NEXT>", "<" + next + ">")));
            }
            answer(
                    exchange,
                    200,
                    (first
                                    ? "[{\"type\":\"directory\",\"path\":\"data\"},{\"type\":\"file\",\"oid\":\"x\","
                                            + "\"size\":32,\"path\":\"data/a b.bin\",\"lfs\":{\"size\":32}}]"
                                    : secondPage)
                            .getBytes(StandardCharsets.UTF_8));
        });
        hub.start();
        elsewhere.start();
    }

    @AfterEach
    void stop() {
        pool.close();
        hub.stop(0);
        elsewhere.stop(0);
    }

    private static HttpServer server() throws IOException {
        return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
    }

    private static String url(HttpServer server) {
        return "http://localhost:" + server.getAddress().getPort();
    }

    private static void answer(HttpExchange exchange, int status, byte[] body) throws IOException {
        try (exchange) {
            exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private static void answerRange(HttpExchange exchange) throws IOException {
        String range = exchange.getRequestHeaders().getFirst("Range");
        if (range == null) {
            answer(exchange, 200, CONTENT);
            return;
        }
        String[] bounds = range.substring("bytes=".length()).split("-");
        int begin = Integer.parseInt(bounds[0]);
        int end = Math.min(CONTENT.length, Integer.parseInt(bounds[1]) + 1);
        exchange.getResponseHeaders().add("Content-Range", "bytes " + begin + "-" + (end - 1) + "/" + CONTENT.length);
        answer(exchange, 206, java.util.Arrays.copyOfRange(CONTENT, begin, end));
    }

    private Storage storage(Map<String, String> environment) throws IOException {
        Map<String, String> all = new java.util.HashMap<>(Map.of("HF_ENDPOINT", url(hub)));
        all.putAll(environment);
        return HubStorage.open(StorageOptions.defaults().readDeadline(Duration.ofSeconds(20)), all, home);
    }

    private String read(Storage storage, String location) throws IOException {
        try (StoredObject object = storage.object(location)) {
            assertThat(object.size()).isEqualTo(CONTENT.length);
            try (Lease part = object.read(11, 7, pool)) {
                return new String(part.segment().toArray(ValueLayout.JAVA_BYTE), StandardCharsets.US_ASCII);
            }
        }
    }

    @Test
    void aFileIsReadWhereTheHubRedirectsToWhichLearnsNoToken() throws IOException {
        try (Storage storage = storage(Map.of("HF_TOKEN", TOKEN))) {
            assertThat(read(storage, "hf://datasets/me/mine/data/a b.bin")).isEqualTo("the con");
        }
        assertThat(seenElsewhere).isNotEmpty().containsOnly("null");
    }

    @Test
    void theTokenOfHuggingFacesToolsIsFound() throws IOException {
        Path file = home.resolve(".cache/huggingface/token");
        Files.createDirectories(file.getParent());
        Files.writeString(file, TOKEN + "\n");
        try (Storage storage = storage(Map.of())) {
            assertThat(read(storage, "hf://datasets/me/mine/data/a b.bin")).isEqualTo("the con");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "other", "two\r\nlines"})
    void withoutTheTokenTheFileIsDenied(String token) throws IOException {
        try (Storage storage = storage(Map.of("HF_TOKEN", token))) {
            assertThatThrownBy(() -> read(storage, "hf://datasets/me/mine/data/a b.bin"))
                    .isInstanceOf(StorageException.class)
                    .satisfies(failure ->
                            assertThat(((StorageException) failure).kind()).isEqualTo(StorageException.Kind.DENIED));
        }
    }

    /// What a server or a proxy adds to the links must not hide that there is another page.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "<NEXT>; rel=\"next\"|<https://cdn.example/x>; rel=\"preconnect\"",
                "<https://cdn.example/x>; rel=\"preconnect\"|<NEXT>; rel=\"next\"",
                "</first>; rel=first, <NEXT>; rel=next",
                "<NEXT>; title=\"more\"; REL = \"last next\""
            })
    void howeverItIsToldThatAListingGoesOnItIsRead(String told) throws IOException {
        links = List.of(told.split("\\|"));
        try (Storage storage = storage(Map.of());
                Stream<ListedObject> listed = storage.list("hf://datasets/me/mine/data")) {
            assertThat(listed).hasSize(2);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            [{"type":"file","size":7,"path":"other/c.bin"}] | not in this folder
            [{"type":"file","size":7,"path":"data/a b.bin"}] | goes on where it was
            [{"type":"file","path":"data/c.bin"}]           | without a path or a size
            [{"type":"file","size":7}]                      | without a path or a size
            {"error":"busy"}                                | none of the Hub's
            """)
    void aPageThatIsNotTheOneThatWasAskedForIsRefused(String page, String message) throws IOException {
        secondPage = page;
        try (Storage storage = storage(Map.of());
                Stream<ListedObject> listed = storage.list("hf://datasets/me/mine/data")) {
            assertThatThrownBy(listed::toList).hasMessageContaining(message);
        }
    }

    @Test
    void aFolderIsListedOverItsPages() throws IOException {
        try (Storage storage = storage(Map.of());
                Stream<ListedObject> listed = storage.list("hf://datasets/me/mine/data")) {
            assertThat(listed)
                    .containsExactly(
                            new ListedObject(Location.of("hf://datasets/me/mine/data/a b.bin"), 32),
                            new ListedObject(Location.of("hf://datasets/me/mine/data/sub/c.bin"), 7));
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            hf://datasets/a/b/c/d.parquet                     | /datasets/a/b/resolve/main/c/d.parquet?download=true
            hf://datasets/a/b@v1.0/x                          | /datasets/a/b/resolve/v1.0/x?download=true
            hf://datasets/a/b@refs/convert/parquet/d/0.parquet | /datasets/a/b/resolve/refs%2Fconvert%2Fparquet/d/0.parquet?download=true
            hf://a/b/model.safetensors                        | /a/b/resolve/main/model.safetensors?download=true
            hf://datasets/a/b/50% #1?.bin                     | /datasets/a/b/resolve/main/50%25%20%231%3F.bin?download=true
            """)
    void locationsAreAddressesOfTheHub(String location, String target) throws IOException {
        HttpAddress.Host host = new HttpAddress.Host(true, "huggingface.co", 443);
        HubAddress address = HubAddress.parse(Location.of(location));

        assertThat(address.file(host).target()).isEqualTo(target);
        assertThat(address.location(address.path())).hasToString(location.strip());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "hf://",
                "hf://datasets/a",
                "hf://datasets//b/c",
                "hf://spaces/a/b/c",
                "hf://datasets/a/@x/y",
                "hf://datasets/a/b@/y",
                "hf://datasets/a/b@refs/convert"
            })
    void whatNamesNoRepositoryIsRefused(String location) {
        assertThatThrownBy(() -> HubAddress.parse(Location.of(location))).isInstanceOf(StorageException.class);
    }

    @Test
    void noTokenIsSentWithoutEncryptionToAnotherMachine() {
        Map<String, String> environment = Map.of("HF_TOKEN", TOKEN);
        assertThat(HubToken.of(new HttpAddress.Host(false, "hub.example", 80), environment, home)
                        .token())
                .isEmpty();
        HubToken token = HubToken.of(new HttpAddress.Host(true, "hub.example", 443), environment, home);
        assertThat(token.token()).contains(TOKEN);
        assertThat(token.toString()).doesNotContain(TOKEN);
    }
}
