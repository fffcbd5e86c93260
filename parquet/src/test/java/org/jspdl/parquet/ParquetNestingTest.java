package org.jspdl.parquet;

import static org.apache.parquet.format.FieldRepetitionType.OPTIONAL;
import static org.apache.parquet.format.FieldRepetitionType.REPEATED;
import static org.apache.parquet.format.FieldRepetitionType.REQUIRED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.ListType;
import org.apache.parquet.format.LogicalType;
import org.apache.parquet.format.MapType;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.StringType;
import org.apache.parquet.format.Type;
import org.jspdl.data.shards.ShardFailures;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.data.shards.Shards;
import org.jspdl.input.FormatException;
import org.jspdl.parquet.HandMadeFile.Cell;
import org.jspdl.source.Cursor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Every nesting of columns with nulls at every level: the value, or an error that names column and type.
class ParquetNestingTest extends HandMadeFileTest {
    private static SchemaElement annotated(
            SchemaElement element, @Nullable LogicalType logical, @Nullable ConvertedType converted) {
        if (logical != null) {
            element.setLogicalType(logical);
        }
        if (converted != null) {
            element.setConverted_type(converted);
        }
        return element;
    }

    /// Lists in all the ways that files have them, with nulls and emptiness wherever they may be.
    @Test
    void everyListIsItsElementsOrABrokenSampleThatNamesTheNull() throws Exception {
        List<List<Integer>> lists = Arrays.asList(
                Arrays.asList(1, 2, 3),
                null,
                Arrays.asList(),
                Arrays.asList(7),
                Arrays.asList(1, null, 3),
                Arrays.asList(4, 5),
                Arrays.asList(null, null),
                Arrays.asList((Integer) null),
                Arrays.asList(8, 9, null),
                Arrays.asList(10, 11));
        for (boolean modern : new boolean[] {true, false}) {
            for (FieldRepetitionType outer : List.of(REQUIRED, OPTIONAL)) {
                List<SchemaElement> two =
                        List.of(listGroup(outer, modern), HandMadeFile.leaf("element", REPEATED, Type.INT32));
                assertLists(two, lists, outer == OPTIONAL, false);
                for (FieldRepetitionType inner : List.of(REQUIRED, OPTIONAL)) {
                    List<SchemaElement> three = List.of(
                            listGroup(outer, modern),
                            HandMadeFile.group("list", REPEATED, 1),
                            HandMadeFile.leaf("element", inner, Type.INT32));
                    assertLists(three, lists, outer == OPTIONAL, inner == OPTIONAL);
                }
            }
        }
        assertLists(List.of(HandMadeFile.leaf("x", REPEATED, Type.INT32)), lists, false, false);
    }

    private static SchemaElement listGroup(FieldRepetitionType repetition, boolean modern) {
        return annotated(
                HandMadeFile.group("x", repetition, 1),
                modern ? LogicalType.LIST(new ListType()) : null,
                modern ? null : ConvertedType.LIST);
    }

    private void assertLists(
            List<SchemaElement> elements, List<List<Integer>> lists, boolean nullable, boolean elementsNullable)
            throws Exception {
        List<List<Integer>> rows = lists.stream()
                .filter(list -> list == null ? nullable : elementsNullable || !list.contains(null))
                .toList();
        List<Cell> cells = new ArrayList<>();
        int listDefined = nullable ? 1 : 0;
        int most = listDefined + 1 + (elementsNullable ? 1 : 0);
        for (List<Integer> row : rows) {
            if (row == null || row.isEmpty()) {
                cells.add(new Cell(0, row == null ? 0 : listDefined, null));
                continue;
            }
            for (int i = 0; i < row.size(); i++) {
                cells.add(new Cell(i == 0 ? 0 : 1, row.get(i) == null ? most - 1 : most, row.get(i)));
            }
        }
        Path file = Files.write(
                folder.resolve("lists.parquet"),
                new HandMadeFile(rows.size()).column(elements, cells).bytes());
        Map<Long, String> broken = new HashMap<>();
        Map<Long, List<Integer>> read = new HashMap<>();
        try (Cursor<ShardSample> cursor =
                open(file, ShardFailures.skip(100, each -> broken.put(each.index(), each.reason())))) {
            while (cursor.advance()) {
                try (ShardSample sample = cursor.item()) {
                    read.put(sample.index(), sample.has("x") ? ints(sample.bytes("x")) : null);
                }
            }
        }
        for (int row = 0; row < rows.size(); row++) {
            List<Integer> wanted = rows.get(row);
            if (wanted != null && wanted.contains(null)) {
                assertThat(read).doesNotContainKey((long) row);
                assertThat(broken.get((long) row))
                        .contains("the list in the column 'x' has a null as its element " + wanted.indexOf(null));
            } else {
                assertThat(broken).doesNotContainKey((long) row);
                assertThat(read).containsKey((long) row);
                assertThat(read.get((long) row))
                        .as("row %d of %s", row, elements)
                        .isEqualTo(wanted);
            }
        }
        assertThat(pool.outstanding()).isZero();
    }

    private static List<Integer> ints(MemorySegment bytes) {
        List<Integer> ints = new ArrayList<>();
        for (long at = 0; at < bytes.byteSize(); at += 4) {
            ints.add(bytes.get(ValueLayout.JAVA_INT_UNALIGNED, at));
        }
        return ints;
    }

    /// The names of lists and maps have no parts for what only makes them, also as older programs wrote them.
    @Test
    void everyLeafIsCalledByTheStructuresAroundIt() throws Exception {
        SchemaElement number = HandMadeFile.leaf("element", OPTIONAL, Type.INT32);
        SchemaElement wrapper = HandMadeFile.group("list", REPEATED, 1);
        SchemaElement structure = HandMadeFile.group("x", OPTIONAL, 1);
        SchemaElement inner =
                annotated(HandMadeFile.group("element", OPTIONAL, 1), LogicalType.LIST(new ListType()), null);
        Map<List<SchemaElement>, String> named = new LinkedHashMap<>();
        named.put(List.of(structure, number), "x.element INT32");
        named.put(List.of(HandMadeFile.group("x", REPEATED, 1), number), "x.element list of INT32");
        named.put(List.of(structure, wrapper, number), "x.list.element list of INT32");
        named.put(List.of(listGroup(OPTIONAL, true), wrapper, number), "x list of INT32");
        named.put(List.of(listGroup(OPTIONAL, false), wrapper, number), "x list of INT32");
        named.put(
                List.of(listGroup(OPTIONAL, true), HandMadeFile.group("array", REPEATED, 1), number),
                "x.element list of INT32");
        named.put(
                List.of(listGroup(OPTIONAL, true), HandMadeFile.group("x_tuple", REPEATED, 1), number),
                "x.element list of INT32");
        named.put(
                List.of(listGroup(OPTIONAL, true), wrapper, HandMadeFile.group("element", OPTIONAL, 1), number),
                "x.element list of INT32");
        named.put(List.of(listGroup(OPTIONAL, true), wrapper, inner, wrapper, number), "x list of lists of INT32");
        named.put(
                List.of(listGroup(OPTIONAL, true), wrapper, HandMadeFile.leaf("element", REPEATED, Type.INT32)),
                "x.element list of lists of INT32");
        for (ConvertedType map : List.of(ConvertedType.MAP, ConvertedType.MAP_KEY_VALUE)) {
            named.put(
                    List.of(
                            annotated(HandMadeFile.group("x", OPTIONAL, 1), null, map),
                            HandMadeFile.group("map", REPEATED, 1),
                            HandMadeFile.leaf("key", REQUIRED, Type.INT32)),
                    "x.key list of INT32");
        }
        for (Map.Entry<List<SchemaElement>, String> each : named.entrySet()) {
            Path file = Files.write(
                    folder.resolve("nested.parquet"),
                    new HandMadeFile(1)
                            .column(each.getKey(), List.of(new Cell(0, 0, null)))
                            .bytes());
            var field = Shards.inspect(storage, file.toString(), pool).fields().getFirst();
            assertThat(field.name() + " " + field.kind()).isEqualTo(each.getValue());
        }
    }
}
