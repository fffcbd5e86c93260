package org.jspdl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.jspdl.archive.TarWriter;
import org.jspdl.cli.terminal.Terminal;
import org.jspdl.data.sample.SampleSet;
import org.jspdl.testkit.storage.Faults;
import org.jspdl.testkit.storage.ObjectContent;
import org.jspdl.testkit.storage.ObjectServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Runs over addresses with signatures and passwords in them, and then looks for those in everything that a run leaves
/// behind: what it prints and logs, reports, traces, flight recordings, caches, packed shards and journals.
class PlantedSecretsTest {
    /// Part of every signature and password, and of nothing else.
    private static final String SECRET = "PLANTED";
    private static final int IMAGES = 12;

    @TempDir
    Path folder;

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final List<String> logged = new ArrayList<>();
    private final Logger root = Logger.getLogger("");
    private final Handler listener = new Handler() {
        @Override
        public void publish(LogRecord entry) {
            StringWriter text = new StringWriter();
            text.append(entry.getMessage());
            for (Object parameter : entry.getParameters() == null ? new Object[0] : entry.getParameters()) {
                text.append(' ').append(String.valueOf(parameter));
            }
            if (entry.getThrown() != null) {
                entry.getThrown().printStackTrace(new PrintWriter(text));
            }
            logged.add(text.toString());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    private ObjectServer server;
    private Path results;
    private Path inputs;

    @BeforeEach
    void start() throws Exception {
        root.addHandler(listener);
        server = ObjectServer.start(Faults.none());
        results = Files.createDirectory(folder.resolve("results"));
        inputs = Files.createDirectory(folder.resolve("inputs"));
        Path photos = Files.createDirectory(folder.resolve("photos"));
        new SampleSet(IMAGES, 1).write(photos, 2, written -> {});
        StringBuilder manifest = new StringBuilder("file,label\n");
        Path tar = folder.resolve("photos.tar");
        try (Stream<Path> files = Files.walk(photos);
                TarWriter writer = TarWriter.create(tar)) {
            int number = 0;
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                byte[] bytes = Files.readAllBytes(file);
                server.put("/p/" + number + ".jpg", ObjectContent.of(bytes));
                writer.add(number + ".jpg", java.lang.foreign.MemorySegment.ofArray(bytes));
                writer.add(
                        number + ".cls",
                        java.lang.foreign.MemorySegment.ofArray("1".getBytes(StandardCharsets.US_ASCII)));
                manifest.append(signed("/p/" + number++ + ".jpg")).append(",1\n");
            }
        }
        put("/p/broken.jpg", "no picture");
        manifest.append(signed("/p/broken.jpg")).append(",1\n");
        manifest.append(signed("/p/missing.jpg")).append(",1\n");
        manifest.append("http://user:" + SECRET + "@localhost:1/x.jpg?sig=" + SECRET)
                .append(",1\n");
        manifest.append("ftp://user:" + SECRET + "@localhost/x.jpg").append(",1\n");
        put("/d/train.csv", manifest.toString());
        put("/d/broken.tar", "no archive ".repeat(100));
        put("/d/rows.jsonl", "{\"text\": \"a\"}\nnot json\n{\"text\": \"b\"}\n");
        server.put("/d/photos.tar", ObjectContent.of(Files.readAllBytes(tar)));
        Files.writeString(inputs.resolve("train.csv"), manifest);
    }

    @AfterEach
    void stop() throws IOException {
        root.removeHandler(listener);
        server.close();
    }

    private void put(String path, String text) {
        server.put(path, ObjectContent.of(text.getBytes(StandardCharsets.UTF_8)));
    }

    private String signed(String path) {
        return server.url(path) + "?X-Amz-Expires=9&X-Amz-Credential=" + SECRET + "ID&X-Amz-Signature=" + SECRET;
    }

    private int jspdl(Object... words) {
        PrintStream stream = new PrintStream(printed, true, StandardCharsets.UTF_8);
        List<String> texts = Stream.of(words).map(String::valueOf).toList();
        return Main.execute(texts, new Terminal(stream, stream, false), Map.of());
    }

    private int run(Object dataset, Object... more) {
        List<Object> words = new ArrayList<>(List.of("run", dataset, "--size", "16", "--batch-size", "4"));
        words.addAll(List.of(more));
        return jspdl(words.toArray());
    }

    private Path result(String name) {
        return results.resolve(name);
    }

    private void everything() throws IOException {
        Path manifest = inputs.resolve("train.csv");
        assertThat(run(
                        manifest,
                        "--max-failures",
                        8,
                        "--cache",
                        result("cache"),
                        "--report",
                        result("r.html"),
                        "--json",
                        result("r.json")))
                .isZero();
        assertThat(run(manifest, "--max-failures", 8, "--cache", result("cache"), "--trace", result("t.json")))
                .isZero();
        assertThat(run(manifest)).isNotZero();
        assertThat(run(signed("/d/train.csv"), "--max-failures", 8)).isZero();
        assertThat(run(signed("/d/photos.tar"), "--json", "-")).isZero();
        assertThat(run(signed("/d/broken.tar"))).isNotZero();
        assertThat(run(signed("/d/nothing.csv"))).isNotZero();
        assertThat(run("http://user:" + SECRET + "@localhost:1/train.csv?" + SECRET))
                .isNotZero();
        assertThat(run("ftp://user:" + SECRET + "@localhost/train.csv")).isNotZero();
        for (String each : List.of("/d/train.csv", "/d/photos.tar", "/d/rows.jsonl", "/d/broken.tar")) {
            jspdl("inspect", signed(each));
            jspdl("inspect", signed(each), "--json", "--each");
        }
        assertThat(jspdl("pack", signed("/d/photos.tar"), "--to", result("packed")))
                .isZero();
        jspdl("pack", manifest, "--to", result("some"), "--max-failures", 8);
        String plan = """
                source: {shards: {%s: '%s', max-failures: 3}}
                failure: {max-failures: 3}
                quarantine: bad.jsonl
                """;
        jspdl(
                "run",
                plan("right.yaml", plan.formatted("path", signed("/d/rows.jsonl"))),
                "--quarantine-dir",
                results,
                "--json",
                result("plan.json"));
        assertThat(result("plan.json")).exists();
        assertThat(jspdl("run", plan("wrong.yaml", plan.formatted("of", signed("/d/rows.jsonl")))))
                .isNotZero();
        assertThat(jspdl("run", plan("name.yaml", signed("/d/rows.jsonl") + ": 1\n")))
                .isNotZero();
        assertThat(jspdl("run", plan("json.json", "{\"source\": {\"shards\": \"" + signed("/d/rows.jsonl") + "\"}}")))
                .isNotZero();
    }

    private Path plan(String name, String text) throws IOException {
        return Files.writeString(inputs.resolve(name), text);
    }

    @Test
    void noSecretIsInAnythingThatARunLeavesBehind() throws Exception {
        Path flight = folder.resolve("flight.jfr");
        try (Recording recording = new Recording()) {
            for (String event : List.of(
                    "jspdl.StorageRead",
                    "jspdl.StorageRequest",
                    "jdk.SocketRead",
                    "jdk.SocketWrite",
                    "jdk.JavaExceptionThrow",
                    "jdk.FileWrite")) {
                recording.enable(event).withoutThreshold();
            }
            recording.start();
            everything();
            recording.stop();
            recording.dump(flight);
        }

        List<RecordedEvent> events = RecordingFile.readAllEvents(flight);
        assertThat(events)
                .extracting(event -> event.getEventType().getName())
                .contains("jspdl.StorageRead", "jspdl.StorageRequest");
        assertThat(events.stream().map(RecordedEvent::toString).filter(text -> text.contains(SECRET)))
                .isEmpty();
        assertThat(logged.stream().filter(text -> text.contains(SECRET))).isEmpty();
        String text = printed.toString(StandardCharsets.UTF_8);
        assertThat(text).contains("/p/broken.jpg?...").doesNotContain(SECRET);
        int files = 0;
        try (Stream<Path> all = Files.walk(results)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                files++;
                assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
                        .as("%s", file)
                        .doesNotContain(SECRET);
            }
        }
        assertThat(files).isGreaterThan(IMAGES);
    }
}
