package org.jspdl.observe.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.pipeline.StageOptions.cpu;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.pipeline.Tuning;
import org.jspdl.source.Sources;
import org.jspdl.stats.Change;
import org.jspdl.stats.LinkStats;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class LiveTest {
    private static final long PATIENCE = Duration.ofMinutes(1).toNanos();

    @TempDir
    Path folder;

    private final Pipeline<Long> pipeline =
            Pipeline.from(Sources.range(100)).pipe("work", item -> item, cpu(2)).named("looked at");

    private Run<Long> start() {
        return start(Live.readOnly());
    }

    private Run<Long> start(Live live) {
        return pipeline.start(live.in(folder).listening(RunOptions.defaults()));
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
    void aRunThatWasStartedWithControlIsChangedAndTellsWhatItRefuses() throws Exception {
        LiveRuns live = new LiveRuns(Optional.of(folder));
        try (Run<Long> run = start(Live.controllable())) {
            LiveLook look = looks(1).getFirst();
            assertThat(look.abilities()).containsExactly(Live.Ability.CONTROL);
            assertThat(LiveLook.parse(look.toJson())).isEqualTo(look);

            Change change = live.tune(look, Tuning.concurrency("work", 3));
            live.tune(look, Tuning.buffer("work", 7));

            assertThat(change.toString()).isEqualTo("concurrency of 'work' from 2 to 3");
            assertThat(run.stats().changes()).hasSize(2).first().isEqualTo(change);
            assertThat(looks(1).getFirst().stages().getLast().workers()).isEqualTo(3);
            assertThatThrownBy(() -> live.tune(look, Tuning.concurrency("work ", 3)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("no stage named 'work '");
            assertThatThrownBy(() -> live.report(look)).hasMessageContaining("has no report");
        }
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aRunWithoutControlCannotBeChanged() throws Exception {
        try (Run<Long> run = start(Live.readOnly().report(() -> "<p>looked at"))) {
            LiveRuns live = new LiveRuns(Optional.of(folder));
            LiveLook look = looks(1).getFirst();

            assertThat(live.report(look)).isEqualTo("<p>looked at");
            assertThatThrownBy(() -> live.tune(look, Tuning.concurrency("work", 3)))
                    .hasMessageContaining("started without control");
            assertThat(folder.resolve(look.run() + ".control")).doesNotExist();
            assertThat(run.stats().changes()).isEmpty();
        }
    }

    @Test
    void requestsThatAreNoneChangeNothingAndTheNextIsAnswered() throws Exception {
        LiveRuns live = new LiveRuns(Optional.of(folder));
        try (Run<Long> run = start(Live.controllable())) {
            LiveLook look = looks(1).getFirst();
            Path control = folder.resolve(look.run() + ".control");
            assertThat(LiveSocket.ask(control, "nonsense", 1_000, PATIENCE)).contains("error");
            assertThat(LiveSocket.ask(control, "{\"stage\": \"work\", \"concurrency\": -1}", 1_000, PATIENCE))
                    .contains("error")
                    .contains("-1");
            try (SocketChannel silent = SocketChannel.open(UnixDomainSocketAddress.of(control))) {
                assertThat(silent.read(ByteBuffer.allocate(1))).isEqualTo(-1);
            }
            assertThat(run.stats().changes()).isEmpty();

            live.tune(look, Tuning.concurrency("work", 1));

            assertThat(run.stats().changes()).hasSize(1);
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

    /// As of a process that was stopped: connections are taken by the system, and nobody answers.
    @Test
    void aRunThatDoesNotAnswerIsToldAndTheOthersAreShown() throws Exception {
        Path stopped = folder.resolve("1-stopped.sock");
        try (Run<Long> run = start()) {
            looks(1);
            LiveRuns live = new LiveRuns(Optional.of(folder));
            try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
                server.bind(UnixDomainSocketAddress.of(stopped), 1);
                // More often than connections can wait to be taken.
                for (int i = 0; i < 4; i++) {
                    awaitRun(live);
                    assertThat(live.silent()).containsExactly(1L);
                }
            }
            awaitRun(live);
            assertThat(live.silent()).isEmpty();
            assertThat(run.stats().pipeline()).isEqualTo("looked at");
        }
        Files.deleteIfExists(stopped);
    }

    /// Looks until the run was quick enough to be seen.
    private static void awaitRun(LiveRuns live) throws IOException {
        while (live.look().stream().map(LiveLook::pipeline).noneMatch("looked at"::equals)) {
            Thread.onSpinWait();
        }
    }

    @Test
    void theQueueBehindARouteIsThatOfAllItsBranches() throws Exception {
        Pipeline<Long> routed = Pipeline.from(Sources.range(90))
                .route("kind", item -> item % 3)
                .<Long>when(0L, way -> way.pipe("rare", item -> item, cpu(1)))
                .otherwise(way -> way.pipe("usual", item -> item, cpu(1)))
                .merge();
        try (Run<Long> run = routed.start(Live.readOnly().in(folder).listening(RunOptions.defaults()))) {
            LiveLook look = looks(1).getFirst();

            int capacity = run.stats().links().stream()
                    .filter(link -> link.name().startsWith("kind/"))
                    .mapToInt(LinkStats::capacity)
                    .sum();
            assertThat(capacity).isPositive();
            assertThat(look.stages())
                    .filteredOn(stage -> stage.name().equals("kind"))
                    .singleElement()
                    .satisfies(stage -> assertThat(stage.capacity()).isEqualTo(capacity));
        }
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
