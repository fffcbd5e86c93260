package org.jspdl.data.plan;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.jspdl.archive.TarWriter;
import org.jspdl.data.loader.TensorBatch;
import org.jspdl.data.shards.TfExampleFiles;
import org.jspdl.memory.Shape;
import org.jspdl.memory.Tensor;
import org.jspdl.pipeline.Run;
import org.jspdl.plan.CompiledPlan;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The plans of `docs/how-to/migrate.md`, over shards as tf.data and WebDataset read them.
class MigrationPlansTest {
    /// A picture of one pixel.
    private static final byte[] BMP = HexFormat.of()
            .parseHex("424d3a0000000000000036000000280000000100000001000000010018000000000004000000"
                    + "130b0000130b0000000000000000000000ff8000");

    private static final Pattern PLAN = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);
    private static final int SAMPLES = 70;

    @TempDir
    Path folder;

    private final List<Shape> shapes = new ArrayList<>();
    private final List<Long> labels = new ArrayList<>();
    private final List<Shape> labelShapes = new ArrayList<>();

    @BeforeEach
    void writeShards() throws Exception {
        Path train = Files.createDirectory(folder.resolve("train"));
        for (int shard = 0; shard < 2; shard++) {
            int first = shard * SAMPLES / 2;
            long[] numbers = LongStream.range(first, first + SAMPLES / 2).toArray();
            Files.write(train.resolve("part-" + shard + ".tfrecord"), TfExampleFiles.of(BMP, numbers));
            try (TarWriter tar = TarWriter.create(train.resolve("train-00000" + shard + ".tar"))) {
                for (long number : numbers) {
                    tar.add(number + ".jpg", MemorySegment.ofArray(BMP));
                    tar.add(
                            number + ".cls",
                            MemorySegment.ofArray(Long.toString(number).getBytes(StandardCharsets.UTF_8)));
                }
            }
        }
    }

    private void runPlanOf(String heading, String label) throws Exception {
        String document = Files.readString(Path.of("../docs/how-to/migrate.md"));
        Matcher plan = PLAN.matcher(document);
        assertThat(plan.find(document.indexOf("\n## " + heading + "\n"))).isTrue();
        try (CompiledPlan compiled = PlanRuns.compile(folder, plan.group(1));
                Run<?> run = compiled.start()) {
            run.forEach(item -> take((TensorBatch) item, label));
        }
    }

    private void take(TensorBatch batch, String label) {
        try (batch) {
            shapes.add(((Tensor) requireNonNull(batch.namedValues().get("image"))).shape());
            Tensor numbers = (Tensor) requireNonNull(batch.namedValues().get(label));
            labelShapes.add(numbers.shape());
            for (long number : numbers.segment().toArray(ValueLayout.JAVA_LONG)) {
                labels.add(number);
            }
        }
    }

    @Test
    void thePlanAfterTfDataLoadsEveryExampleOnce() throws Exception {
        runPlanOf("tf.data", "image/class/label");

        assertThat(shapes).containsExactly(Shape.of(64, 224, 224, 3), Shape.of(6, 224, 224, 3));
        assertThat(labelShapes).containsExactly(Shape.of(64, 1), Shape.of(6, 1));
        assertThat(labels)
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.range(0, SAMPLES).boxed().toList());
        assertThat(labels).isNotEqualTo(labels.stream().sorted().toList());
    }

    @Test
    void thePlanAfterWebDatasetLoadsOneFullBatch() throws Exception {
        runPlanOf("WebDataset", "label");

        assertThat(shapes).containsExactly(Shape.of(64, 3, 224, 224));
        assertThat(labelShapes).containsExactly(Shape.of(64));
        assertThat(labels).hasSize(64).doesNotHaveDuplicates().allMatch(label -> label >= 0 && label < SAMPLES);
    }
}
