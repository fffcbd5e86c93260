package org.jspdl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspdl.data.sample.SampleSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Types the commands of the documents into a shell, one after the other, in a folder with the data that they name.
///
/// A bucket is a folder beside them, and what is compressed is not. What is not run, and why, stands in [#ELSEWHERE].
class CommandsInDocumentsTest extends CommandTest {
    private static final Pattern BLOCK = Pattern.compile("```(sh|yaml)\\n(.*?)```", Pattern.DOTALL);
    private static final Pattern SHARDS = Pattern.compile("'?(s3://bucket/)?(old|train)-\\{000\\.\\.127}\\.tar'?");

    private static final Pattern FOR_USERS = Pattern.compile("docs/(gallery\\.md|(how-to|tutorial|reference)/[^/]+)$");

    /// A part of a command that another test runs, or nothing can here, and the reason.
    private static final Map<String, String> ELSEWHERE = Map.ofEntries(
            Map.entry("./mvnw", "this test is a part of it"),
            Map.entry("./jspdl run ", "with nothing but a comment it is the main job, which CI runs"),
            Map.entry("--compare", "needs PyTorch; CompareTest"),
            Map.entry(
                    "jspdl pack plan.yaml",
                    "the plan is that of the page; the tests of pack and of Spark make shards of plans"),
            Map.entry("SlowToFast.java", "DocumentsTest compiles it, and it runs for minutes"),
            Map.entry("pip install", "wheel_test.py installs the wheel"),
            Map.entry("jspdl top", "TopCommandTest looks at runs"),
            Map.entry("jspdl serve", "ServeTest starts workers"),
            Map.entry("JSPDL_SERVICE_TOKEN", "ServeTest"),
            Map.entry("jspdl run plan.yaml", "the plan needs workers; ServeTest"),
            Map.entry("spark-submit", "needs Apache Spark"),
            Map.entry("jspdl spark", "needs Apache Spark; PlanJobTest"),
            Map.entry("dependency:", "needs a registry"),
            Map.entry("examples/plans/", "is about the samples in the user's cache; PlanCommandTest runs the plan"),
            Map.entry("--cache-peers", "needs machines that ask each other; CachePeersTest"),
            Map.entry(
                    "docker",
                    "needs an engine of containers; release/check builds and runs the image where there is one"),
            Map.entry("--tmpfs", "the rest of a call of docker"));

    @TempDir
    static Path folder;

    @BeforeAll
    static void layOutTheData() throws Exception {
        new SampleSet(40, 1).write(Files.createDirectory(folder.resolve("photos")), 2, written -> {});
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Path program =
                Files.writeString(folder.resolve("jspdl"), """
                #!/bin/sh
                exec '%s' --enable-native-access=ALL-UNNAMED -XX:TieredStopAtLevel=1 $JSPDL_OPTS -cp '%s' org.jspdl.cli.Main "$@"
                """.formatted(java, System.getProperty("java.class.path")));
        assertThat(program.toFile().setExecutable(true)).isTrue();
        typed("./jspdl pack photos --to packed --samples 1");
        typed("./jspdl pack photos --to bucket --format parquet");
        try (Stream<Path> tables = Files.list(folder.resolve("bucket"))) {
            Path table = tables.filter(file -> file.toString().endsWith(".parquet"))
                    .findFirst()
                    .orElseThrow();
            Files.move(table, folder.resolve("bucket/table.parquet"));
        }
        StringBuilder rows = new StringBuilder("path,label\n");
        Path photos = folder.resolve("photos");
        try (Stream<Path> files = Files.walk(photos)) {
            for (Path photo : files.filter(file -> file.toString().endsWith(".jpg"))
                    .sorted()
                    .toList()) {
                Path name = photos.relativize(photo);
                Path kind =
                        Files.createDirectories(folder.resolve("bucket/train").resolve(name.getName(0)));
                Files.copy(photo, kind.resolve(name.getFileName()));
                rows.append("train/%s,%s%n".formatted(name, name.getName(0)));
            }
        }
        Files.writeString(folder.resolve("bucket/train.csv"), rows);
        Files.writeString(folder.resolve("train.csv"), rows.toString().replace("train/", "bucket/train/"));
        // Commands name 128 shards; a few of one sample each stand for them.
        for (int i = 0; i < 4; i++) {
            for (String name : List.of("train", "old", "bucket/train")) {
                Files.copy(
                        folder.resolve("packed/packed-%06d.tar".formatted(i)),
                        folder.resolve("%s-%03d.tar".formatted(name, i)));
            }
        }
        Files.writeString(folder.resolve("pack.yaml"), """
                source: {files: {path: photos, shuffle: true, seed: 7}}
                steps: [{load-image: {size: 256, dtype: uint8}, cpu: processors}, {encode-image: {quality: 90}}]
                """);
        Files.writeString(
                folder.resolve("embed.yaml"),
                blocks("yaml").stream()
                        .filter(block -> block[1].contains("run-model"))
                        .findFirst()
                        .orElseThrow()[1]);
        Encoder.write(folder.resolve("encoder.onnx"));
        Files.writeString(
                folder.resolve("lines.jsonl"), "{\"file\": \"a.jpg\", \"label\": 1}\n{\"file\": \"b.jpg\"}\n");
    }

    @Test
    @Tag("slow")
    void everyCommandDoesAsTyped() throws Exception {
        Map<String, String> failed = new LinkedHashMap<>();
        int typed = 0;
        for (String command : commands()) {
            if (ELSEWHERE.keySet().stream().anyMatch(part -> isAbout(command, part))) {
                continue;
            }
            Launched.Ended ended = typed(command);
            typed++;
            if (ended.code() != 0) {
                failed.put(command, ended.code() + ": " + ended.err());
            }
        }

        assertThat(failed).isEmpty();
        assertThat(typed).isGreaterThan(15);
    }

    /// Whether a reason of [#ELSEWHERE] is about this command: `./jspdl run ` is one without arguments.
    private static boolean isAbout(String command, String part) {
        return part.equals("./jspdl run ") ? command.matches("./jspdl run( +#.*)?") : command.contains(part);
    }

    private static List<String> commands() throws Exception {
        List<String> commands = new ArrayList<>();
        for (String[] block : blocks("sh")) {
            block[1].lines().filter(line -> !line.isBlank()).forEach(commands::add);
        }
        return commands;
    }

    /// The blocks of a language in README and the pages: page and text.
    static List<String[]> blocks(String language) throws Exception {
        List<String[]> blocks = new ArrayList<>();
        for (Path page : DocumentsTest.documents()) {
            if (!page.endsWith("README.md")
                    && !FOR_USERS.matcher(page.toString()).find()) {
                continue;
            }
            Matcher block = BLOCK.matcher(Files.readString(page));
            while (block.find()) {
                if (block.group(1).equals(language)) {
                    blocks.add(new String[] {page.getFileName().toString(), block.group(2)});
                }
            }
        }
        return blocks;
    }

    /// Runs a line in the folder of the data, as a shell does.
    private static Launched.Ended typed(String line) throws Exception {
        String command = SHARDS.matcher(line)
                .replaceAll("'$1$2-{000..003}.tar'")
                .replace("s3://bucket/", "bucket/")
                .replace("/local/cache", "cache")
                .replace("lines.jsonl.zst", "lines.jsonl");
        String path = folder + ":" + Path.of(System.getProperty("java.home"), "bin") + ":" + System.getenv("PATH");
        try (Launched run =
                Launched.start(List.of("bash", "-c", command), folder, Map.of("JAVA_TOOL_OPTIONS", "", "PATH", path))) {
            return run.await();
        }
    }
}
