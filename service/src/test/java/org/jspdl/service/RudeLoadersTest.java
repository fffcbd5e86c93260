package org.jspdl.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspdl.memory.Closeables;
import org.jspdl.plan.Operations;
import org.jspdl.plan.Plan;
import org.jspdl.plan.PlanContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Loaders that ask and do not read, or do not ask to the end: others get what they get without them.
class RudeLoadersTest {
    @TempDir
    static Path folder;

    private static Photos photos;

    private final List<Socket> rude = new ArrayList<>();

    @BeforeAll
    static void makePhotos() throws Exception {
        photos = Photos.in(folder);
    }

    @AfterEach
    void hangUp() {
        Closeables.closeAll(rude);
    }

    /// Pieces of images so large that a connection's buffers don't hold one.
    private static String plan(List<String> workers) {
        return photos.plan(workers, 224, "uint8").replace("epochs: 2", "epochs: 1");
    }

    private static PieceServer serve() throws IOException {
        return PieceServer.start(
                Plan.of("plan.yaml", plan(List.of())),
                Operations.installed(),
                PlanContext.in(Path.of("")),
                ServerOptions.at(0).limits(2, 32, Duration.ofSeconds(20)));
    }

    private void say(PieceServer server, int times, String text) throws IOException {
        for (int i = 0; i < times; i++) {
            Socket socket = new Socket();
            rude.add(socket);
            socket.setReceiveBufferSize(4_096);
            socket.connect(new java.net.InetSocketAddress("127.0.0.1", server.port()));
            try {
                OutputStream out = socket.getOutputStream();
                out.write(text.getBytes(StandardCharsets.ISO_8859_1));
                out.flush();
            } catch (IOException refused) {
                // it has heard enough
            }
        }
    }

    private static void loadsAsLocally(PieceServer server) {
        assertThat(Photos.load(plan(List.of("http://127.0.0.1:" + server.port()))))
                .isEqualTo(Photos.load(plan(List.of())));
    }

    @Test
    void thoseThatDoNotReadAreCutOffWhereOthersWait() throws Exception {
        try (PieceServer server = serve()) {
            say(server, 6, "GET /v1/pieces/" + server.fingerprint() + "/0/0/1/32 HTTP/1.1\r\nHost: worker\r\n\r\n");

            loadsAsLocally(server);
        }
    }

    @Test
    void thoseThatDoNotAskToTheEndKeepNobodyFromAsking() throws Exception {
        try (PieceServer server = serve()) {
            say(server, 50, "");
            say(server, 50, "GET /v1/pieces/");
            say(server, 50, "GET /v1/dataset HTTP/1.1\r\nHost: worker\r\nX-Slow: ");
            say(server, 4, "GET /v1/dataset HTTP/1.1\r\nX-Huge: " + "x".repeat(1 << 20));
            say(server, 4, "GET /v1/dataset HTTP/1.1\r\n" + "X-Many: x\r\n".repeat(10_000));
            say(server, 4, "POST /v1/dataset HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n");

            loadsAsLocally(server);
        }
    }
}
