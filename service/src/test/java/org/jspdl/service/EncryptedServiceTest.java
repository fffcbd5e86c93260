package org.jspdl.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspdl.data.image.ImagePiece;
import org.jspdl.data.image.ImageService;
import org.jspdl.data.image.ImageServiceProvider;
import org.jspdl.plan.Operations;
import org.jspdl.plan.Plan;
import org.jspdl.plan.PlanContext;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Workers with TLS, with certificates that keytool makes. What is refused for good is refused at once: no test waits
/// for the minute that a loader has for what may pass.
class EncryptedServiceTest {
    private static final ImageServiceProvider.Wanted WANTED = new ImageServiceProvider.Wanted(true, 5, 9);

    @TempDir
    static Path folder;

    private static Photos photos;
    private static Certificates made;

    @BeforeAll
    static void makePhotosAndCertificates() throws Exception {
        photos = Photos.in(Files.createDirectory(folder.resolve("photos")));
        made = new Certificates(folder);
        made.authority("authority");
        made.authority("stranger");
        made.certificate("worker", "authority", "ip:127.0.0.1,dns:localhost", "-validity", "5");
        made.certificate("elsewhere", "authority", "dns:worker.example", "-validity", "5");
        made.certificate("expired", "authority", "ip:127.0.0.1", "-startdate", "-9d", "-validity", "3");
        made.certificate("loader", "authority", "dns:trainer", "-validity", "5");
        made.certificate("intruder", "stranger", "dns:trainer", "-validity", "5");
    }

    private static ServerTls tls(String name) {
        return ServerTls.of(made.pem(name), made.key(name));
    }

    private static PieceServer serve(ServerOptions options) throws IOException {
        return PieceServer.start(
                Plan.of("plan.yaml", photos.plan(List.of())),
                Operations.installed(),
                PlanContext.in(Path.of("")),
                options);
    }

    private static ClientTls trusting(String authority) {
        return ClientTls.defaults().trusting(made.pem(authority));
    }

    private static RemotePieces open(String scheme, int port, ClientTls tls) throws IOException {
        return RemotePieces.open(
                List.of(scheme + "://127.0.0.1:" + port),
                WANTED,
                ClientOptions.defaults().token("secret").tls(tls));
    }

    private static byte[] pixels(RemotePieces pieces) throws Exception {
        try (ImagePiece piece = pieces.read(new ImageService.Places(0, 3, 2, 1))) {
            return piece.pixels(0).toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
        }
    }

    @Test
    void aLoaderThatTrustsTheAuthorityGetsWhatItGetsWithoutTls() throws Exception {
        ServerOptions options = ServerOptions.at(0).token("secret");
        try (PieceServer plain = serve(options);
                PieceServer encrypted = serve(options.tls(tls("worker")));
                RemotePieces one = open("http", plain.port(), ClientTls.defaults());
                RemotePieces other = open("https", encrypted.port(), trusting("authority"))) {
            assertThat(pixels(other)).isEqualTo(pixels(one));
        }
    }

    @Test
    void aTokenIsAskedForWithTlsToo() throws Exception {
        try (PieceServer worker = serve(ServerOptions.at(0).token("another").tls(tls("worker")))) {
            assertThatThrownBy(() -> open("https", worker.port(), trusting("authority")))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("answered 401");
        }
    }

    @Test
    void aWorkerOfAnotherAuthorityIsRefused() throws Exception {
        try (PieceServer worker = serve(ServerOptions.at(0).tls(tls("worker")))) {
            assertThatThrownBy(() -> open("https", worker.port(), trusting("stranger")))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("https://127.0.0.1:" + worker.port())
                    .hasMessageContaining("its certificate is of no authority in " + made.pem("stranger"));
            assertThatThrownBy(() -> open("https", worker.port(), ClientTls.defaults()))
                    .hasMessageContaining("its certificate is of no authority that Java trusts")
                    .hasMessageContaining("JSPDL_SERVICE_CA");
        }
    }

    @Test
    void aCertificateForAnotherNameIsRefused() throws Exception {
        try (PieceServer worker = serve(ServerOptions.at(0).tls(tls("elsewhere")))) {
            assertThatThrownBy(() -> open("https", worker.port(), trusting("authority")))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("its certificate is not for 127.0.0.1");
        }
    }

    @Test
    void anExpiredCertificateIsRefusedByTheWorkerThatHasItAndByLoaders() throws Exception {
        assertThatThrownBy(() -> serve(ServerOptions.at(0).tls(tls("expired"))))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("expired.pem: the certificate of CN=expired expired on 20");

        HttpsServer old = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        old.setHttpsConfigurator(new HttpsConfigurator(PemFiles.context(
                Optional.of(new PemFiles.Identity(
                        PemFiles.certificates(made.pem("expired")),
                        PemFiles.key(
                                made.key("expired"),
                                PemFiles.certificates(made.pem("expired")).getFirst(),
                                made.pem("expired")))),
                Optional.empty())));
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            old.setExecutor(threads);
            old.start();
            assertThatThrownBy(() -> open("https", old.getAddress().getPort(), trusting("authority")))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("its certificate has expired");
        } finally {
            old.stop(0);
        }
    }

    @Test
    void onlyLoadersWithACertificateOfAnAuthorityAreAnsweredWhereThatIsAskedFor() throws Exception {
        ServerTls asking = tls("worker").clients(made.pem("authority"));
        ClientTls trusting = trusting("authority");
        // other machines need no token then
        try (PieceServer worker = serve(ServerOptions.at(0).host("0.0.0.0").tls(asking))) {
            try (RemotePieces pieces =
                    open("https", worker.port(), trusting.showing(made.pem("loader"), made.key("loader")))) {
                assertThat(pixels(pieces)).isNotEmpty();
            }
            assertThatThrownBy(() -> open("https", worker.port(), trusting))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("refuses this loader's certificate, or that it has none")
                    .hasMessageContaining("JSPDL_SERVICE_CERTIFICATE");
            assertThatThrownBy(() ->
                            open("https", worker.port(), trusting.showing(made.pem("intruder"), made.key("intruder"))))
                    .hasMessageContaining("refuses this loader's certificate, or that it has none");
        }
        assertThatThrownBy(() -> serve(ServerOptions.at(0).host("0.0.0.0").tls(tls("worker"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--tls-client-ca");
    }

    @Test
    void theWrongSchemeIsSaid() throws Exception {
        try (PieceServer encrypted = serve(ServerOptions.at(0).tls(tls("worker")));
                PieceServer plain = serve(ServerOptions.at(0))) {
            assertThatThrownBy(() -> open("http", encrypted.port(), ClientTls.defaults()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("answers with TLS: write https:// in place of http://");
            assertThatThrownBy(() -> open("https", plain.port(), trusting("authority")))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("answers without TLS: write http:// in place of https://");
        }
    }

    @Test
    void filesThatCannotBeUsedAreNamed() throws Exception {
        Path none = folder.resolve("none.pem");
        Path encrypted = Files.writeString(
                folder.resolve("encrypted.key"),
                "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n");
        Path broken = Files.writeString(
                folder.resolve("broken.key"), "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n");
        assertThatThrownBy(() -> ServerTls.of(none, made.key("worker")).context())
                .hasMessage(none + ": there is no such file");
        assertThatThrownBy(() ->
                        ServerTls.of(made.key("worker"), made.key("worker")).context())
                .hasMessageStartingWith(made.key("worker").toString());
        assertThatThrownBy(() ->
                        ServerTls.of(made.pem("worker"), made.key("loader")).context())
                .hasMessage(made.key("loader") + ": the key is not that of the first certificate in "
                        + made.pem("worker") + " (CN=worker)");
        assertThatThrownBy(() -> ServerTls.of(made.pem("worker"), encrypted).context())
                .hasMessageContaining("openssl pkcs8 -topk8 -nocrypt");
        assertThatThrownBy(() -> ServerTls.of(made.pem("worker"), broken).context())
                .hasMessage(broken + ": the key is of none of these kinds: RSA, EC, EdDSA");
        assertThatThrownBy(() -> open("https", 1, ClientTls.defaults().trusting(none)))
                .hasMessage(none + ": there is no such file");
        assertThatThrownBy(() -> new ClientTls(Optional.empty(), Optional.of(none), Optional.empty()))
                .hasMessageContaining("JSPDL_SERVICE_KEY");
    }
}
