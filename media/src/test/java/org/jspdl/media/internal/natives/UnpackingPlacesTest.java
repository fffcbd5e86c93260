package org.jspdl.media.internal.natives;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.jspdl.files.SafeFolders;
import org.jspdl.media.internal.natives.UnpackedLibraries.Places;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Where libraries are unpacked, and that nobody else can put one there.
class UnpackingPlacesTest {
    private static final String LIBRARY = "libdrm.so.2";
    private static final String RESOURCES = "org/bytedeco/ffmpeg/linux-x86_64/";
    private static final String STAMP = ".sha256";
    private static final int SOMEBODY = 65_534;

    @TempDir
    Path folder;

    private Path home;
    private Path temporary;
    private int user;

    @BeforeEach
    void makeFolders() throws IOException {
        home = Files.createDirectory(folder.resolve("home"));
        temporary = Files.createDirectory(folder.resolve("tmp"));
        user = (int) Files.getAttribute(home, "unix:uid");
        for (Path each : List.of(folder, home, temporary)) {
            mode(each, "rwx------");
        }
    }

    private static void mode(Path path, String permissions) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
    }

    private Places places(String cache, String userHome) {
        return new Places(cache, userHome, temporary, Optional.of(user));
    }

    private static void load(Places places) {
        assertThat(new UnpackedLibraries("things", RESOURCES, "jspdl.test.no.path", places)
                        .load(LIBRARY)
                        .find("drmGetVersion"))
                .isPresent();
    }

    private static List<Path> files(Path below) throws IOException {
        try (Stream<Path> all = Files.walk(below)) {
            return all.filter(each -> !Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS))
                    .filter(each -> !each.toString().endsWith(STAMP))
                    .toList();
        }
    }

    private static Path onlyFile(Path below) throws IOException {
        assertThat(files(below)).hasSize(1);
        return files(below).getFirst();
    }

    /// Loads, and nothing was kept anywhere.
    private void assertTemporary(Places places) throws IOException {
        List<Path> before = files(folder);
        load(places);
        assertThat(files(folder)).isEqualTo(before);
        try (Stream<Path> left = Files.list(temporary)) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void aLibraryIsKeptInAFolderForThisUserAlone() throws IOException {
        load(places("", home.toString()));

        Path file = onlyFile(home);
        assertThat(file.startsWith(home.resolve(".cache/jspdl/natives"))).isTrue();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        for (Path each = file.getParent(); !each.equals(home); each = each.getParent()) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(each)))
                    .as("%s", each)
                    .isEqualTo("rwx------");
        }
        load(places(folder.resolve("other/cache").toString(), home.toString()));
        assertThat(files(folder)).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "relative", "./cache", "?"})
    void noFolderIsRelative(String path) throws IOException {
        load(places(path, home.toString()));
        onlyFile(home);

        assertTemporary(places(path, path));
        assertThat(Path.of(path.isEmpty() ? "jspdl" : path)).doesNotExist();
        assertThat(Path.of("jspdl")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"rwxrwxrwx", "rwxrwxr-x", "rwxr-xrwx"})
    void aWayThatOthersCanWriteIsNotTaken(String permissions) throws IOException {
        Path cache = Files.createDirectories(home.resolve("a/b/cache"));
        for (Path open : List.of(cache, home.resolve("a/b"), home)) {
            mode(open, permissions);
            assertTemporary(places(cache.toString(), ""));
            mode(open, "rwxr-xr-x");
        }
        load(places(cache.toString(), ""));
        onlyFile(home);
    }

    @Test
    void aFolderOfAnotherUserIsNotTaken() throws IOException {
        Path cache = Files.createDirectories(home.resolve("cache"));
        // who may not give a folder away is told to be another user
        int me = user;
        if (me == 0) {
            Files.setAttribute(cache, "unix:uid", SOMEBODY);
            assertTemporary(places(cache.toString(), ""));
            Files.setAttribute(cache, "unix:uid", 0);
            load(places(cache.toString(), ""));
            Files.setAttribute(cache.resolve("jspdl/natives"), "unix:uid", SOMEBODY);
            assertTemporary(places(cache.toString(), ""));
        } else {
            user = me + 1;
            assertThat(new SafeFolders(user).objection(cache)).isPresent();
            user = me;
        }
    }

    @Test
    void linksAreFollowedToSafeFoldersOnly() throws IOException {
        Path safe = Files.createDirectories(folder.resolve("disk/cache"));
        Path open = Files.createDirectories(folder.resolve("open"));
        mode(open, "rwxrwxrwx");
        Path inOpen = Files.createDirectories(open.resolve("cache"));
        Path link = home.resolve(".cache");

        Files.createSymbolicLink(link, Path.of("../open/../disk/cache"));
        assertTemporary(places("", home.toString()));
        Files.delete(link);
        Files.createSymbolicLink(link, inOpen);
        assertTemporary(places("", home.toString()));
        Files.delete(link);
        Files.createSymbolicLink(open.resolve("link"), safe);
        Files.createSymbolicLink(link, open.resolve("link"));
        assertTemporary(places("", home.toString()));
        Files.delete(link);
        Files.createSymbolicLink(link, link);
        assertTemporary(places("", home.toString()));
        Files.delete(link);

        Files.createSymbolicLink(link, Path.of("../disk/cache"));
        load(places("", home.toString()));
        onlyFile(safe);
    }

    @Test
    void aFileOfTheSameSizeThatIsNotTheLibraryIsReplaced() throws IOException {
        load(places("", home.toString()));
        Path file = onlyFile(home);
        byte[] right = Files.readAllBytes(file);
        byte[] wrong = right.clone();
        wrong[wrong.length / 2] ^= 1;
        Files.delete(file); // the loaded one stays as it is
        Files.write(file, wrong);

        load(places("", home.toString()));

        assertThat(Files.readAllBytes(onlyFile(home))).isEqualTo(right);
    }

    /// A CRC-32 is forged by flipping the bits of its polynomial anywhere.
    @Test
    void aFileOfTheSameSizeAndCrcThatIsNotTheLibraryIsReplaced() throws IOException {
        load(places("", home.toString()));
        Path file = onlyFile(home);
        byte[] right = Files.readAllBytes(file);
        byte[] forged = right.clone();
        int middle = forged.length / 2;
        for (int bit = 0; bit <= 32; bit++) {
            if ((0x1_04C1_1DB7L >> (32 - bit) & 1) == 1) {
                forged[middle + bit / 8] ^= (byte) (1 << bit % 8);
            }
        }
        assertThat(crc32(forged)).isEqualTo(crc32(right));
        Files.delete(file); // the loaded one stays as it is
        Files.write(file, forged);
        mode(file, "rw-------");

        load(places("", home.toString()));

        assertThat(Files.readAllBytes(onlyFile(home))).isEqualTo(right);
    }

    private static long crc32(byte[] bytes) {
        CRC32 crc = new CRC32();
        crc.update(bytes);
        return crc.getValue();
    }

    @Test
    void aFileIsHashedAgainAfterABoot() throws IOException {
        load(places("", home.toString()));
        Path file = onlyFile(home);
        Path stamp = file.resolveSibling(LIBRARY + STAMP);
        String[] parts = Files.readString(stamp).split(" ", 3);
        Object unpacked = Files.getAttribute(file, "unix:ino");

        Files.writeString(stamp, parts[0] + " another-boot " + parts[2]);
        load(places("", home.toString()));
        assertThat(Files.readString(stamp)).isEqualTo(String.join(" ", parts));
        assertThat(Files.getAttribute(file, "unix:ino")).isEqualTo(unpacked);

        Files.writeString(stamp, "0".repeat(64) + " another-boot " + parts[2]);
        load(places("", home.toString()));
        assertThat(Files.readString(stamp)).startsWith(parts[0] + " " + parts[1]);
        assertThat(Files.getAttribute(file, "unix:ino")).isNotEqualTo(unpacked);
    }

    @Test
    void aStampThatOthersCouldWriteIsNotBelieved() throws IOException {
        load(places("", home.toString()));
        Path file = onlyFile(home);
        Path stamp = file.resolveSibling(LIBRARY + STAMP);
        Object unpacked = Files.getAttribute(file, "unix:ino");
        mode(stamp, "rw-rw-rw-");

        load(places("", home.toString()));

        assertThat(Files.getAttribute(file, "unix:ino")).isNotEqualTo(unpacked);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(stamp)))
                .isEqualTo("rw-------");
    }

    @Test
    void whatIsLoadedIsWhatWasHashed() throws IOException {
        load(places("", home.toString()));
        Path file = onlyFile(home);
        try (LibraryFile library = LibraryFile.open(file)) {
            assertThat(library.isVerified(new SafeFolders(user))).isTrue();
            Files.delete(file);
            Files.writeString(file, "this is no library");

            assertThat(library.load().find("drmGetVersion")).isPresent();
            assertThat(library.isVerified(new SafeFolders(user))).isTrue();
        }
        try (LibraryFile forged = LibraryFile.open(file)) {
            assertThat(forged.isVerified(new SafeFolders(user))).isFalse();
        }
    }

    @Test
    void aLinkInPlaceOfTheLibraryIsReplaced() throws IOException {
        load(places("", home.toString()));
        Path file = onlyFile(home);
        Path elsewhere = folder.resolve("elsewhere");
        Files.move(file, elsewhere);
        Files.createSymbolicLink(file, elsewhere);

        load(places("", home.toString()));

        assertThat(Files.isSymbolicLink(file)).isFalse();
    }

    /// A folder that was open for a while may hold anything, even with the right checksum.
    @Test
    void whatLiesInAFolderThatWasOpenIsNotBelieved() throws IOException {
        load(places("", home.toString()));
        Path file = onlyFile(home);
        Path natives = home.resolve(".cache/jspdl/natives");
        for (Path open : List.of(file.getParent(), natives, natives.getParent())) {
            Files.write(file.resolveSibling("libva.so.2"), new byte[10]);
            mode(open, "rwxrwxrwx");

            load(places("", home.toString()));

            assertThat(files(home)).containsExactly(file);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(open)))
                    .isEqualTo("rwx------");
        }
    }

    @Test
    void withoutAnySafeFolderNothingIsLoaded() throws IOException {
        mode(temporary, "rwxrwxrwx");
        UnpackedLibraries things = new UnpackedLibraries("things", RESOURCES, "jspdl.test.no.path", places("", ""));

        assertThatThrownBy(() -> things.load(LIBRARY))
                .isInstanceOf(UnsatisfiedLinkError.class)
                .hasMessageContaining("tmp can be written by others (mode 777)")
                .hasMessageContaining("Set XDG_CACHE_HOME");
        assertThat(files(folder)).isEmpty();
    }

    @Test
    void theMaskOfTheProcessOpensNothing() throws Exception {
        ProcessBuilder builder = new ProcessBuilder(
                        "/bin/sh",
                        "-c",
                        "umask 000; exec \"$@\"",
                        "sh",
                        ProcessHandle.current().info().command().orElseThrow(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-Duser.home=" + home,
                        UnpackedLibrariesTest.Loading.class.getName())
                .redirectErrorStream(true);
        builder.environment().remove("XDG_CACHE_HOME");
        Process process = builder.start();
        assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEmpty();
        assertThat(process.waitFor()).isZero();
        List<Path> below;
        try (Stream<Path> all = Files.walk(home)) {
            below = all.filter(each -> !each.equals(home)).toList();
        }
        assertThat(below).hasSizeGreaterThan(4);
        for (Path each : below) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(each)))
                    .as("%s", each)
                    .endsWith("------");
        }
    }
}
