package org.jspdl.cli.arguments;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Words of the command line are those that were typed, also where Java has no characters for them.
class GivenWordsTest {
    private static final byte[] COMMAND = "java\0-Xmx1g\0Main\0inspect\0k\344se?\0\303\251\0".getBytes(ISO_8859_1);

    @TempDir
    Path folder;

    @Test
    void whatJavaCouldNotReadIsReadAgain() {
        assertThat(GivenWords.of(List.of("inspect", "k\uFFFDse?", "??"), COMMAND))
                .containsExactly("inspect", "k\uDCE4se?", "é");
        assertThat(GivenWords.of(List.of("\uFFFD"), COMMAND)).containsExactly("é");
    }

    @Test
    void wordsThatDoNotEndTheCommandStayAsTheyAre() {
        List<String> other = List.of("run", "k\uFFFDse?", "??");
        List<String> more = List.of("a", "b", "c", "d", "e", "f", "?");

        assertThat(GivenWords.of(other, COMMAND)).isSameAs(other);
        assertThat(GivenWords.of(more, COMMAND)).isSameAs(more);
    }

    @Test
    void aFolderOfAnyNameIsInspectedWithoutALocale() throws Exception {
        String script =
                "d=\"$(printf 'k\\344se')\" && mkdir -p \"$d/a$(printf '\\377')\" && echo > \"$d/a$(printf '\\377')/b.jpg\""
                        + " && exec \"$@\" inspect \"$d\"";
        ProcessBuilder builder = new ProcessBuilder(
                        "sh",
                        "-c",
                        script,
                        "sh",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "org.jspdl.cli.Main")
                .directory(folder.toFile())
                .redirectErrorStream(true);
        Map<String, String> environment = builder.environment();
        environment.keySet().removeIf(name -> name.equals("LANG") || name.startsWith("LC_"));
        environment.put("LC_ALL", "C");
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), UTF_8);

        assertThat(process.waitFor()).as(said).isZero();
        assertThat(said).startsWith("k\\xe4se: files with classes").containsPattern("samples +1");
        try (var left = Files.list(folder)) {
            assertThat(left).hasSize(1);
        }
    }
}
