package org.jspdl.media;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.Assertions;

/// Python's standard library as an independent reader and writer of archives and recordings.
public final class Python {
    private Python() {}

    /// What `script` prints, run in `folder` with `arguments`. A script that fails fails the test.
    public static String run(Path folder, String script, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("python3", "-c", script));
        command.addAll(List.of(arguments));
        return output(folder, command);
    }

    /// What a command prints; one that fails fails the test.
    public static String output(Path folder, List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        Assertions.assertThat(process.waitFor())
                .as("%s says: %s", command.getFirst(), text)
                .isZero();
        return text;
    }
}
