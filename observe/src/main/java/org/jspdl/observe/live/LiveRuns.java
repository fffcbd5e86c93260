package org.jspdl.observe.live;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The runs of this user on this machine that can be looked at.
public final class LiveRuns {
    private static final int MOST_BYTES = 16 << 20;

    private final Optional<Path> folder;

    LiveRuns(Optional<Path> folder) {
        this.folder = folder;
    }

    /// Those of this user.
    ///
    /// @throws IOException if others could put sockets into the folder
    public static LiveRuns ofThisUser() throws IOException {
        return new LiveRuns(folder());
    }

    static Optional<Path> folder() throws IOException {
        return LiveFolder.of(System.getenv(), Path.of(System.getProperty("user.home")));
    }

    /// A look at each run, those of the same process one after the other. Sockets of processes that were killed are
    /// deleted.
    public List<LiveLook> look() throws IOException {
        if (folder.isEmpty()) {
            return List.of();
        }
        List<Path> sockets;
        try (Stream<Path> files = Files.list(folder.get())) {
            sockets = files.filter(file -> file.getFileName().toString().endsWith(".sock"))
                    .sorted()
                    .toList();
        }
        List<LiveLook> looks = new ArrayList<>();
        for (Path socket : sockets) {
            try {
                looks.add(LiveLook.parse(read(socket)));
            } catch (ConnectException nobody) {
                // A run that has just made its socket does not listen yet.
                if (!isAlive(socket)) {
                    Files.deleteIfExists(socket);
                }
            } catch (IOException | IllegalArgumentException ended) {
                // The run has ended meanwhile.
            }
        }
        return looks;
    }

    /// Whether the process is there whose number the socket's name begins with.
    private static boolean isAlive(Path socket) {
        String name = socket.getFileName().toString();
        try {
            return ProcessHandle.of(Long.parseLong(name.substring(0, Math.max(0, name.indexOf('-')))))
                    .isPresent();
        } catch (NumberFormatException foreign) {
            return true;
        }
    }

    private static String read(Path socket) throws IOException {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(UnixDomainSocketAddress.of(socket));
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            ByteBuffer buffer = ByteBuffer.allocate(8192);
            while (channel.read(buffer) >= 0) {
                bytes.write(buffer.array(), 0, buffer.position());
                buffer.clear();
                if (bytes.size() > MOST_BYTES) {
                    throw new IOException("the answer of " + socket + " is longer than " + MOST_BYTES + " bytes");
                }
            }
            return bytes.toString(StandardCharsets.UTF_8);
        }
    }
}
