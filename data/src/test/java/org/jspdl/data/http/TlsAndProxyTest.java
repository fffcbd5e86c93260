package org.jspdl.data.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import org.jspdl.data.storage.StorageException;
import org.jspdl.data.storage.StorageException.Kind;
import org.jspdl.data.storage.StorageOptions;
import org.jspdl.data.storage.StoredObject;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Lease;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Against the JDK's own web server, with a key made for the test, and a small proxy.
class TlsAndProxyTest {
    private static final StorageOptions QUICK = StorageOptions.defaults().readDeadline(Duration.ofMinutes(2));
    private static final char[] PASSWORD = "secret".toCharArray();
    private static final byte[] CONTENT = new byte[100_000];

    @TempDir
    static Path folder;

    private static SSLContext tls;

    private final BufferPool pool = BufferPool.create("test", 1 << 22);
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private HttpsServer secure;
    private HttpServer plain;

    @BeforeAll
    static void makeKeys() throws Exception {
        for (int i = 0; i < CONTENT.length; i++) {
            CONTENT[i] = (byte) (i * 31);
        }
        Path keys = folder.resolve("keys.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "server",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=server.test",
                        "-ext",
                        "SAN=dns:server.test,dns:localhost",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        "secret",
                        "-keystore",
                        keys.toString())
                .inheritIO()
                .start();
        assertThat(keytool.waitFor()).isZero();
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream file = Files.newInputStream(keys)) {
            store.load(file, PASSWORD);
        }
        KeyManagerFactory identity = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        identity.init(store, PASSWORD);
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        tls = SSLContext.getInstance("TLS");
        tls.init(identity.getKeyManagers(), trust.getTrustManagers(), null);
    }

    @BeforeEach
    void start() throws IOException {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        secure = HttpsServer.create(any, 0);
        secure.setHttpsConfigurator(new HttpsConfigurator(tls));
        plain = HttpServer.create(any, 0);
        for (HttpServer server : new HttpServer[] {secure, plain}) {
            server.setExecutor(threads);
            server.createContext("/object", TlsAndProxyTest::serve);
            server.start();
        }
        secure.createContext("/moved", exchange -> redirect(exchange, "/object"));
        secure.createContext("/downgraded", exchange -> redirect(exchange, plainUrl("localhost")));
        secure.createContext("/circle", exchange -> redirect(exchange, "/circle"));
        plain.createContext("/upgraded", exchange -> redirect(exchange, secureUrl("localhost", "/object")));
    }

    @AfterEach
    void stop() {
        secure.stop(0);
        plain.stop(0);
        threads.close();
        pool.close();
    }

    private static void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            String range = exchange.getRequestHeaders().getFirst("Range");
            int from = 0;
            int end = CONTENT.length;
            if (range != null) {
                String[] bounds = range.substring("bytes=".length()).split("-");
                from = Integer.parseInt(bounds[0]);
                end = Math.min(end, Integer.parseInt(bounds[1]) + 1);
                exchange.getResponseHeaders()
                        .set("Content-Range", "bytes " + from + "-" + (end - 1) + "/" + CONTENT.length);
            }
            exchange.getResponseHeaders().set("ETag", "\"1\"");
            exchange.sendResponseHeaders(range == null ? 200 : 206, end - from);
            exchange.getResponseBody().write(CONTENT, from, end - from);
        }
    }

    private static void redirect(HttpExchange exchange, String to) throws IOException {
        try (exchange) {
            exchange.getResponseHeaders().set("Location", to);
            exchange.sendResponseHeaders(302, -1);
        }
    }

    private String secureUrl(String host, String path) {
        return "https://" + host + ":" + secure.getAddress().getPort() + path;
    }

    private String plainUrl(String host) {
        return "http://" + host + ":" + plain.getAddress().getPort() + "/object";
    }

    private byte[] read(String url, SSLSocketFactory trusted, Map<String, String> environment) throws IOException {
        RangeClient client = new RangeClient(
                QUICK,
                Authorizer.anonymous(),
                new ConnectionPool(QUICK, trusted, new ProxySettings(environment), NameLookups.ofSystem()),
                new SkippingClock(_ -> {}));
        try (HttpStorage storage = new HttpStorage(client);
                StoredObject object = storage.object(url);
                Lease lease = object.readAll(pool, 1 << 20);
                Lease part = object.read(50_000, 300, pool)) {
            byte[] all = lease.segment().toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
            assertThat(part.segment().toArray(java.lang.foreign.ValueLayout.JAVA_BYTE))
                    .isEqualTo(java.util.Arrays.copyOfRange(all, 50_000, 50_300));
            return all;
        }
    }

    private byte[] read(String url) throws IOException {
        return read(url, tls.getSocketFactory(), Map.of());
    }

    @Test
    void anEncryptedObjectIsReadWholeAndInParts() throws IOException {
        assertThat(read(secureUrl("localhost", "/object"))).isEqualTo(CONTENT);
    }

    @Test
    void redirectionsAreFollowedToEncryptedPlacesOnly() throws IOException {
        assertThat(read(secureUrl("localhost", "/moved"))).isEqualTo(CONTENT);
        assertThat(read(plainUrl("localhost").replace("/object", "/upgraded"))).isEqualTo(CONTENT);
        assertThatThrownBy(() -> read(secureUrl("localhost", "/downgraded")))
                .isInstanceOfSatisfying(
                        StorageException.class,
                        failure -> assertThat(failure.kind()).isEqualTo(Kind.UNSUPPORTED))
                .hasMessageContaining("not encrypted");
        assertThatThrownBy(() -> read(secureUrl("localhost", "/circle")))
                .hasMessageContaining("redirected more than 5 times");
    }

    @Test
    void aCertificateThatIsNotTrustedIsOneErrorAtOnce() {
        SSLSocketFactory usual = (SSLSocketFactory) SSLSocketFactory.getDefault();
        assertThatThrownBy(() -> read(secureUrl("localhost", "/object"), usual, Map.of()))
                .isInstanceOfSatisfying(
                        StorageException.class,
                        failure -> assertThat(failure.kind()).isEqualTo(Kind.DENIED))
                .hasMessageContaining("is not trusted")
                .hasMessageContaining("-Djavax.net.ssl.trustStore");
    }

    @Test
    void aCertificateForAnotherNameIsRefused() {
        assertThatThrownBy(() -> read(secureUrl("127.0.0.1", "/object")))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("is not trusted");
    }

    @Test
    void aProxyPassesOnWhatItCannotReadAndForwardsTheRest() throws Exception {
        try (SmallProxy proxy = SmallProxy.start("")) {
            Map<String, String> environment = Map.of(
                    "https_proxy", "http://localhost:" + proxy.port(), "http_proxy", "localhost:" + proxy.port());

            assertThat(read(secureUrl("server.test", "/object"), tls.getSocketFactory(), environment))
                    .isEqualTo(CONTENT);
            assertThat(read(plainUrl("server.test"), tls.getSocketFactory(), environment))
                    .isEqualTo(CONTENT);

            assertThat(proxy.requests())
                    .contains("CONNECT server.test:" + secure.getAddress().getPort() + " HTTP/1.1")
                    .contains("GET " + plainUrl("server.test") + " HTTP/1.1");
            assertThat(read(secureUrl("localhost", "/object"), tls.getSocketFactory(), environment))
                    .isEqualTo(CONTENT);
            assertThat(String.join("\n", proxy.requests())).doesNotContain("localhost");
        }
    }

    @Test
    void aProxyThatWantsAPasswordGetsTheOneOfItsAddressOrIsAClearError() throws Exception {
        try (SmallProxy proxy = SmallProxy.start("Basic dXNlcjpwYXNz")) { // user:pass
            String url = secureUrl("server.test", "/object");
            assertThat(read(
                            url,
                            tls.getSocketFactory(),
                            Map.of("HTTPS_PROXY", "http://user:pass@localhost:" + proxy.port())))
                    .isEqualTo(CONTENT);
            assertThatThrownBy(() -> read(
                            url, tls.getSocketFactory(), Map.of("https_proxy", "http://localhost:" + proxy.port())))
                    .isInstanceOf(StorageException.class)
                    .hasMessageContaining("wants a user and password");
        }
    }

    @Test
    void hostsThatNeedNoProxyAreAskedDirectly() {
        ProxySettings proxies =
                new ProxySettings(Map.of("https_proxy", "http://p:3128", "no_proxy", "internal, .corp.example,*.x"));
        assertThat(proxies.to(new HttpAddress.Host(true, "a.example", 443)))
                .contains(new ProxySettings.ProxyServer("p", 3128, java.util.Optional.empty()));
        for (String direct : new String[] {"internal", "db.internal", "corp.example", "a.corp.example", "b.x"}) {
            assertThat(proxies.to(new HttpAddress.Host(true, direct, 443)))
                    .as(direct)
                    .isEmpty();
        }
        assertThat(proxies.to(new HttpAddress.Host(true, "notcorp.example", 443)))
                .isPresent();
        assertThat(proxies.to(new HttpAddress.Host(false, "a.example", 80))).isEmpty();
    }
}
