package org.jspdl.observe.live;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/// A Unix socket that answers one client after the other, on a virtual thread of its own. Closing it ends the thread
/// and deletes the socket.
final class LiveSocket implements AutoCloseable {
    /// Tells of a run, to whoever connects.
    static final Kind LOOK = new Kind(".sock");
    /// Writes a page, to whoever connects.
    static final Kind REPORT = new Kind(".report");
    /// Reads a request and answers.
    static final Kind CONTROL = new Kind(".control");

    private static final int LONGEST_REQUEST = 4096;
    private static final int BUFFER = 8192;
    private static final long PATIENCE = Duration.ofSeconds(2).toNanos();
    private static final long BEFORE_ANOTHER_TRY = Duration.ofMillis(100).toNanos();

    /// What a socket is for, by the end of its name.
    record Kind(String ending) {
        Path in(Path folder, String run) {
            return folder.resolve(run + ending);
        }

        boolean of(Path socket) {
            return socket.getFileName().toString().endsWith(ending);
        }
    }

    @FunctionalInterface
    private interface Service {
        void serve(SocketChannel client) throws IOException;
    }

    /// How the next client is taken, and what is waited for where none can be.
    interface Door {
        SocketChannel accept(ServerSocketChannel server) throws IOException;

        void pause();
    }

    private static final Door DOOR = new Door() {
        @Override
        public SocketChannel accept(ServerSocketChannel server) throws IOException {
            return server.accept();
        }

        @Override
        public void pause() {
            LockSupport.parkNanos(this, BEFORE_ANOTHER_TRY);
        }
    };

    private final Path path;
    private final ServerSocketChannel server;
    private final Service service;
    private final Door door;
    private final Thread thread;

    private LiveSocket(Path path, Service service, Door door) throws IOException {
        this.path = path;
        this.service = service;
        this.door = door;
        this.server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            server.bind(UnixDomainSocketAddress.of(path));
        } catch (Throwable failure) {
            server.close();
            throw failure;
        }
        this.thread =
                Thread.ofVirtual().name("jspdl-live-" + path.getFileName()).start(this::serve);
    }

    /// Writes a document to whoever connects, and reads nothing.
    static LiveSocket writing(Path path, Supplier<String> document) throws IOException {
        return writing(path, document, DOOR);
    }

    /// The same, which takes clients by `door`.
    static LiveSocket writing(Path path, Supplier<String> document, Door door) throws IOException {
        return new LiveSocket(path, client -> write(client, document.get()), door);
    }

    /// Answers the request of each client. Who sends more than a page, or nothing for two seconds, gets no answer.
    static LiveSocket reading(Path path, UnaryOperator<String> answer) throws IOException {
        return new LiveSocket(path, client -> write(client, answer.apply(request(client))), DOOR);
    }

    private void serve() {
        while (server.isOpen()) {
            SocketChannel client;
            try {
                client = door.accept(server);
            } catch (IOException closedOrFull) {
                // A process without descriptors fails at once, each time, until it has some.
                door.pause();
                continue;
            }
            serve(client);
        }
    }

    private void serve(SocketChannel accepted) {
        try (SocketChannel client = accepted) {
            service.serve(client);
        } catch (IOException | IllegalStateException gone) {
            // The client has left, or the run has ended.
        } catch (RuntimeException failure) {
            logger().log(Level.DEBUG, "a question about a run has no answer", failure);
        }
    }

    /// Looked up where it is used: the first logger of a process opens every jar of the class path.
    private static Logger logger() {
        return System.getLogger(LiveSocket.class.getName());
    }

    private static void write(SocketChannel client, String text) throws IOException {
        client.configureBlocking(true);
        ByteBuffer bytes = StandardCharsets.UTF_8.encode(text);
        while (bytes.hasRemaining()) {
            client.write(bytes);
        }
    }

    /// What a client has sent before it closed its side.
    private static String request(SocketChannel client) throws IOException {
        long begun = System.nanoTime();
        ByteBuffer bytes = ByteBuffer.allocate(LONGEST_REQUEST);
        client.configureBlocking(false);
        try (Selector selector = Selector.open()) {
            client.register(selector, SelectionKey.OP_READ);
            while (client.read(bytes) >= 0) {
                long left = PATIENCE - (System.nanoTime() - begun);
                if (!bytes.hasRemaining() || left <= 0 || Thread.currentThread().isInterrupted()) {
                    throw new IOException("the request is too long or comes too slowly");
                }
                selector.select(Math.max(1, Duration.ofNanos(left).toMillis()));
                selector.selectedKeys().clear();
            }
        }
        return StandardCharsets.UTF_8.decode(bytes.flip()).toString();
    }

    /// What the socket at `path` answers to `request`; nothing is sent if that is empty.
    ///
    /// @param patience how long it may take, in nanoseconds
    /// @throws java.net.ConnectException      if nobody listens
    /// @throws java.net.SocketTimeoutException if there is no answer by then, as of a process that was stopped
    /// @throws IOException if the answer is longer than `most` bytes
    static String ask(Path path, String request, int most, long patience) throws IOException {
        long begun = System.nanoTime();
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
                Selector selector = Selector.open()) {
            channel.configureBlocking(false);
            connect(channel, path);
            if (!request.isEmpty()) {
                write(channel, request);
                channel.shutdownOutput();
                channel.configureBlocking(false);
            }
            channel.register(selector, SelectionKey.OP_READ);
            ByteArrayOutputStream bytes = new ByteArrayOutputStream(BUFFER);
            ByteBuffer buffer = ByteBuffer.allocate(BUFFER);
            while (true) {
                int read = channel.read(buffer);
                if (read < 0) {
                    return bytes.toString(StandardCharsets.UTF_8);
                }
                if (read == 0) {
                    awaitMore(selector, path, patience - (System.nanoTime() - begun));
                    continue;
                }
                bytes.write(buffer.array(), 0, buffer.position());
                buffer.clear();
                if (bytes.size() > most) {
                    throw new IOException("the answer of " + path + " is longer than " + most + " bytes");
                }
            }
        }
    }

    /// Of a socket at which as many wait as the system lets wait, the system says that it should be tried again.
    private static void connect(SocketChannel channel, Path path) throws IOException {
        boolean connected;
        try {
            connected = channel.connect(UnixDomainSocketAddress.of(path));
        } catch (ConnectException nobody) {
            throw nobody;
        } catch (SocketException full) {
            if (Files.notExists(path)) {
                throw full;
            }
            connected = false;
        }
        if (!connected) {
            throw new SocketTimeoutException(path + " does not answer, and many wait for it");
        }
    }

    private static void awaitMore(Selector selector, Path path, long left) throws IOException {
        if (Thread.currentThread().isInterrupted()) {
            throw new InterruptedIOException("interrupted while waiting for " + path);
        }
        if (left <= 0) {
            throw new SocketTimeoutException(path + " does not answer");
        }
        selector.select(Math.max(1, Duration.ofNanos(left).toMillis()));
        selector.selectedKeys().clear();
    }

    @Override
    public void close() {
        // Files are not deleted, nor threads waited for, by a thread that is interrupted.
        boolean interrupted = Thread.interrupted();
        try {
            server.close();
            thread.interrupt();
            thread.join();
        } catch (InterruptedException again) {
            interrupted = true;
        } catch (IOException left) {
            logger().log(Level.DEBUG, "a socket is left behind", left);
        }
        try {
            Files.deleteIfExists(path);
        } catch (IOException left) {
            logger().log(Level.DEBUG, "a socket is left behind", left);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
