package org.jspdl.observe.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class LiveSocketTest {
    private static final long PATIENCE = Duration.ofMinutes(1).toNanos();

    @TempDir
    Path folder;

    /// A process without descriptors until it has paused some times.
    private static final class FullProcess implements LiveSocket.Door {
        private final List<String> done = new CopyOnWriteArrayList<>();
        private int pauses;

        @Override
        public SocketChannel accept(ServerSocketChannel server) throws IOException {
            if (pauses < 3) {
                done.add("full");
                throw new IOException("Too many open files");
            }
            SocketChannel client = server.accept();
            done.add("client");
            return client;
        }

        @Override
        public void pause() {
            done.add("pause");
            pauses++;
        }
    }

    @Test
    void aProcessWithoutDescriptorsPausesBeforeEachTryAndAnswersOnceItHasSome() throws Exception {
        FullProcess process = new FullProcess();
        Path socket = folder.resolve("run.sock");
        try (LiveSocket _ = LiveSocket.writing(socket, () -> "here", process)) {
            assertThat(LiveSocket.ask(socket, "", 100, PATIENCE)).isEqualTo("here");
            assertThat(process.done).startsWith("full", "pause", "full", "pause", "full", "pause", "client");
        }
    }
}
