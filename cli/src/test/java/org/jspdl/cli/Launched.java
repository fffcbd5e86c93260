package org.jspdl.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// A process that a test started, with what it printed. Closing it ends it, whatever it is doing.
final class Launched implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 280;

    private final Process process;
    private final CompletableFuture<String> out;

    private Launched(Process process) {
        this.process = process;
        // A thread of its own: the common pool has one on two processors, which another process's output may
        // hold.
        this.out = CompletableFuture.supplyAsync(
                () -> text(process.getInputStream()), task -> Thread.ofVirtual().start(task));
    }

    /// Starts `command` in `folder` with `environment` added to the test's own; an empty value removes a variable.
    static Launched start(List<String> command, Path folder, Map<String, String> environment) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        environment.forEach((name, value) -> {
            if (value.isEmpty()) {
                builder.environment().remove(name);
            } else {
                builder.environment().put(name, value);
            }
        });
        return new Launched(builder.start());
    }

    /// What a process said and how it ended.
    record Ended(int code, String out, String err) {}

    /// Waits for the end of the process.
    Ended await() throws Exception {
        String err = text(process.getErrorStream());
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("the process did not end; it said " + err);
        }
        return new Ended(process.exitValue(), out.get(PATIENCE_SECONDS, TimeUnit.SECONDS), err);
    }

    /// Waits until the process has written `text` to its standard error.
    void awaitError(String text) throws IOException {
        StringBuilder seen = new StringBuilder();
        for (int next = process.getErrorStream().read();
                next >= 0;
                next = process.getErrorStream().read()) {
            seen.append((char) next);
            if (seen.indexOf(text) >= 0) {
                return;
            }
        }
        throw new AssertionError("the process ended without saying '" + text + "' but " + seen);
    }

    /// Waits until the process has written a line with `text` to its standard error; that line.
    String awaitErrorLine(String text) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = process.getErrorStream().read();
                next >= 0;
                next = process.getErrorStream().read()) {
            if (next != '\n') {
                line.append((char) next);
            } else if (line.indexOf(text) >= 0) {
                return line.toString();
            } else {
                line.setLength(0);
            }
        }
        throw new AssertionError("the process ended without a line that says '" + text + "' but " + line);
    }

    /// Asks the process to end, as a cluster manager does.
    void terminate() throws Exception {
        new ProcessBuilder("kill", "-TERM", Long.toString(process.pid()))
                .start()
                .waitFor();
    }

    /// Does what Ctrl-C does.
    void interrupt() throws Exception {
        new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor();
    }

    private static String text(InputStream stream) {
        try {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
