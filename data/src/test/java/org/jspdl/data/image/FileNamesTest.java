package org.jspdl.data.image;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;
import org.jspdl.data.storage.FileNames;
import org.jspdl.data.storage.Location;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Files of names of any bytes are found, read and resumed from under any locale, and are the same everywhere.
class FileNamesTest {
    /// As `printf` of a shell writes them: UTF-8, Latin-1, decomposed, half of a pair, beyond 16 bits, replaced.
    private static final List<String> FILES = List.of(
            "a.bmp",
            "\\303\\251.bmp",
            "\\351.bmp",
            "e\\314\\201.bmp",
            "\\355\\240\\200.bmp",
            "\\360\\237\\222\\200.bmp",
            "\\357\\277\\275.bmp",
            "\\377\\376.bmp",
            "?.bmp",
            "new\\nline %%41.bmp");

    /// A picture of one pixel.
    private static final String BMP =
            "BM\\072\\0\\0\\0\\0\\0\\0\\0\\066\\0\\0\\0\\050\\0\\0\\0\\001\\0\\0\\0\\001\\0\\0\\0" + "\\001\\0\\030"
                    + "\\0".repeat(25) + "abc\\0";

    private static final List<String> CLASSES = List.of("plain", "k\\303\\244se", "k\\344se", "k\\345se");

    @TempDir
    Path folder;

    private Path images;

    @BeforeEach
    void write() throws Exception {
        images = Files.createDirectory(folder.resolve("images"));
        StringBuilder script = new StringBuilder("set -e\n");
        int file = 0;
        for (String each : CLASSES) {
            script.append("d=\"$(printf '").append(each).append("')\"\nmkdir \"$d\"\n");
            for (String name : FILES) { // each of another size
                script.append("printf '")
                        .append(BMP)
                        .append("x".repeat(++file))
                        .append("' > \"$d/$(printf '")
                        .append(name)
                        .append("')\"\n");
            }
            script.append("echo > \"$d/$(printf 'notes.t\\377t')\"\n");
        }
        Process shell = new ProcessBuilder("sh", "-c", script.toString())
                .directory(images.toFile())
                .redirectErrorStream(true)
                .start();
        assertThat(shell.getInputStream().readAllBytes()).asString(UTF_8).isEmpty();
        assertThat(shell.waitFor()).isZero();
    }

    @Test
    void everyLocaleFindsTheSameFilesAndReadsThem() throws Exception {
        String said = said(Map.of("LC_ALL", "C.UTF-8"), images, "list");

        assertThat(said)
                .startsWith("[k?se, k\\xe4se, k\\xe5se, plain] 4 (4 .t\\xfft) ")
                .contains("0 " + hex("k\303\244se/\351.bmp") + " ")
                .contains("1 " + hex("k\344se/\377\376.bmp") + " ")
                .contains("1 " + hex("k\344se/\355\240\200.bmp") + " ")
                .contains("3 " + hex("plain/new\nline %41.bmp") + " ")
                .contains("44 listed");
        assertThat(said.lines().filter(line -> line.contains(" bytes, "))).hasSize(40);
        assertThat(said(Map.of(), images, "list")).isEqualTo(said);
        assertThat(said(Map.of("LC_ALL", "C"), images, "list")).isEqualTo(said);
        assertThat(said(Map.of("LC_ALL", "POSIX", "LANG", "de_DE"), images, "list"))
                .isEqualTo(said);
    }

    @Test
    void aRunThatBeganInOneLocaleEndsInAnother() throws Exception {
        List<String> whole =
                said(Map.of("LC_ALL", "C.UTF-8"), images, "load").lines().toList();
        assertThat(whole).hasSize(40).doesNotHaveDuplicates();

        assertThat(said(Map.of("LC_ALL", "C"), images, "resume").lines()).isEqualTo(whole.subList(4, 40));
        assertThat(said(Map.of("LC_ALL", "C"), images, "load").lines()).isEqualTo(whole);
        assertThat(said(Map.of(), images, "resume").lines()).isEqualTo(whole.subList(4, 40));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void namesGoToTextAndBack(int seed) {
        Random random = new Random(seed);
        Map<String, String> texts = new LinkedHashMap<>();
        for (int i = 0; i < 3_000; i++) {
            byte[] bytes = name(random);
            String text = FileNames.text(bytes, 0, bytes.length);

            assertThat(FileNames.bytes(text)).as("seed %d", seed).isEqualTo(bytes);
            Path path = FileNames.path(text);
            assertThat(FileNames.text(path)).isEqualTo(text);
            assertThat(FileNames.text(path.toAbsolutePath())).endsWith("/" + text);
            assertThat(FileNames.resolve(Path.of("/a"), text)).isEqualTo(FileNames.path("/a/" + text));
            assertThat(Location.of(path).toString().chars()).noneMatch(c -> c < ' ');
            assertThat(texts.put(text, HexFormat.of().formatHex(bytes)))
                    .isIn(null, HexFormat.of().formatHex(bytes));
        }
    }

    /// Pieces of UTF-8, whole and cut, and bytes alone; no zero and no slash.
    private static byte[] name(Random random) {
        ByteArrayOutputStream name = new ByteArrayOutputStream();
        byte[] pieces = "aé\u07FF\uFFFD\uFFFF\uD83D\uDC80\uDBFF\uDFFF".getBytes(UTF_8);
        for (int left = 1 + random.nextInt(6); left > 0; left--) {
            if (random.nextBoolean()) {
                name.write(0x80 + random.nextInt(0x80));
            } else {
                int from = random.nextInt(pieces.length);
                name.write(pieces, from, 1 + random.nextInt(Math.min(5, pieces.length - from)));
            }
        }
        return name.toByteArray();
    }

    @Test
    void whatStandsForNoBytesIsNoPath() {
        for (String text : List.of("a\uD83D.jpg", "\uDBFFé", "é\0", "\uDCFF\0")) {
            Assertions.assertThatExceptionOfType(InvalidPathException.class)
                    .as(Location.of(text).toString())
                    .isThrownBy(() -> FileNames.path(text));
        }
        assertThat(Location.of("a\uDCFF\uD83D\uDC80\uD83D")).hasToString("a\\xff\uD83D\uDC80\\ud83d");
    }

    private static String hex(String latin1) {
        return HexFormat.of().formatHex(latin1.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1));
    }

    private String said(Map<String, String> environment, Path dataset, String work) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(Stream.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        NamedFiles.class.getName(),
                        dataset.toString(),
                        folder.resolve("state.json").toString(),
                        work)
                .toList());
        builder.environment().clear();
        builder.environment().putAll(environment);
        Process process = builder.redirectErrorStream(true).start();
        return new String(process.getInputStream().readAllBytes(), UTF_8);
    }
}
