package org.jspdl.observe.live;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspdl.observe.process.ProcessReader;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.stats.PipelineStats;
import org.jspecify.annotations.Nullable;

/// Lets a run be looked at from outside while it goes on.
///
/// After its first second the run listens on a Unix socket in a folder that only this user can open. Who connects gets
/// one JSON document, a [LiveLook], and is disconnected; nothing is read from the socket, so nothing can be changed by
/// it. A look costs about a quarter of a millisecond of CPU time. Where no socket can be made, the run goes on without.
///
/// ```java
/// try (Run<Batch> run = loading.start(Live.on(RunOptions.defaults()))) { ... }
/// ```
public final class Live {
    private static final Logger LOGGER = System.getLogger(Live.class.getName());
    private static final long BEFORE = Duration.ofSeconds(1).toNanos();

    private final Optional<Path> folder;
    private final long before;

    /// @param folder where the socket is made; empty for that of this user
    /// @param before nanoseconds until the socket is made
    Live(Optional<Path> folder, long before) {
        this.folder = folder;
        this.before = before;
    }

    /// `options` of a run that can be looked at. `-Djspdl.live=false` leaves them as they are.
    public static RunOptions on(RunOptions options) {
        return Boolean.parseBoolean(System.getProperty("jspdl.live", "true"))
                ? new Live(Optional.empty(), BEFORE).listening(options)
                : options;
    }

    RunOptions listening(RunOptions options) {
        return options.background("live", this::listen);
    }

    private void listen(Supplier<PipelineStats> run) {
        long begun = System.nanoTime();
        for (long left = before; left > 0; left = before - (System.nanoTime() - begun)) {
            LockSupport.parkNanos(this, left);
            if (Thread.currentThread().isInterrupted()) {
                return;
            }
        }
        @Nullable Path socket = null;
        try {
            Optional<Path> place = folder.isPresent() ? folder : LiveRuns.folder();
            if (place.isEmpty()) {
                return;
            }
            socket = place.get()
                    .resolve(ProcessHandle.current().pid() + "-"
                            + Integer.toUnsignedString(System.identityHashCode(run) ^ (int) begun, 36) + ".sock");
            try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
                server.bind(UnixDomainSocketAddress.of(socket));
                serve(server, socket.getFileName().toString(), run);
            }
        } catch (IOException | RuntimeException without) {
            // The end of the run interrupts the thread, which closes the channel.
            if (!Thread.currentThread().isInterrupted()) {
                LOGGER.log(Level.DEBUG, "the run can't be looked at from outside", without);
            }
        } finally {
            delete(socket);
        }
    }

    private static void serve(ServerSocketChannel server, String name, Supplier<PipelineStats> run) throws IOException {
        ProcessReader process = ProcessReader.ofThisProcess();
        while (true) {
            try (SocketChannel client = server.accept()) {
                ByteBuffer answer = StandardCharsets.UTF_8.encode(
                        LiveLook.of(name, run.get(), process.read()).toJson());
                while (answer.hasRemaining()) {
                    client.write(answer);
                }
            } catch (IOException gone) {
                if (!server.isOpen()) {
                    throw gone;
                }
            }
        }
    }

    private static void delete(@Nullable Path socket) {
        // Files are not deleted reliably by a thread that is interrupted.
        boolean interrupted = Thread.interrupted();
        try {
            if (socket != null) {
                Files.deleteIfExists(socket);
            }
        } catch (IOException left) {
            LOGGER.log(Level.DEBUG, "a socket is left behind", left);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
