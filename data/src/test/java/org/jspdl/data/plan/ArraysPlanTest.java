package org.jspdl.data.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.data.plan.PlanRuns.batches;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspdl.archive.TarWriter;
import org.jspdl.archive.ZipWriter;
import org.jspdl.array.ArrayView;
import org.jspdl.array.Npy;
import org.jspdl.array.NpzWriter;
import org.jspdl.data.plan.PlanRuns.Held;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
    void anArrayThatWouldReplaceAFieldOfTheSampleIsRefused() throws Exception {
        Path archives = Files.createDirectories(folder.resolve("archives"));
        try (NpzWriter npz = NpzWriter.create(archives.resolve("0.npz"), ZipWriter.Method.DEFLATED)) {
            npz.add("image", floats(Shape.of(2), 1, 2));
            npz.add("index", ArrayView.of(ElementType.INT64, Shape.of(), MemorySegment.ofArray(new long[] {5})));
        }

        assertThatThrownBy(() -> batches(folder, SOURCE + "steps: [load-array: {to: image}, batch: 1, collate: {}]"))
                .hasMessageContaining("0.npz: the array 'index' would replace the field 'index'")
                .hasMessageContaining("leave out the sample's by 'keep'");
        assertThat(batches(
                                folder,
                                SOURCE + "steps: [keep: {fields: [file]}, load-array: {to: image}, batch: 1,"
                                        + " collate: {}]")
                        .getFirst())
                .containsEntry("index", Held.of(ElementType.INT64, Shape.of(1), 5));
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

    /// A column of numbers has arrays of one element without dimensions, whose size says nothing.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{field: label, min: 3} | 3, 200",
                "{field: label, max: 2.5} | -1, 2",
                "{field: label, one-of: ['3', '-1.0', '7']} | -1, 3",
                "{field: bytes, min: 200} | 200",
                "{field: truth, min: 1} | -1, 200",
                "{field: truth, one-of: ['false']} | 2, 3",
                "{field: share, one-of: ['0.25', '5e-1']} | -1, 2",
                "{field: pair, min: 2} | -1, 2, 3, 200",
            })
    void numbersInColumnsAreFilteredByTheirValue(String where, String expected) throws Exception {
        try (NpzWriter npz = NpzWriter.create(folder.resolve("rows.npz"), ZipWriter.Method.STORED)) {
            npz.add(
                    "label",
                    ArrayView.of(ElementType.INT64, Shape.of(4), MemorySegment.ofArray(new long[] {-1, 2, 3, 200})));
            npz.add("bytes", ArrayView.of(ElementType.UINT8, Shape.of(4), MemorySegment.ofArray(new byte[] {
                0, 2, 3, (byte) 200
            })));
            npz.add("truth", ArrayView.of(ElementType.BOOL, Shape.of(4), MemorySegment.ofArray(new byte[] {1, 0, 0, 1
            })));
            npz.add("share", floats(Shape.of(4), 0.25f, 0.5f, 0.1f, 1));
            npz.add("pair", floats(Shape.of(4, 2), 0, 0, 0, 0, 0, 0, 0, 0));
        }

        List<Map<String, Object>> batches = batches(
                folder, "source: {shards: {path: rows.npz}}\nsteps: [where: " + where + ", batch: 1, collate: {}]");

        assertThat(PlanRuns.numbers(batches, "label").stream()
                        .map(label -> String.valueOf(label.longValue()))
                        .collect(Collectors.joining(", ")))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "min: 9007199254740992, max: 9007199254740992 | 9007199254740992",
                "min: 1700000000000000000 | 1700000000000000000, 1700000000000000001",
                "max: -9007199254740992 | -9007199254740993",
            })
    void wholeNumbersThatNoFloatHoldsAreFilteredByTheirValue(String where, String expected) throws Exception {
        long[] labels = {
            -9_007_199_254_740_993L,
            -9_007_199_254_740_991L,
            9_007_199_254_740_991L,
            9_007_199_254_740_992L,
            9_007_199_254_740_993L,
            1_699_999_999_999_999_999L,
            1_700_000_000_000_000_000L,
            1_700_000_000_000_000_001L
        };
        try (NpzWriter npz = NpzWriter.create(folder.resolve("rows.npz"), ZipWriter.Method.STORED)) {
            npz.add("label", ArrayView.of(ElementType.INT64, Shape.of(labels.length), MemorySegment.ofArray(labels)));
            byte[] places = {0, 1, 2, 3, 4, 5, 6, 7};
            npz.add("place", ArrayView.of(ElementType.UINT8, Shape.of(8), MemorySegment.ofArray(places)));
        }

        List<Map<String, Object>> batches = batches(
                folder,
                "source: {shards: {path: rows.npz}}\nsteps: [where: {field: label, " + where
                        + "}, batch: 1, collate: {}]");

        assertThat(PlanRuns.numbers(batches, "place").stream()
                        .map(place -> String.valueOf(labels[place.intValue()]))
                        .collect(Collectors.joining(", ")))
                .isEqualTo(expected);
        assertThatThrownBy(() -> batches(
                        folder,
                        "source: {shards: {path: rows.npz}}\nsteps: [where: {field: label, min: 9007199254740993}]"))
                .hasMessageContaining("'min' must be a number");
    }

    @Test
    void whatIsNotLoadedCannotBeComparedWithWords() throws Exception {
        try (TarWriter tar = TarWriter.create(folder.resolve("t.tar"))) {
            tar.add("a.cls", MemorySegment.ofArray("3".getBytes(StandardCharsets.UTF_8)));
        }
        String source = "source: {shards: {path: t.tar}}\nsteps: [";

        assertThatThrownBy(() -> batches(folder, source + "where: {field: cls, one-of: ['3']}, batch: 1, collate: {}]"))
                .hasStackTraceContaining("'one-of' can't compare the field 'cls'")
                .hasStackTraceContaining("load-number");
        assertThat(batches(
                        folder,
                        source + "load-number: {}, where: {field: label, one-of: ['3']}, batch: 1, collate: {}]"))
                .hasSize(1);
    }

    @Test
    void aFieldThatTheFirstSampleOfABatchLacksIsNotLost() throws Exception {
        Files.writeString(folder.resolve("lines.jsonl"), "{\"a\": 1, \"b\": 2}\n{\"a\": 3, \"b\": 4, \"c\": 5}\n");
        String plan = "source: {shards: {path: lines.jsonl}}\nsteps: [%sbatch: 2, collate: {}]";

        assertThatThrownBy(() -> batches(folder, plan.formatted("")))
                .hasStackTraceContaining("lines.jsonl/1: the field 'c' is not one of [key, a, b]");
        assertThat(batches(folder, plan.formatted("keep: {fields: [a, b]}, "))).hasSize(1);
    }
}
