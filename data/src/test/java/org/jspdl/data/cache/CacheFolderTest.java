package org.jspdl.data.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspdl.memory.BufferPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What other users of the machine can do with a disk cache: nothing.
class CacheFolderTest {
    private static final int SOMEBODY = 65_534;
    private static final long BUDGET = 1 << 20;

    @TempDir
    Path folder;

    private final BufferPool pool = BufferPool.create("test", 1 << 20);

    @BeforeEach
    void close() throws IOException {
        mode(folder, "rwx------");
    }

    @AfterEach
    void closePool() {
        pool.close();
    }

    private static void mode(Path path, String permissions) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    private static List<Path> below(Path root) throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            return all.filter(each -> !each.equals(root)).toList();
        }
    }

    private void keep(DiskCache cache, String key) {
        cache.offer(key, MemorySegment.ofArray(key.getBytes(StandardCharsets.UTF_8)));
    }

    private boolean has(DiskCache cache, String key) throws IOException {
        var found = cache.get(key, pool);
        found.ifPresent(org.jspdl.memory.Lease::close);
        return found.isPresent();
    }

    /// A process of its own, because the umask is that of a process; and without a home.
    @Test
    void whateverTheUmaskIsFilesAndFoldersAreForThisUserAlone() throws Exception {
        Path cache = folder.resolve("a/b/cache");
        Process process = new ProcessBuilder(
                        "/usr/bin/env",
                        "-u",
                        "HOME",
                        "/bin/sh",
                        "-c",
                        "umask 000; exec \"$@\"",
                        "sh",
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Filling.class.getName(),
                        cache.toString())
                .redirectErrorStream(true)
                .start();
        assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEmpty();
        assertThat(process.waitFor()).isZero();

        assertThat(below(folder)).hasSizeGreaterThan(6);
        for (Path each : below(folder)) {
            assertThat(mode(each)).as("%s", each).isEqualTo(Files.isDirectory(each) ? "rwx------" : "rw-------");
        }
        try (DiskCache again = DiskCache.open(cache, BUDGET)) {
            assertThat(has(again, "key")).isTrue();
        }
    }

    static final class Filling {
        public static void main(String[] arguments) throws IOException {
            DiskCache cache = DiskCache.open(Path.of(arguments[0]), BUDGET); // killed, in effect: it leaves its lock
            cache.offer("key", MemorySegment.ofArray(new byte[] {1, 2, 3}));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"rwxrwxrwx", "rwxrwxr-x", "rwxr-xrwx"})
    void aFolderThatOthersCanReachAndWriteIsRefusedUnlessTheyAreTrusted(String permissions) throws IOException {
        Path cache = folder.resolve("a/b/cache");
        Files.createDirectories(cache);
        for (Path open : List.of(cache, cache.getParent(), folder)) {
            mode(open, permissions);
            assertThatThrownBy(() -> DiskCache.open(cache, BUDGET))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(open + " can be written by others")
                    .hasMessageContaining("chmod go-w");
            DiskCache.openTrusting(cache, BUDGET).close();
            mode(open, "rwxr-xr-x");
        }
        DiskCache.open(cache, BUDGET).close();
    }

    @Test
    void entriesOfATimeWhenOthersCouldWriteAreNotBelieved() throws IOException {
        Path cache = folder.resolve("cache");
        try (DiskCache first = DiskCache.open(cache, BUDGET)) {
            keep(first, "key");
        }
        mode(cache.resolve("entries"), "rwxrwxrwx");
        try (DiskCache second = DiskCache.open(cache, BUDGET)) {
            assertThat(has(second, "key")).isFalse();
            assertThat(second.stats().bytes()).isZero();
        }
        assertThat(mode(cache.resolve("entries"))).isEqualTo("rwx------");
    }

    @Test
    void filesThatAreNoEntriesAreNeverDeleted() throws IOException {
        Path entries = folder.resolve("dataset/entries");
        Path mine = Files.createDirectories(entries.resolve("photos"));
        mode(entries, "rwxrwxrwx");
        assertThatThrownBy(() -> DiskCache.open(folder.resolve("dataset"), BUDGET))
                .hasMessageContaining("holds other files than those of a cache");
        assertThat(mine).exists();
    }

    @Test
    void nothingOfAnotherUserIsUsedAndNothingOfThisUserIsOpenToOthers() throws Exception {
        boolean root = (int) Files.getAttribute(folder, "unix:uid") == 0;
        Path shared = Files.createDirectory(folder.resolve("shared"));
        Path theirs = Files.createDirectory(shared.resolve("theirs"));
        Files.createDirectory(theirs.resolve("entries"));
        Path mine = shared.resolve("mine");
        try (DiskCache cache = DiskCache.open(mine, BUDGET)) {
            keep(cache, "key");
            if (!root) {
                return; // who may not become another user has shown the modes above
            }
            mode(folder, "rwxr-xr-x");
            Files.setAttribute(shared, "unix:mode", 01777); // as /tmp
            for (Path each : List.of(theirs, theirs.resolve("entries"))) {
                Files.setAttribute(each, "unix:uid", SOMEBODY);
            }
            assertThatThrownBy(() -> DiskCache.open(theirs, BUDGET)).hasMessageContaining("belongs to another user");
            List<String> attacks = new ArrayList<>();
            for (Path each : below(mine)) {
                attacks.add("cat '" + each + "'");
                attacks.add("echo x >> '" + each + "'");
                attacks.add("ls '" + each + "'");
            }
            attacks.add("mv '" + mine + "' '" + shared + "/moved'");
            attacks.add("rm -rf '" + mine + "/entries' && test ! -e '" + mine + "/entries'");
            attacks.add("ln -s /etc '" + mine + "/entries/00'");
            attacks.add("ln '" + mine + "/used' '" + shared + "/hard'");
            attacks.add("chmod 777 '" + mine + "'");
            for (String attack : attacks) {
                assertThat(asSomebody(attack)).as(attack).isNotZero();
            }
            assertThat(asSomebody("echo planted > '" + shared + "/other'")).isZero(); // the attacker is one
            assertThat(has(cache, "key")).isTrue();
        }
        try (DiskCache again = DiskCache.open(mine, BUDGET)) {
            assertThat(has(again, "key")).isTrue();
        }
    }

    private static int asSomebody(String command) throws Exception {
        Process process = new ProcessBuilder(
                        "setpriv",
                        "--reuid",
                        String.valueOf(SOMEBODY),
                        "--regid",
                        String.valueOf(SOMEBODY),
                        "--clear-groups",
                        "/bin/sh",
                        "-c",
                        command)
                .redirectErrorStream(true)
                .start();
        process.getInputStream().readAllBytes();
        return process.waitFor();
    }
}
