package org.jspdl.observe.live;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspdl.pipeline.Tuning;
import org.jspdl.stats.Change;

/// The runs of this user on this machine that can be looked at. Thread-safe.
public final class LiveRuns {
    private static final int MOST_BYTES = 16 << 20;
    private static final long PATIENCE = Duration.ofSeconds(2).toNanos();
    private static final long SHORT_PATIENCE = Duration.ofMillis(100).toNanos();
    /// A report is made when it is asked for.
    private static final long LONG_PATIENCE = Duration.ofSeconds(30).toNanos();

    private final Optional<Path> folder;
    private final Set<Path> silent = ConcurrentHashMap.newKeySet();

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
    /// deleted. A run that does not answer within two seconds, as that of a process that was stopped, is left out
    /// and [told][#silent]; later looks wait a tenth of a second for it.
    public List<LiveLook> look() throws IOException {
        if (folder.isEmpty()) {
            return List.of();
        }
        List<LiveLook> looks = new ArrayList<>();
        for (Path socket : sockets(folder.get())) {
            if (!LiveSocket.LOOK.of(socket)) {
                deleteIfLeft(socket);
                continue;
            }
            try {
                long patience = silent.contains(socket) ? SHORT_PATIENCE : PATIENCE;
                looks.add(LiveLook.parse(LiveSocket.ask(socket, "", MOST_BYTES, patience)));
                silent.remove(socket);
            } catch (SocketTimeoutException stopped) {
                silent.add(socket);
            } catch (ConnectException nobody) {
                silent.remove(socket);
                deleteIfLeft(socket);
            } catch (IOException | IllegalArgumentException ended) {
                // The run has ended meanwhile.
                silent.remove(socket);
            }
        }
        return looks;
    }

    private static Path[] sockets(Path folder) throws IOException {
        String[] names = folder.toFile().list();
        if (names == null) {
            throw new IOException("the folder of runs can't be read: " + folder);
        }
        Arrays.sort(names);
        Path[] sockets = new Path[names.length];
        for (int i = 0; i < names.length; i++) {
            sockets[i] = folder.resolve(names[i]);
        }
        return sockets;
    }

    /// The processes with runs that did not answer the last look.
    public List<Long> silent() {
        return silent.stream()
                .filter(Files::exists)
                .map(LiveRuns::process)
                .flatMap(Optional::stream)
                .distinct()
                .sorted()
                .toList();
    }

    /// A run that has just made its socket does not listen yet.
    private static void deleteIfLeft(Path socket) throws IOException {
        if (!isAlive(socket)) {
            Files.deleteIfExists(socket);
        }
    }

    /// Whether the process is there whose number the socket's name begins with.
    private static boolean isAlive(Path socket) {
        return process(socket).map(pid -> ProcessHandle.of(pid).isPresent()).orElse(true);
    }

    private static Optional<Long> process(Path socket) {
        String name = socket.getFileName().toString();
        try {
            return Optional.of(Long.parseLong(name.substring(0, Math.max(0, name.indexOf('-')))));
        } catch (NumberFormatException foreign) {
            return Optional.empty();
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
                    kind.in(place, Path.of(look.run()).getFileName().toString()),
                    request,
                    MOST_BYTES,
                    kind.equals(LiveSocket.REPORT) ? LONG_PATIENCE : PATIENCE);
        } catch (SocketTimeoutException stopped) {
            throw new IOException("the run of process " + look.pid() + " does not answer", stopped);
        } catch (SocketException gone) {
            throw new IOException("the run of process " + look.pid() + " has ended", gone);
        }
    }
}
