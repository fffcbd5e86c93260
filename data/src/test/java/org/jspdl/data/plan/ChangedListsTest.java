package org.jspdl.data.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspdl.archive.TarWriter;
import org.jspdl.pipeline.Checkpoint;
import org.jspdl.pipeline.Run;
import org.jspdl.plan.CompiledPlan;
import org.jspdl.plan.Operations;
import org.jspdl.plan.Plan;
import org.jspdl.plan.PlanContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// A place in a list of files means other samples when the list is another one, even of as many: whoever resumes is
/// told so. Where the list lies makes no difference.
class ChangedListsTest {
    private static final Operations KNOWN =
            Operations.of(List.of(new ImageOperations(), new SampleOperations(), new TextOperations()));

    @TempDir
    Path folder;

    static Stream<Arguments> sources() {
        return Stream.of(
                Arguments.of("files: {path: data/pictures}", "pictures/b/03.jpg"),
                Arguments.of("files: {path: data/pictures, glob: '**/*.jpg', shuffle: true}", "pictures/b/03.jpg"),
                Arguments.of("images: {path: data/pictures, shuffle: true, seed: 4}", "pictures/b/03.jpg"),
                Arguments.of("files: {path: data/list.csv}", "list.csv"),
                Arguments.of("coco: {path: data/coco.json, images: data/pictures}", "coco.json"),
                Arguments.of("texts: {path: data/lines.txt}", "lines.txt"),
                Arguments.of("shards: {path: data/shards}", "shards/t-2.tar"),
                Arguments.of("shards: {path: 'data/shards/*.tar', shuffle: true, window: 4}", "shards/t-2.tar"),
                Arguments.of("images: {path: data/shards, shuffle: true, window: 4}", "shards/t-2.tar"));
    }

    @BeforeEach
    void write() throws IOException {
        Path pictures = folder.resolve("data/pictures");
        for (int i = 0; i < 6; i++) {
            Path file = pictures.resolve((i < 3 ? "a/" : "b/") + "0" + i + ".jpg");
            Files.createDirectories(file.getParent());
            Files.writeString(file, "no picture, and nobody looks");
        }
        Files.writeString(folder.resolve("data/list.csv"), "file,label\npictures/a/00.jpg,0\npictures/b/03.jpg,1\n");
        Files.writeString(folder.resolve("data/lines.txt"), "one\ntwo\nthree\n");
        Files.writeString(folder.resolve("data/coco.json"), """
                {"images": [{"id": 1, "file_name": "a/00.jpg"}, {"id": 7, "file_name": "b/03.jpg"}],
                 "categories": [{"id": 1, "name": "x"}],
                 "annotations": [{"id": 1, "image_id": 7, "category_id": 1, "bbox": [1, 2, 3, 4], "iscrowd": 0}]}
                """);
        Path shards = Files.createDirectories(folder.resolve("data/shards"));
        for (int shard = 0; shard < 3; shard++) {
            try (TarWriter tar = TarWriter.create(shards.resolve("t-" + shard + ".tar"))) {
                for (int i = 0; i < 4; i++) {
                    String key = shard + "-" + i;
                    tar.add(key + ".jpg", MemorySegment.ofArray(key.getBytes(StandardCharsets.UTF_8)));
                    tar.add(key + ".cls", MemorySegment.ofArray(new byte[] {'0'}));
                }
            }
        }
    }

    private Run<?> start(CompiledPlan compiled, Checkpoint from) {
        return compiled.pipeline().start(compiled.options().resumeFrom(from));
    }

    private CompiledPlan compile(Path in, String source) {
        return Plan.of("plan.yaml", "source: {" + source + "}\n").compile(KNOWN, PlanContext.in(in));
    }

    /// The same number of files, of which the last is another.
    private static void change(Path file) {
        try {
            String name = String.valueOf(file.getFileName());
            if (name.endsWith(".jpg") || name.endsWith(".tar")) {
                Files.move(file, file.resolveSibling("z" + name));
                return;
            }
            String text = Files.readString(file);
            for (Map.Entry<String, String> each : Map.of("b/03.jpg,1", "b/04.jpg,1", "three", "fourteen", ": 7", ": 8")
                    .entrySet()) {
                text = text.replace(each.getKey(), each.getValue());
            }
            Files.writeString(file, text);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    @ParameterizedTest
    @MethodSource("sources")
    void aCheckpointIsRefusedWhereTheListIsAnotherOfAsMany(String source, String changed) throws Exception {
        Checkpoint before;
        try (CompiledPlan compiled = compile(folder, source);
                Run<?> run = compiled.pipeline().start(compiled.options())) {
            before = Checkpoint.parse(run.checkpoint().toJson());
        }
        Path elsewhere = Files.createDirectories(folder.resolve("else/where"));
        Files.move(folder.resolve("data"), elsewhere.resolve("data"));
        try (CompiledPlan compiled = compile(elsewhere, source);
                Run<?> run = start(compiled, before)) {
            assertThat(run.checkpoint()).isNotNull();
        }
        change(elsewhere.resolve("data").resolve(changed));
        try (CompiledPlan compiled = compile(elsewhere, source)) {
            assertThatThrownBy(() -> start(compiled, before))
                    .hasMessageContaining("recipe has changed")
                    .hasMessageContaining("source");
        }
    }
}
