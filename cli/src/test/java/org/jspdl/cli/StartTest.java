package org.jspdl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspdl.data.sample.SampleSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the program does before the first image, told by the classes that it loads.
class StartTest {
    private static final Pattern LOADED = Pattern.compile("\\[class,load *\\] (\\S+)");

    @TempDir
    Path folder;

    /// Linking a native library makes some thirty classes at run time, and a file with a random name starts a
    /// generator of random numbers.
    @Test
    void aRunOverJpegFilesStartsWithoutWhatItDoesNotUse() throws Exception {
        Path dataset = Files.createDirectory(folder.resolve("set"));
        new SampleSet(3, 1).write(dataset, 1, written -> {});

        Set<String> loaded = loadedBy("run", dataset.toString(), "--size", "32", "--epochs", "2");

        assertThat(loaded)
                .contains("org.jspdl.media.internal.codec.JpegCodec", "org.jspdl.observe.report.TextRendering")
                .doesNotContain(
                        "org.jspdl.media.internal.turbojpeg.TurboJpeg",
                        "org.jspdl.media.internal.natives.CacheFolder",
                        "java.security.SecureRandom",
                        // Looking for providers of other schemes opens every jar.
                        "org.jspdl.data.http.HttpStorageProvider",
                        "org.jspdl.data.hub.HubStorageProvider");
    }

    private Set<String> loadedBy(String... words) throws Exception {
        Path log = folder.resolve("classes");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xlog:class+load=info:file=" + log,
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                "org.jspdl.cli.Main"));
        command.addAll(List.of(words));
        try (Launched run = Launched.start(command, folder, Map.of("JAVA_TOOL_OPTIONS", ""))) {
            Launched.Ended ended = run.await();
            assertThat(ended.code()).as(ended.err()).isZero();
        }
        return LOADED.matcher(Files.readString(log))
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toSet());
    }
}
