package org.jspdl.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Row;
import org.jspdl.data.plan.PackedPlan;
import org.jspdl.memory.ElementType;
import org.jspdl.onnx.file.OnnxFile;
import org.jspdl.plan.Operations;
import org.jspdl.plan.PlanContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Embeddings of pictures by an ONNX model, many machines against one.
@Tag("slow")
class EmbedTest {
    private static final int PICTURES = 60;
    private static final int SIDE = 24;
    private static final int WIDE = 16;
    private static final String PLAN = """
            source: {files: {path: photos, shuffle: true, seed: 5}}
            steps:
              - {load-image: {size: 24, crop: random-resized-crop, flip: 0.5}, cpu: 2}
              - {run-model: {model: embed.onnx}, cpu: 2}
              - keep: {fields: [embedding, label]}
            seed: 8
            """;

    @TempDir
    Path folder;

    /// A convolution, its mean over the picture, and a layer of numbers that add up with rounding.
    @BeforeEach
    void make() throws Exception {
        Pictures.paint(folder, PICTURES);
        Files.write(
                folder.resolve("embed.onnx"),
                new OnnxFile()
                        .input("image", ElementType.FLOAT32, "batch", 3, SIDE, SIDE)
                        .constant("kernel", numbers(8 * 3 * 3 * 3), 8, 3, 3, 3)
                        .constant("weights", numbers(8 * WIDE), 8, WIDE)
                        .operator("Conv", List.of("image", "kernel"), "maps", Map.of("kernel_shape", new long[] {3, 3}))
                        .operator("GlobalAveragePool", List.of("maps"), "means")
                        .operator("Flatten", List.of("means"), "flat")
                        .operator("MatMul", List.of("flat", "weights"), "embedding")
                        .output("embedding", ElementType.FLOAT32, "batch", WIDE)
                        .toBytes());
    }

    private static float[] numbers(int count) {
        float[] numbers = new float[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = (i * 37 % 101 - 50) / 47f;
        }
        return numbers;
    }

    @Test
    void shardsOfEmbeddingsAreThoseOfOneMachineByteByByte() throws Exception {
        for (String format : List.of("webdataset", "parquet", "mds")) {
            Path one = folder.resolve("one-" + format + "/set");
            Path many = folder.resolve("many-" + format + "/set");
            Files.createDirectories(one.getParent());
            Files.createDirectories(many.getParent());
            PlanJob job =
                    PlanJob.of("plan.yaml", PLAN).in(folder).samplesPerShard(20).shards(format);

            PackedPlan.Result result = job.run(LocalSession.get(), many);
            Pictures.packed(folder, PLAN, one, 20, format);

            assertThat(result.samples()).isEqualTo(PICTURES);
            assertThat(Pictures.contents(many, "set")).hasSizeGreaterThan(2).isEqualTo(Pictures.contents(one, "set"));
        }
    }

    @Test
    void embeddingsAreAColumn() throws Exception {
        Row first = LocalSession.get()
                .read()
                .format("jspdl")
                .option("plan", PLAN)
                .option("planFolder", folder.toString())
                .load()
                .where("_index = 0")
                .select("embedding")
                .first();

        try (PackedPlan plan = PackedPlan.open("plan.yaml", PLAN, Operations.installed(), PlanContext.in(folder))) {
            assertThat(plan.samples(
                            0,
                            1,
                            (sample, place) -> assertThat(Tensors.floats(first.getStruct(0)))
                                    .hasSize(WIDE)
                                    .containsExactly(sample.bytes("embedding").toArray(ValueLayout.JAVA_FLOAT))))
                    .isEmpty();
        }
    }
}
