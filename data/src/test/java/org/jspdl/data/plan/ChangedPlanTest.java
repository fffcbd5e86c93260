package org.jspdl.data.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspdl.data.dataset.LabeledFiles;
import org.jspdl.data.shards.pack.FileInput;
import org.jspdl.data.shards.pack.PackSettings;
import org.jspdl.data.shards.pack.ShardPacker;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.text.TokenFileWriter;
import org.jspdl.leakcheck.LeakCheck;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Closeables;
import org.jspdl.pipeline.Checkpoint;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.plan.CompiledPlan;
import org.jspdl.plan.Operation;
import org.jspdl.plan.Operations;
import org.jspdl.plan.Parameter;
import org.jspdl.plan.Plan;
import org.jspdl.plan.PlanContext;
import org.jspdl.plan.StandardOperations;
import org.jspdl.source.Samplers;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// A checkpoint of a plan is refused where a source is given anything by which its places mean other samples, and no
/// parameter of a source is forgotten.
@ExtendWith(LeakCheck.class)
class ChangedPlanTest {
    private static final Operations OPERATIONS =
            Operations.of(List.of(new StandardOperations(), new SampleOperations(), new TextOperations()));

    /// What a source can be given that changes no sample, or only what is loaded of it; ranks have tests of their
    /// own.
    private static final Set<String> HARMLESS = Set.of(
            "rank",
            "world-size",
            "cache",
            "cache-size",
            "storage",
            "columns",
            "max-failures",
            "labels",
            "transcripts",
            "padding");

    /// `where` is for Parquet, whose tests have it; the folder of COCO's images is where they lie; costs of another
    /// name are others by what each sample costs.
    private static final Set<String> ELSEWHERE = Set.of("shards.where", "coco.images", "balanced-shards.cost");

    @TempDir
    static Path folder;

    /// By source and parameter: a plan's source and the same with the parameter changed.
    private static final Map<String, List<String>> CHANGES = new LinkedHashMap<>();

    private static void change(String parameter, String before, String after) {
        CHANGES.put(parameter, List.of(before, after));
    }

    static {
        change("range.size", "{range: {size: 10}}", "{range: {size: 12}}");
        change("values.values", "{values: {values: [a, b, c, d, e]}}", "{values: {values: [a, b, c, e, d]}}");
        change("lines.path", "{lines: {path: a.txt}}", "{lines: {path: b.txt}}");
        change("indices.size", "{indices: {size: 20}}", "{indices: {size: 21}}");
        change("files.path", "{files: {path: a}}", "{files: {path: b}}");
        change("files.glob", "{files: {path: a, glob: '**/*.jpg'}}", "{files: {path: a, glob: '**/f1*.jpg'}}");
        change("coco.path", "{coco: {path: a.json, images: a}}", "{coco: {path: b.json, images: a}}");
        change("shards.path", "{shards: {path: p}}", "{shards: {path: q}}");
        change(
                "shards.interleave",
                "{shards: {path: p, shuffle: true, interleave: 2}}",
                "{shards: {path: p, shuffle: true, interleave: 3}}");
        change(
                "shards.window",
                "{shards: {path: p, shuffle: true, window: 4}}",
                "{shards: {path: p, shuffle: true, window: 5}}");
        change(
                "shards.block",
                "{shards: {path: p, shuffle: true, block: 2}}",
                "{shards: {path: p, shuffle: true, block: 3}}");
        String balanced = "{balanced-shards: {path: p, cost: bytes, budget: 200}}";
        change("balanced-shards.path", balanced, balanced.replace("path: p", "path: q"));
        change("balanced-shards.budget", balanced, balanced.replace("200", "300"));
        change("balanced-shards.squared", balanced, balanced.replace("budget", "squared: true, budget"));
        change("balanced-shards.also", balanced, balanced.replace("budget", "also: [bytes], budget"));
        change("texts.path", "{texts: {path: a.txt}}", "{texts: {path: b.txt}}");
        change("texts.unit", "{texts: {path: a.txt}}", "{texts: {path: a.txt, unit: document}}");
        String tokens = "{token-file: {path: a.tokens, length: 1024}}";
        change("token-file.path", tokens, tokens.replace("a.tokens", "b.tokens"));
        change("token-file.length", tokens, tokens.replace("1024", "1000"));
        change("token-file.stride", tokens, tokens.replace("length", "stride: 1020, length"));
        change("token-file.strategy", tokens, tokens.replace("length", "strategy: balanced, length"));
        String cut = "{token-file: {path: a.tokens, length: 1024, strategy: balanced, longest: 100}}";
        change("token-file.longest", cut, cut.replace("100", "110"));
        change(
                "token-file.path, balanced",
                "{token-file: {path: a.tokens, length: 1024, strategy: balanced}}",
                "{token-file: {path: b.tokens, length: 1024, strategy: balanced}}");
        for (String source : List.of("indices: {size: 20", "files: {path: a", "coco: {path: a.json, images: a")) {
            String name = source.substring(0, source.indexOf(':'));
            change(name + ".order", "{" + source + "}}", "{" + source + ", order: {indices: order.txt}}}");
            change(name + ".skip", "{" + source + "}}", "{" + source + ", skip: " + name + ".skip}}");
        }
        change("shards.skip", "{shards: {path: p}}", "{shards: {path: p, skip: shards.skip}}");
        for (String source : List.of(
                "indices: {size: 21",
                "files: {path: a",
                "coco: {path: a.json, images: a",
                "shards: {path: p",
                "balanced-shards: {path: p, cost: bytes, budget: 200",
                "texts: {path: a.txt",
                "token-file: {path: a.tokens, length: 1024")) {
            String name = source.substring(0, source.indexOf(':'));
            change(name + ".shuffle", "{" + source + "}}", "{" + source + ", shuffle: true}}");
            change(name + ".seed", "{" + source + ", shuffle: true}}", "{" + source + ", shuffle: true, seed: 3}}");
            change(
                    name + ".even",
                    "{" + source + ", world-size: 2}}",
                    "{" + source + ", world-size: 2, even: repeat}}");
        }
    }

    @BeforeAll
    static void write() throws Exception {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < 40; i++) {
            lines.append(i % 5 == 4 ? "\n" : "line " + i + "\n");
        }
        Files.writeString(folder.resolve("a.txt"), lines);
        Files.writeString(folder.resolve("b.txt"), lines.toString().replace('l', 'L'));
        for (String name : List.of("a.tokens", "b.tokens")) {
            try (TokenFileWriter tokens = TokenFileWriter.create(folder.resolve(name), 60_000)) {
                for (int document = 0; document < 20; document++) {
                    int[] numbers = new int[512];
                    java.util.Arrays.setAll(numbers, i -> name.charAt(0) + i);
                    tokens.add(numbers);
                }
                tokens.finish();
            }
        }
        StringBuilder images = new StringBuilder();
        for (String name : List.of("a", "b")) {
            Path photos = Files.createDirectories(folder.resolve(name).resolve("cat"));
            for (int i = 0; i < 21; i++) {
                Files.write(photos.resolve((name.equals("a") || i > 0 ? "f" : "g") + i + ".jpg"), new byte[60 + i]);
                images.append(name.equals("b") ? "" : (i == 0 ? "" : ", ") + coco(i));
            }
        }
        Files.writeString(folder.resolve("a.json"), coco(images.toString()));
        Files.writeString(folder.resolve("b.json"), coco(images.toString().replace("\"id\": 3,", "\"id\": 33,")));
        Files.writeString(folder.resolve("order.txt"), "19\n".repeat(20));
        Files.writeString(folder.resolve("indices.skip"), "sample \"7\"\n");
        Files.writeString(folder.resolve("files.skip"), "sample \"" + folder.resolve("a/cat/f7.jpg") + "\"\n");
        Files.writeString(folder.resolve("coco.skip"), "sample \"" + folder.resolve("a/cat/f7.jpg") + "\"\n");
        try (Storage storage = Storage.open();
                BufferPool pool = BufferPool.unbounded("files")) {
            LabeledFiles files = LabeledFiles.open(storage, folder.resolve("a").toString());
            FileInput input = new FileInput(files, Samplers.sequential(files.size()), storage, pool, 1 << 20);
            for (String name : List.of("p", "q")) {
                PackSettings settings = PackSettings.of(Files.createDirectories(folder.resolve(name)), name)
                        .limits(7, 1 << 20);
                ShardPacker.pack(input, settings, storage, packed -> {});
            }
        }
        Files.writeString(
                folder.resolve("shards.skip"), "sample \"" + folder.resolve("p/p-000000.tar") + "/000000003\"\n");
    }

    private static String coco(int image) {
        return "{\"id\": " + image + ", \"file_name\": \"cat/f" + image + ".jpg\", \"width\": 4, \"height\": 4}";
    }

    private static String coco(String images) {
        return "{\"images\": [" + images + "], \"annotations\": [], \"categories\": [{\"id\": 1, \"name\": \"cat\"}]}";
    }

    /// Runs until `most` items came; the checkpoint then.
    private static Checkpoint run(String source, Optional<Checkpoint> from, int most) {
        try (CompiledPlan plan = Plan.of("plan", "source: " + source).compile(OPERATIONS, PlanContext.in(folder))) {
            RunOptions options = plan.options();
            try (Run<?> run =
                    plan.pipeline().start(from.map(options::resumeFrom).orElse(options))) {
                int items = 0;
                for (Object item : run) {
                    Closeables.closeItem(item);
                    if (++items == most) {
                        break;
                    }
                }
                return run.checkpoint();
            }
        }
    }

    @Test
    void whatChangesThePlacesOfASourceIsRefused() {
        CHANGES.forEach((parameter, change) -> {
            Checkpoint checkpoint = run(change.getFirst(), Optional.empty(), 2);

            assertThat(run(change.getFirst(), Optional.of(checkpoint), 1).delivered())
                    .as(parameter)
                    .isGreaterThan(2);
            assertThatThrownBy(() -> run(change.getLast(), Optional.of(checkpoint), 1))
                    .as(parameter)
                    .hasMessageContaining("the recipe has changed");
        });
    }

    @Test
    void noParameterOfASourceIsForgotten() {
        Set<String> forgotten = new TreeSet<>();
        for (Operation operation : OPERATIONS.all()) {
            for (Parameter<?> parameter : operation.parameters()) {
                String name = operation.name() + "." + parameter.name();
                if (operation.input().isEmpty()
                        && !HARMLESS.contains(parameter.name())
                        && !ELSEWHERE.contains(name)
                        && !CHANGES.containsKey(name)) {
                    forgotten.add(name);
                }
            }
        }

        assertThat(forgotten).isEmpty();
    }

    @Test
    void whereAFolderLiesAndWhatIsLoadedMakesNoDifference() throws Exception {
        Path moved = Files.createDirectories(folder.resolve("moved"));
        Files.copy(folder.resolve("a.txt"), moved.resolve("a.txt"));
        Files.copy(folder.resolve("a.tokens"), moved.resolve("a.tokens"));
        List<List<String>> same = new ArrayList<>();
        same.add(List.of("{texts: {path: a.txt}}", "{texts: {path: moved/a.txt}}"));
        same.add(List.of("{lines: {path: a.txt}}", "{lines: {path: moved/a.txt}}"));
        same.add(List.of(
                "{token-file: {path: a.tokens, length: 100}}", "{token-file: {path: moved/a.tokens, length: 100}}"));
        same.add(List.of("{shards: {path: p}}", "{shards: {path: p, columns: [cls]}}"));

        for (List<String> each : same) {
            Checkpoint checkpoint = run(each.getFirst(), Optional.empty(), 2);
            assertThat(run(each.getLast(), Optional.of(checkpoint), 1).delivered())
                    .as("%s", each)
                    .isGreaterThan(2);
        }
    }
}
