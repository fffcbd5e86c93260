package org.jspdl.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspdl.data.image.ImagePiece;
import org.jspdl.data.image.ImageService;
import org.jspdl.data.image.ImageServiceProvider.Wanted;
import org.jspdl.plan.Operations;
import org.jspdl.plan.Plan;
import org.jspdl.plan.PlanContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Workers behind a name whose addresses change.
class NamedWorkersTest {
    private static final Wanted WANTED = new Wanted(true, 5, 9);

    @TempDir
    Path folder;

    private final AtomicReference<List<String>> known = new AtomicReference<>(List.of());

    private List<InetAddress> lookUp(String host) throws IOException {
        assertThat(host).isEqualTo("decoders");
        List<String> now = Objects.requireNonNull(known.get());
        if (now.isEmpty()) {
            throw new UnknownHostException(host);
        }
        InetAddress[] found = new InetAddress[now.size()];
        for (int i = 0; i < found.length; i++) {
            found[i] = InetAddress.getByName(now.get(i));
        }
        return List.of(found);
    }

    private static PieceServer serve(Photos photos, String host, int port) throws IOException {
        return PieceServer.start(
                Plan.of("plan.yaml", photos.plan(List.of())),
                Operations.installed(),
                PlanContext.in(Path.of("")),
                ServerOptions.at(port).host(host));
    }

    private RemotePieces open(int port, Duration patience) throws IOException {
        return RemotePieces.open(
                new Addresses(List.of("dns:///decoders:" + port), this::lookUp, Duration.ofMillis(1)),
                WANTED,
                ClientOptions.defaults()
                        .times(patience, Duration.ofMinutes(2), Duration.ofSeconds(1), Duration.ofSeconds(10)));
    }

    private static int sizeOf(RemotePieces pieces, int from) throws Exception {
        try (ImagePiece piece = pieces.read(new ImageService.Places(0, from, 1, 4))) {
            return piece.size();
        }
    }

    @Test
    @SuppressWarnings("try") // the first leaves before its time
    void workersAreFoundAsTheyComeAndForgottenAsTheyLeave() throws Exception {
        Photos photos = Photos.in(folder);
        try (PieceServer first = serve(photos, "127.0.0.1", 0);
                PieceServer second = serve(photos, "127.0.0.2", first.port())) {
            known.set(List.of("127.0.0.1"));
            try (RemotePieces pieces = open(first.port(), Duration.ofMinutes(4))) {
                assertThat(sizeOf(pieces, 0)).isEqualTo(4);
                assertThat(pieces.ahead()).isEqualTo(ServerOptions.at(0).atOnce() + 2);

                known.set(List.of("127.0.0.2"));
                first.close();
                assertThat(sizeOf(pieces, 4)).isEqualTo(4);

                known.set(List.of()); // what can't be looked up changes nothing
                assertThat(sizeOf(pieces, 8)).isEqualTo(4);
            }
            assertThat(second.port()).isEqualTo(first.port());
        }
    }

    @Test
    void aNameThatNobodyKnowsIsToldWhenPatienceEnds() {
        assertThatThrownBy(() -> open(8080, Duration.ofMillis(300)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no worker serves this plan: decoders: could not be looked up");
    }

    @Test
    void aFolderHasAFileForEachWorker() throws Exception {
        Photos photos = Photos.in(Files.createDirectory(folder.resolve("photos")));
        Path workers = Files.createDirectory(folder.resolve("workers"));
        Files.writeString(workers.resolve("half-written"), "http:");
        Files.createDirectory(workers.resolve("folder"));
        Addresses addresses =
                new Addresses(List.of(workers.toUri().toString()), host -> List.of(), Duration.ofMillis(1));
        assertThat(addresses.find()).isEmpty();
        try (PieceServer server = serve(photos, "127.0.0.1", 0)) {
            Files.writeString(workers.resolve("worker-0"), "http://127.0.0.1:" + server.port() + "\n");
            assertThat(addresses.find()).containsExactly(URI.create("http://127.0.0.1:" + server.port()));
            try (RemotePieces pieces = RemotePieces.open(addresses, WANTED, ClientOptions.defaults())) {
                assertThat(sizeOf(pieces, 0)).isEqualTo(4);
            }
        }
        Files.delete(workers.resolve("worker-0"));
        assertThat(addresses.find()).isEmpty();
        Addresses gone = Addresses.of(List.of(folder.resolve("gone").toUri().toString()));
        assertThat(gone.find()).isEmpty();
        assertThat(gone.trouble()).contains("could not be listed");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "dns:///decoders",
                "dns:///decoders:8080/path",
                "dns:///",
                "dns:///a@decoders:8080",
                "file://host/workers",
                "file:workers",
                "ftp://decoders:8080"
            })
    void whatIsNoAddressIsRefused(String text) {
        assertThatThrownBy(() -> Addresses.of(List.of(text)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("but was '" + text + "'");
    }
}
