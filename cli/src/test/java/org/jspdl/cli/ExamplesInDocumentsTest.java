package org.jspdl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspdl.plan.Operations;
import org.jspdl.plan.Plan;
import org.jspdl.testing.Compilation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Runs the plans and the programs of the documents as they are printed, in a folder with the data that they name.
///
/// A bucket is a folder beside them, and few shards stand for 128. What is not run, and why, stands in [#ELSEWHERE].
class ExamplesInDocumentsTest extends CommandTest {
    private static final Pattern MAIN = Pattern.compile("void main\\((?!\\)( throws \\w+)? \\{\\})");

    /// A part of a plan or a program that another test runs, or nothing can here, and the reason.
    private static final Map<String, String> ELSEWHERE = Map.of(
            "serve: 7070", "needs machines that ask each other; CachePeersTest",
            "service: [", "needs workers; ServeTest",
            "http://decoder-1:8080", "needs workers; ServeTest",
            "train/", "MigrationPlansTest",
            "CudaDevices.open", "needs a GPU",
            "OrtSession", "needs a model; the tests of interop-onnx",
            "ai.djl", "needs an engine; the tests of interop-djl",
            "Integer.parseInt(arguments[0])", "SlowToFast runs for minutes",
            "ImageLoader.open(arguments[0]", "DocumentsTest runs it");

    @TempDir
    Path folder;

    @Test
    void everyPlanIsWithoutMistakes() throws Exception {
        Operations installed = Operations.installed();
        List<String> wrong = new ArrayList<>();
        List<String> plans = plans();
        for (String plan : plans) {
            try {
                Plan.read(Files.writeString(folder.resolve("plan.yaml"), plan)).check(installed);
            } catch (RuntimeException mistake) {
                wrong.add(plan + ": " + mistake.getMessage());
            }
        }

        assertThat(wrong).isEmpty();
        assertThat(plans).hasSizeGreaterThan(10);
    }

    @Test
    @Tag("slow")
    void everyPlanRunsAsPrinted() throws Exception {
        DocumentData.layOut(folder);
        jspdl("index", folder + "/train-{000..%03d}.tar".formatted(DocumentData.SHARDS - 1)); // has costs
        assertThat(code).as(err).isZero();
        Map<String, String> failed = new LinkedHashMap<>();
        int ran = 0;
        for (String plan : plans()) {
            if (isElsewhere(plan)) {
                continue;
            }
            Path file = Files.writeString(folder.resolve("plan.yaml"), here(plan));
            jspdl("run", file.toString(), "--no-progress");
            ran++;
            if (code != 0) {
                failed.put(plan, err);
            }
        }

        assertThat(failed).isEmpty();
        assertThat(ran).isGreaterThan(6);
    }

    @Test
    @Tag("slow")
    void everyProgramRunsAsPrinted() throws Exception {
        DocumentData.layOut(folder);
        jspdl("index", folder + "/bucket/train-{0000..%04d}.tar".formatted(DocumentData.SHARDS - 1));
        assertThat(code).as(err).isZero();
        String plan =
                plans().stream().filter(each -> !isElsewhere(each)).findFirst().orElseThrow();
        Files.writeString(folder.resolve("plan.yaml"), here(plan));
        Map<String, String> sources = new TreeMap<>();
        List<String> calls = new ArrayList<>();
        for (Path document : DocumentsTest.documents()) {
            for (String program : DocumentsTest.programsIn(document)) {
                if (!MAIN.matcher(program).find() || isElsewhere(program)) {
                    continue;
                }
                String page = document.getFileName().toString();
                String name = "P%02d_%s".formatted(calls.size(), page.replaceAll("\\W", "_"));
                sources.put(name + ".java", here(program));
                calls.add(program.contains("void main(String[]") ? name + " " + arguments(page) : name);
            }
        }
        assertThat(Compilation.errors(folder, sources)).isEmpty();
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                ProgramsRunner.class.getName(),
                folder.resolve("classes").toString()));
        command.addAll(calls);

        try (Launched run = Launched.start(command, folder, Map.of("JAVA_TOOL_OPTIONS", ""))) {
            Launched.Ended ended = run.await();

            assertThat(ended.err()).endsWith(calls.size() + " programs ran, 0 failed\n");
        }
        assertThat(calls).hasSizeGreaterThan(40);
    }

    /// What a page's programs are given to work on.
    private String arguments(String page) throws Exception {
        return switch (page) {
            case "audio.md" -> "song.mp3 radio.flac";
            case "video.md" -> "film.mp4 clips/one/0.mp4";
            default ->
                DocumentData.photos(folder).stream()
                        .map(folder::relativize)
                        .map(Path::toString)
                        .collect(Collectors.joining(" "));
        };
    }

    private static boolean isElsewhere(String example) {
        return ELSEWHERE.keySet().stream().anyMatch(example::contains);
    }

    private static List<String> plans() throws Exception {
        return CommandsInDocumentsTest.blocks("yaml").stream()
                .map(block -> block[1])
                .filter(block -> block.contains("source:"))
                .toList();
    }

    private static String here(String example) {
        return example.replace("s3://bucket/", "bucket/")
                .replace("{000..127}", "{000..%03d}".formatted(DocumentData.SHARDS - 1))
                .replace("{0000..0127}", "{0000..%04d}".formatted(DocumentData.SHARDS - 1));
    }
}
