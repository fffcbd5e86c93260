package org.jspdl.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Runs programs of the machine. A program that is missing skips the test; one that fails fails it.
public final class Programs {
    private Programs() {}

    /// What a command prints; its words are separated by spaces.
    public static byte[] run(String command) {
        return output(Path.of(""), List.of(command.split(" +")));
    }

    /// What a command prints, run in `folder`.
    ///
    /// @throws AssertionError if it fails; the message has what it says on its error stream
    public static byte[] output(Path folder, List<String> command) {
        if (!command.getFirst().contains("/")) {
            Requires.program(command.getFirst());
        }
        try {
            Path errors = Files.createTempFile("errors", ".txt");
            try {
                Process process = new ProcessBuilder(command)
                        .directory(folder.toAbsolutePath().toFile())
                        .redirectInput(Redirect.from(new java.io.File("/dev/null")))
                        .redirectError(errors.toFile())
                        .start();
                byte[] output = process.getInputStream().readAllBytes();
                int code = process.waitFor();
                if (code != 0) {
                    throw new AssertionError(String.join(" ", command) + " ended with exit code " + code + ": "
                            + Files.readString(errors, StandardCharsets.ISO_8859_1)
                            + new String(output, StandardCharsets.ISO_8859_1));
                }
                return output;
            } finally {
                Files.deleteIfExists(errors);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    /// What a script of Python prints, run in `folder` with `arguments`, by Python's standard library alone.
    public static String python(Path folder, String script, String... arguments) {
        List<String> command = new ArrayList<>(List.of(Requires.python(), "-c", script));
        command.addAll(List.of(arguments));
        return new String(output(folder, command), StandardCharsets.UTF_8);
    }

    /// Whether a command ends with exit code 0.
    static boolean succeeds(String... command) {
        try {
            return new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException absent) {
            return false;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
