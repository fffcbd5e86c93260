package org.jspdl.onnx.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspdl.array.ArrayView;
import org.jspdl.array.Npy;
import org.jspdl.data.plan.PackedPlan;
import org.jspdl.data.shards.pack.PackSettings;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.onnx.file.OnnxFile;
import org.jspdl.pipeline.FailedItem;
import org.jspdl.plan.Operations;
import org.jspdl.plan.PlanContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `run-model` over 50 arrays of four numbers.
class RunModelTest {
    private static final int ARRAYS = 50;
    private static final String EMBED = "{model: embed.onnx, from: array}";

    @TempDir
    Path folder;

    @BeforeEach
    void write() throws IOException {
        Files.createDirectories(folder.resolve("arrays/all"));
        for (int i = 0; i < ARRAYS; i++) {
            Npy.write(
                    folder.resolve("arrays/all/%02d.npy".formatted(i)),
                    ArrayView.of(ElementType.FLOAT32, Shape.of(4), MemorySegment.ofArray(new float[] {
                        i, 1.1f * i, 0.3f, -i / 7f
                    })));
        }
        Files.write(
                folder.resolve("embed.onnx"),
                new OnnxFile()
                        .input("x", ElementType.FLOAT32, "batch", 4)
                        .constant("w", new float[] {1, 0, 2, 0, 1, 2, 0, 0, 3, 0.1f, 0.2f, 0.3f}, 4, 3)
                        .operator("MatMul", List.of("x", "w"), "y")
                        .output("y", ElementType.FLOAT32, "batch", 3)
                        .toBytes());
    }

    private static String plan(String model) {
        return """
                source: {files: {path: arrays, shuffle: true, seed: 5}}
                steps:
                  - load-array: {}
                  - {run-model: %s, cpu: 2}
                """.formatted(model);
    }

    private PackedPlan open(String model) {
        return PackedPlan.open("plan.yaml", plan(model), Operations.installed(), PlanContext.in(folder));
    }

    /// Why the first sample of a plan fails.
    private String failure(String model) throws IOException {
        try (PackedPlan plan = open(model)) {
            List<FailedItem> failed = plan.samples(0, 2, (sample, place) -> {});
            assertThat(failed).hasSize(2);
            return String.valueOf(failed.getLast().cause().getMessage());
        }
    }

    @Test
    void whatTheModelGivesIsAFieldOfTheSample() throws Exception {
        List<Float> rows = new ArrayList<>();
        try (PackedPlan plan = open(EMBED)) {
            assertThat(plan.samples(0, ARRAYS, (sample, place) -> {
                        assertThat(sample.elementType("embedding")).contains(ElementType.FLOAT32);
                        float[] in = sample.bytes("array").toArray(ValueLayout.JAVA_FLOAT);
                        float[] made = sample.bytes("embedding").toArray(ValueLayout.JAVA_FLOAT);
                        assertThat(made).hasSize(3);
                        assertThat(made[0]).isCloseTo(in[0] + 0.1f * in[3], within());
                        rows.add(made[2]);
                    }))
                    .isEmpty();
            assertThat(plan.snapshot()).contains("a model of SHA-256 ", "onnxruntime ");
        }
        assertThat(rows).hasSize(ARRAYS).doesNotHaveDuplicates();
    }

    private static org.assertj.core.data.Offset<Float> within() {
        return org.assertj.core.data.Offset.offset(1e-4f);
    }

    @Test
    void theShardsAreTheSameWithAnyNumberOfWritersAndLengthOfShard() throws Exception {
        Map<String, String> one = packed("one", 1);

        assertThat(packed("three", 3)).isEqualTo(one);
        assertThat(one).hasSizeGreaterThan(4);
        assertThat(one.get("-000000.tar")).contains(".embedding").contains("descr");
    }

    private Map<String, String> packed(String to, int writers) throws Exception {
        PackSettings settings = PackSettings.of(folder.resolve(to), "set")
                .range(PackSettings.Range.INPUT)
                .writers(writers);
        try (PackedPlan plan = open(EMBED)) {
            plan.pack(settings.limits(20, settings.bytes()), false, _ -> {});
        }
        Map<String, String> contents = new TreeMap<>();
        try (Stream<Path> files = Files.list(folder.resolve(to))) {
            for (Path file : files.toList()) {
                contents.put(
                        file.getFileName().toString().substring(3),
                        new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
            }
        }
        return contents;
    }

    @Test
    void aModelOfSeveralInputsAndOutputsHasThemByName() throws Exception {
        Files.write(
                folder.resolve("two.onnx"),
                new OnnxFile()
                        .input("x", ElementType.FLOAT32, 4)
                        .input("n", ElementType.INT64)
                        .operator("Add", List.of("x", "x"), "twice")
                        .operator("Add", List.of("n", "n"), "more")
                        .output("twice", ElementType.FLOAT32, 4)
                        .output("more", ElementType.INT64)
                        .toBytes());
        try (PackedPlan plan = open("{model: two.onnx, from: {x: array, n: label}, to: {more: m, twice: t}}")) {
            assertThat(plan.samples(0, 3, (sample, place) -> {
                        assertThat(sample.number("m")).isZero();
                        float[] in = sample.bytes("array").toArray(ValueLayout.JAVA_FLOAT);
                        assertThat(sample.bytes("t").toArray(ValueLayout.JAVA_FLOAT))
                                .containsExactly(2 * in[0], 2 * in[1], 2 * in[2], 2 * in[3]);
                    }))
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            {model: embed.onnx, from: {z: array}}          | embed.onnx takes [x FLOAT32[?, 4]], and nothing called 'z'
            {model: embed.onnx, to: {z: a}}                | embed.onnx gives [y FLOAT32[?, 3]], and nothing called 'z'
            {model: embed.onnx, to: {}}                    | 'to' names nothing
            {model: arrays/all/00.npy}                     | only models whose files end with .onnx
            {model: none.onnx}                             | none.onnx
            """)
    void aModelThatCannotBeRunSoIsNamedBeforeTheFirstSample(String model, String message) {
        assertThatThrownBy(() -> open(model)).hasMessageContaining(message);
    }

    @Test
    void whatIsNoModelIsNamed() throws Exception {
        Files.writeString(folder.resolve("no.onnx"), "no model");

        assertThatThrownBy(() -> open("{model: no.onnx}"))
                .hasMessageContaining("ONNX Runtime cannot load")
                .hasMessageContaining("no.onnx");
    }

    @Test
    void aFieldThatTheModelDoesNotTakeFailsItsSampleByName() throws Exception {
        assertThat(failure("{model: embed.onnx, from: label}"))
                .contains(".npy: ", "takes x FLOAT32[?, 4], but the field 'label' is INT64[]: load it as FLOAT32");
        assertThat(failure("{model: embed.onnx, from: missing}")).contains("there is no field 'missing'");
    }

    @Test
    void aModelThatLeavesSomethingToChanceIsRefused() throws Exception {
        Files.write(
                folder.resolve("noise.onnx"),
                new OnnxFile()
                        .input("x", ElementType.FLOAT32, "batch", 4)
                        .operator("RandomNormalLike", List.of("x"), "noise")
                        .operator("Add", List.of("x", "noise"), "y")
                        .output("y", ElementType.FLOAT32, "batch", 4)
                        .toBytes());

        assertThat(failure("{model: noise.onnx, from: array}"))
                .contains("gives another 'embedding' for the same input each time");
    }

    @Test
    void aModelThatMixesTheSamplesOfABatchIsRefused() throws Exception {
        Files.write(
                folder.resolve("flat.onnx"),
                new OnnxFile()
                        .input("x", ElementType.FLOAT32, "batch", 4)
                        .constant("shape", new long[] {-1}, 1)
                        .operator("Reshape", List.of("x", "shape"), "y")
                        .output("y", ElementType.FLOAT32, "")
                        .toBytes());

        assertThat(failure("{model: flat.onnx, from: array}")).contains("of the shape [4], which is no batch of one");
    }

    @Test
    void theProcessorIsToldByItsArithmetic() {
        assertThat(Processor.instructions(List.of("processor : 0", "flags\t\t: fpu sse2 avx avx2 fma avx512f ht")))
                .isEqualTo(" with avx avx2 avx512f fma");
        assertThat(Processor.instructions(List.of("Features : fp asimd crc32 i8mm")))
                .isEqualTo(" with asimd i8mm");
        assertThat(Processor.instructions(List.of("nothing"))).isEmpty();
        assertThat(Processor.arithmetic()).startsWith(System.getProperty("os.arch"));
    }
}
