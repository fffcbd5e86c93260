package org.jspdl.observe.web;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspdl.json.Json;
import org.jspdl.json.JsonWriter;
import org.jspdl.testing.Requires;

/// A page in a browser without a window, driven through its debugging pipe: JSON messages that end with a zero byte.
/// Used by one thread; skips the test where there is no browser.
final class DrivenBrowser implements AutoCloseable {
    /// The pipe is file descriptors 3 and 4 of the browser.
    private static final String START = "exec \"$0\" \"$@\" 3<&0 4>&1 1>&2 0</dev/null";

    private static final long PATIENCE_MILLIS = 90_000;

    private final Process process;
    private final OutputStream commands;
    private final InputStream answers;
    private final String session;
    private long last;

    private DrivenBrowser(Process process, URI page, int width, int height) throws IOException {
        this.process = process;
        this.commands = process.getOutputStream();
        this.answers = new BufferedInputStream(process.getInputStream());
        String target = text(call("", "Target.createTarget", Map.of("url", "about:blank")), "targetId");
        this.session =
                text(call("", "Target.attachToTarget", Map.of("targetId", target, "flatten", true)), "sessionId");
        call(
                session,
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
        call(session, "Page.navigate", Map.of("url", page.toString()));
    }

    static DrivenBrowser open(Path folder, URI page, int width, int height) throws IOException {
        List<String> command = new ArrayList<>(List.of("sh", "-c", START));
        command.addAll(Requires.headlessBrowser(Files.createTempDirectory(folder, "profile")));
        command.addAll(List.of("--hide-scrollbars", "--remote-debugging-pipe"));
        Process process = new ProcessBuilder(command)
                .redirectError(folder.resolve("browser.log").toFile())
                .start();
        try {
            return new DrivenBrowser(process, page, width, height);
        } catch (Throwable failure) {
            process.destroyForcibly();
            throw failure;
        }
    }

    /// Waits until the expression `condition` is true in the page.
    void await(String condition) throws IOException {
        evaluate("new Promise((done, failed) => { const begun = Date.now(); const timer = setInterval(() => { if ("
                + condition + ") { clearInterval(timer); done(true); } else if (Date.now() - begun > " + PATIENCE_MILLIS
                + ") { clearInterval(timer); failed(new Error(document.body.innerText)); } }, 50); })");
    }

    /// The value of an expression, as text.
    String evaluate(String expression) throws IOException {
        Map<?, ?> result = call(
                session,
                "Runtime.evaluate",
                Map.of("expression", expression, "awaitPromise", true, "returnByValue", true));
        if (result.get("exceptionDetails") != null) {
            throw new AssertionError(expression + ": " + result);
        }
        return String.valueOf(((Map<?, ?>) requireNonNull(result.get("result"))).get("value"));
    }

    byte[] screenshot() throws IOException {
        return Base64.getDecoder().decode(text(call(session, "Page.captureScreenshot", Map.of()), "data"));
    }

    private static String text(Map<?, ?> result, String name) {
        return String.valueOf(requireNonNull(result.get(name), name));
    }

    private Map<?, ?> call(String to, String method, Map<String, ?> parameters) throws IOException {
        long id = ++last;
        JsonWriter json = JsonWriter.compact()
                .beginObject()
                .put("id", id)
                .put("method", method)
                .put("params", parameters);
        if (!to.isEmpty()) {
            json.put("sessionId", to);
        }
        commands.write((json.endObject().document() + "\0").getBytes(UTF_8));
        commands.flush();
        while (true) {
            if (Json.parse(message()) instanceof Map<?, ?> answer
                    && answer.get("id") instanceof Number number
                    && number.longValue() == id) {
                return answer.get("result") instanceof Map<?, ?> result ? result : fail(method, answer);
            }
        }
    }

    private static Map<?, ?> fail(String method, Map<?, ?> answer) {
        throw new AssertionError(method + ": " + answer);
    }

    private String message() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int next = answers.read(); next != 0; next = answers.read()) {
            if (next < 0) {
                throw new EOFException("the browser has ended");
            }
            bytes.write(next);
        }
        return bytes.toString(UTF_8);
    }

    @Override
    public void close() throws IOException {
        // Its helper processes outlive it for a moment, and write to the profile while the test's folder is
        // removed.
        List<ProcessHandle> all = process.descendants().toList();
        commands.close();
        process.destroyForcibly().onExit().join();
        all.forEach(ProcessHandle::destroyForcibly);
        all.forEach(helper -> helper.onExit().join());
    }
}
