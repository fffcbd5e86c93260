package org.jspdl.observe.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.pipeline.StageOptions.cpu;

import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class LiveTest {
    @TempDir
    Path folder;

    private final Pipeline<Long> pipeline =
            Pipeline.from(Sources.range(100)).pipe("work", item -> item, cpu(2)).named("looked at");

    private Run<Long> start() {
        return pipeline.start(new Live(Optional.of(folder), 0).listening(RunOptions.defaults()));
    }

    /// Sockets appear soon after the start.
    private List<LiveLook> looks(int runs) throws Exception {
        LiveRuns live = new LiveRuns(Optional.of(folder));
        List<LiveLook> looks = live.look();
        while (looks.size() < runs) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            Thread.onSpinWait();
            looks = live.look();
        }
        return looks;
    }

    @Test
    void aRunTellsWhatItDoesUntilItIsClosed() throws Exception {
        try (Run<Long> run = start()) {
            for (Long _ : run) {}
            assertThat(run.stats().delivered()).isEqualTo(100);

            LiveLook look = looks(1).getFirst();

            assertThat(look.pid()).isEqualTo(ProcessHandle.current().pid());
            assertThat(look.pipeline()).isEqualTo("looked at");
            assertThat(look.delivered()).isEqualTo(100);
            assertThat(look.tuner()).isEqualTo("off");
            assertThat(look.stages()).extracting(LiveLook.Stage::name).containsExactly("source", "work");
            assertThat(look.stages().getLast().completed()).isEqualTo(100);
            assertThat(look.process().resident()).isNotZero();
            assertThat(LiveLook.parse(look.toJson())).isEqualTo(look);
        }
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).isEmpty();
        }
        assertThat(new LiveRuns(Optional.of(folder)).look()).isEmpty();
    }

    @Test
    void runsOfOneProcessAreToldApart() throws Exception {
        try (Run<Long> first = start();
                Run<Long> second = start()) {
            assertThat(looks(2)).hasSize(2);
            assertThat(first.stats().pipeline()).isEqualTo(second.stats().pipeline());
        }
    }

    @Test
    void whoConnectsAndLeavesDisturbsNobody() throws Exception {
        try (Run<Long> run = start()) {
            looks(1);
            Path socket;
            try (Stream<Path> files = Files.list(folder)) {
                socket = files.findFirst().orElseThrow();
            }
            for (int i = 0; i < 20; i++) {
                SocketChannel.open(UnixDomainSocketAddress.of(socket)).close();
            }

            assertThat(looks(1)).hasSize(1);
            assertThat(run.iterator().hasNext()).isTrue();
        }
    }

    @Test
    void theSocketOfAProcessThatWasKilledIsDeletedAndNoOther() throws Exception {
        Process killed = new ProcessBuilder("true").start();
        killed.waitFor();
        Path left = abandoned(killed.pid() + "-x.sock");
        // Between its making and its first answer, a run refuses connections.
        Path beginning = abandoned(ProcessHandle.current().pid() + "-x.sock");

        assertThat(new LiveRuns(Optional.of(folder)).look()).isEmpty();

        assertThat(left).doesNotExist();
        assertThat(beginning).exists();
    }

    /// A socket that nobody listens to.
    private Path abandoned(String name) throws Exception {
        Path socket = folder.resolve(name);
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(socket));
        }
        return socket;
    }

    @Test
    void theFolderIsForThisUserAlone() throws Exception {
        Path runtime = Files.createDirectory(
                folder.resolve("run"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));

        Path live = LiveFolder.of(Map.of("XDG_RUNTIME_DIR", runtime.toString()), folder)
                .orElseThrow();

        assertThat(live).startsWith(runtime).endsWithRaw(Path.of("live"));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(live)))
                .isEqualTo("rwx------");
    }

    @Test
    void whatIsNoLookIsRefusedAndWhatIsMissingIsZero() {
        assertThatThrownBy(() -> LiveLook.parse("[1]")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> LiveLook.parse("nonsense")).isInstanceOf(IllegalArgumentException.class);

        LiveLook empty = LiveLook.parse("{\"stages\": [{\"name\": 7}], \"pid\": \"x\", \"new\": {}}");

        assertThat(empty.pid()).isZero();
        assertThat(empty.stages())
                .singleElement()
                .satisfies(stage -> assertThat(stage.name()).isEmpty());
    }
}
