package org.jspdl.data.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jspdl.data.plan.PlanRuns.batches;

import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspdl.archive.ZipWriter;
import org.jspdl.array.ArrayView;
import org.jspdl.array.Npy;
import org.jspdl.array.NpzWriter;
import org.jspdl.data.plan.PlanRuns.Held;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArraysPlanTest {
    private static final String SOURCE = "source: {files: {path: ., glob: '**.np*'}}\n";

    @TempDir
    Path folder;

    private static ArrayView floats(Shape shape, float... values) {
        return ArrayView.of(ElementType.FLOAT32, shape, MemorySegment.ofArray(values));
    }

    @Test
    void arraysOfOneShapeBecomeOneTensor() throws Exception {
        Npy.write(folder.resolve("a.npy"), floats(Shape.of(2), 1, 2));
        Npy.write(folder.resolve("b.npy"), floats(Shape.of(2), 3, 4));

        List<Map<String, Object>> batches = batches(folder, SOURCE + "steps: [load-array: {}, batch: 2, collate: {}]");

        assertThat(batches.getFirst())
                .containsEntry("array", Held.of(ElementType.FLOAT32, Shape.of(2, 2), 1, 2, 3, 4))
                .containsEntry("index", Held.of(ElementType.INT64, Shape.of(2), 0, 1));
    }

    @Test
    void arraysOfDifferentShapesArePaddedInEveryDimension() throws Exception {
        Npy.write(folder.resolve("a.npy"), floats(Shape.of(1, 3), 1, 2, 3));
        Npy.write(folder.resolve("b.npy"), floats(Shape.of(2, 1), 4, 5));

        List<Map<String, Object>> batches =
                batches(folder, SOURCE + "steps: [load-array: {to: x}, batch: 2, collate: {pad: [x], padding: -1}]");

        assertThat(batches.getFirst())
                .containsEntry(
                        "x", Held.of(ElementType.FLOAT32, Shape.of(2, 2, 3), 1, 2, 3, -1, -1, -1, 4, -1, -1, 5, -1, -1))
                .containsEntry("x_length", List.of(1L, 2L));
    }

    @Test
    void anArchiveGivesEachOfItsArraysAField() throws Exception {
        Path archives = Files.createDirectories(folder.resolve("archives"));
        for (int i = 0; i < 2; i++) {
            try (NpzWriter npz = NpzWriter.create(archives.resolve(i + ".npz"), ZipWriter.Method.DEFLATED)) {
                npz.add("image", floats(Shape.of(2), i, i + 0.5f));
                npz.add("label", ArrayView.of(ElementType.INT64, Shape.of(), MemorySegment.ofArray(new long[] {i})));
            }
        }

        List<Map<String, Object>> batches =
                batches(folder, SOURCE + "steps: [load-array: {to: image}, batch: 2, collate: {}]");

        assertThat(batches.getFirst())
                .containsEntry("image", Held.of(ElementType.FLOAT32, Shape.of(2, 2), 0, 0.5, 1, 1.5))
                .containsEntry("label", Held.of(ElementType.INT64, Shape.of(2), 0, 1));
    }

    @Test
    void aShardOfArraysNeedsNoLoading() throws Exception {
        Npy.write(folder.resolve("rows.npy"), floats(Shape.of(3, 2), 1, 2, 3, 4, 5, 6));

        List<Map<String, Object>> batches =
                batches(folder, "source: {shards: {path: rows.npy}}\nsteps: [batch: 3, collate: {}]");

        assertThat(batches.getFirst())
                .containsKey("key")
                .containsEntry("array", Held.of(ElementType.FLOAT32, Shape.of(3, 2), 1, 2, 3, 4, 5, 6));
    }
}
