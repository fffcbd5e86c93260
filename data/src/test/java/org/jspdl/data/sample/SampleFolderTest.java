package org.jspdl.data.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SampleFolderTest {
    private static final SampleSet SET = new SampleSet(10, 1);

    @TempDir
    Path folder;

    @Test
    void aFinishedSetIsNotMadeAgain() throws Exception {
        SampleFolder sample = SampleFolder.at(folder.resolve("set"), SET);
        sample.ensure(2, written -> {});
        AtomicInteger written = new AtomicInteger();

        sample.ensure(2, count -> written.incrementAndGet());

        assertThat(written).hasValue(0);
        assertThat(sample.isComplete()).isTrue();
        assertThat(names(folder)).containsExactly("set");
    }

    @Test
    void whatAKilledProcessLeftBehindIsRemoved() throws Exception {
        Path left = Files.createDirectories(folder.resolve(".set.partial").resolve("bark"));
        Files.writeString(left.resolve("half.jpg"), "half");
        SampleFolder sample = SampleFolder.at(folder.resolve("set"), SET);

        assertThat(sample.isComplete()).isFalse();
        sample.ensure(2, written -> {});

        assertThat(names(folder)).containsExactly("set");
        assertThat(folder.resolve("set/bark/half.jpg")).doesNotExist();
    }

    @Test
    void anInterruptedThreadLeavesNothingBehind() {
        SampleFolder sample = SampleFolder.at(folder.resolve("set"), new SampleSet(1_000, 1));
        Thread caller = Thread.currentThread();

        assertThatThrownBy(() -> sample.ensure(2, written -> caller.interrupt()))
                .isInstanceOfAny(InterruptedException.class, java.nio.channels.ClosedByInterruptException.class);

        Thread.interrupted(); // the last image painted may have interrupted once more
        assertThat(sample.isComplete()).isFalse();
        assertThat(folder.resolve("set")).doesNotExist();
        assertThat(folder.resolve(".set.partial")).doesNotExist();
    }

    @Test
    void aFolderWithOtherFilesIsLeftAlone() throws Exception {
        Files.writeString(folder.resolve("mine.txt"), "mine");

        assertThatThrownBy(() -> SampleFolder.at(folder, SET).ensure(1, written -> {}))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(folder.toString())
                .hasMessageContaining("holds other files");

        assertThat(names(folder)).containsExactly("mine.txt");
    }

    @Test
    void theCacheIsWhereTheEnvironmentSaysOrBelowTheHome() throws IOException {
        Path home = folder.resolve("home");

        assertThat(SampleFolder.inCache(SET, Map.of(), home).path())
                .isEqualTo(home.resolve(".cache/jspdl/sample-2-10"));
        assertThat(SampleFolder.inCache(SET, Map.of("XDG_CACHE_HOME", "/var/x"), home)
                        .path())
                .isEqualTo(Path.of("/var/x/jspdl/sample-2-10"));
        assertThat(SampleFolder.inCache(SET, Map.of("XDG_CACHE_HOME", "not/absolute"), home)
                        .path())
                .isEqualTo(home.resolve(".cache/jspdl/sample-2-10"));
    }

    @Test
    void withoutAHomeThereIsNoCacheInTheWorkingDirectory() {
        for (Path home : new Path[] {Path.of("?"), Path.of("")}) {
            assertThatThrownBy(() -> SampleFolder.inCache(SET, Map.of("XDG_CACHE_HOME", "relative"), home))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("set XDG_CACHE_HOME");
        }
    }

    /// A process of its own, because the umask is that of a process.
    @Test
    void theFoldersOfTheCacheAreForThisUserAloneWhateverTheUmaskIs() throws Exception {
        Path cache = folder.resolve("caches");
        Process process = new ProcessBuilder(
                        "/bin/sh",
                        "-c",
                        "umask 000; exec \"$@\"",
                        "sh",
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Making.class.getName(),
                        cache.toString())
                .redirectErrorStream(true)
                .start();
        assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEmpty();
        assertThat(process.waitFor()).isZero();

        for (Path each : List.of(cache, cache.resolve("jspdl"), cache.resolve("jspdl/sample-2-10"))) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(each)))
                    .as("%s", each)
                    .isEqualTo("rwx------");
        }
    }

    static final class Making {
        public static void main(String[] arguments) throws Exception {
            SampleFolder.inCache(SET, Map.of("XDG_CACHE_HOME", arguments[0]), Path.of("/"))
                    .ensure(1, written -> {});
        }
    }

    private static Stream<String> names(Path folder) throws IOException {
        try (Stream<Path> content = Files.list(folder)) {
            return content.map(path -> String.valueOf(path.getFileName())).sorted().toList().stream();
        }
    }
}
