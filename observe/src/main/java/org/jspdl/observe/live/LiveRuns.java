package org.jspdl.observe.live;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspdl.pipeline.Tuning;
import org.jspdl.stats.Change;

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
            sockets = files.sorted().toList();
        }
        List<LiveLook> looks = new ArrayList<>();
        for (Path socket : sockets) {
            if (!LiveSocket.LOOK.of(socket)) {
                deleteIfLeft(socket);
                continue;
            }
            try {
                looks.add(LiveLook.parse(LiveSocket.ask(socket, "", MOST_BYTES)));
            } catch (ConnectException nobody) {
                deleteIfLeft(socket);
            } catch (IOException | IllegalArgumentException ended) {
                // The run has ended meanwhile.
            }
        }
        return looks;
    }

    /// A run that has just made its socket does not listen yet.
    private static void deleteIfLeft(Path socket) throws IOException {
        if (!isAlive(socket)) {
            Files.deleteIfExists(socket);
        }
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

    /// Changes the run that `look` is of, as `run.tune(tuning)` does.
    ///
    /// @throws IOException if it is refused, with the reason, or the run has ended
    public Change tune(LiveLook look, Tuning tuning) throws IOException {
        if (!look.abilities().contains(Live.Ability.CONTROL)) {
            throw new IOException("the run of process " + look.pid()
                    + " can't be changed: it was started without control ('jspdl run --control', Live.controllable())");
        }
        return LiveControl.change(ask(LiveSocket.CONTROL, look, LiveControl.request(tuning)));
    }

    /// The report of the run that `look` is of, so far, as a page.
    ///
    /// @throws IOException if it has none, or has ended
    public String report(LiveLook look) throws IOException {
        if (!look.abilities().contains(Live.Ability.REPORT)) {
            throw new IOException("the run of process " + look.pid() + " has no report: no Watch looks at it");
        }
        String page = ask(LiveSocket.REPORT, look, "");
        if (page.isEmpty()) {
            throw new IOException("the run of process " + look.pid() + " has nothing to report yet");
        }
        return page;
    }

    private String ask(LiveSocket.Kind kind, LiveLook look, String request) throws IOException {
        Path place = folder.orElseThrow(() -> new IOException("the run has ended"));
        try {
            return LiveSocket.ask(
                    kind.in(place, Path.of(look.run()).getFileName().toString()), request, MOST_BYTES);
        } catch (SocketException gone) {
            throw new IOException("the run of process " + look.pid() + " has ended", gone);
        }
    }
}
