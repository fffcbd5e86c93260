package org.jspdl.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jspdl.parquet.HandMadeFile.leaf;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Statistics;
import org.apache.parquet.format.Type;
import org.jspdl.data.shards.ShardOptions;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.data.shards.Shards;
import org.jspdl.data.shards.filter.RowFilter;
import org.jspdl.parquet.HandMadeFile.Cell;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.junit.jupiter.api.Test;

/// Statistics that say nothing sure rule out no rows: those of old writers, and those that make no sense.
class UntrustedStatisticsTest extends HandMadeFileTest {
    private static byte[] number(int value) {
        return ByteBuffer.allocate(4)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(value)
                .array();
    }

    private static byte[] text(String value) {
        return value.getBytes(StandardCharsets.UTF_8);
    }

    private static SchemaElement element(Type type, ConvertedType converted) {
        SchemaElement element = leaf("v", FieldRepetitionType.REQUIRED, type);
        element.setConverted_type(converted);
        return element;
    }

    private static Statistics old(byte[] min, byte[] max) {
        Statistics statistics = new Statistics();
        statistics.setMin(min);
        statistics.setMax(max);
        return statistics;
    }

    private static Statistics of(byte[] min, byte[] max) {
        Statistics statistics = new Statistics();
        statistics.setMin_value(min);
        statistics.setMax_value(max);
        return statistics;
    }

    /// How many of some values of one column a filter leaves.
    private int left(SchemaElement element, List<?> values, Statistics statistics, boolean ordered, String filter)
            throws Exception {
        List<Cell> cells = new ArrayList<>();
        values.forEach(value -> cells.add(new Cell(0, 0, value)));
        Path file = Files.write(
                folder.resolve("made.parquet"),
                new HandMadeFile(values.size())
                        .column(List.of(element), cells)
                        .statistics(statistics, ordered)
                        .bytes());
        int rows = 0;
        ShardOptions options = ShardOptions.defaults().where(RowFilter.parse(filter));
        try (Cursor<ShardSample> cursor =
                Shards.shard(storage, file.toString(), options, pool).open(0, Position.START)) {
            for (; cursor.advance(); rows++) {
                cursor.item().close();
            }
        }
        return rows;
    }

    @Test
    void thoseInTheSignedOrderOfOldWritersRuleOutNothing() throws Exception {
        SchemaElement unsigned = element(Type.INT32, ConvertedType.UINT_32);
        List<Integer> values = List.of(1, -1); // which is 4,294,967,295
        assertThat(left(unsigned, values, old(number(-1), number(1)), true, "v > 7"))
                .isEqualTo(1);

        SchemaElement utf8 = element(Type.BYTE_ARRAY, ConvertedType.UTF8);
        List<byte[]> texts = List.of(text("a"), text("ü"));
        assertThat(left(utf8, texts, old(text("ü"), text("a")), true, "v > 'b'"))
                .isEqualTo(1);
    }

    @Test
    void thoseWithoutAnOrderInTheFooterRuleOutNothing() throws Exception {
        SchemaElement unsigned = element(Type.INT32, ConvertedType.UINT_32);
        Statistics signed = of(number(1), number(1)); // a writer that passes over what is negative to it
        assertThat(left(unsigned, List.of(1, -1), signed, false, "v > 7")).isEqualTo(1);
        assertThat(left(unsigned, List.of(1, -1), signed, true, "v > 7"))
                .as("trusted")
                .isZero();
    }

    @Test
    void thoseOfAnotherSizeOrTheWrongWayRoundRuleOutNothing() throws Exception {
        SchemaElement signed = element(Type.INT32, ConvertedType.INT_32);
        List<Integer> values = List.of(5, 6);
        for (Statistics wrong : List.of(
                of(new byte[1], new byte[1]), of(number(9), number(1)), of(new byte[0], number(1)), new Statistics())) {
            assertThat(left(signed, values, wrong, true, "v = 5")).isEqualTo(1);
        }
        SchemaElement tiny = element(Type.INT32, ConvertedType.UINT_8);
        assertThat(left(tiny, List.of(0, 255, 256), of(number(0), number(256)), true, "v = 255"))
                .as("256 is 0 in 8 bits")
                .isEqualTo(1);
    }

    @Test
    void aNanAmongTheBoundsRulesOutNothing() throws Exception {
        SchemaElement floats = leaf("v", FieldRepetitionType.REQUIRED, Type.FLOAT);
        byte[] nan = number(Float.floatToRawIntBits(Float.NaN));
        List<Float> values = List.of(1f, Float.NaN, 2f);
        byte[] one = number(Float.floatToRawIntBits(1f));
        assertThat(left(floats, values, of(nan, nan), true, "v = 2")).isEqualTo(1);
        assertThat(left(floats, values, of(one, nan), true, "v > 1")).isEqualTo(1);
        assertThat(left(floats, List.of(1f, Float.NaN), of(one, one), true, "v != 1"))
                .as("NaN, which bounds leave out")
                .isEqualTo(1);
        assertThat(left(floats, List.of(1f, Float.NaN), of(one, one), true, "not v >= 1"))
                .isEqualTo(1);
    }

    @Test
    void textsThatWereCutOffStillBoundTheValues() throws Exception {
        SchemaElement utf8 = element(Type.BYTE_ARRAY, ConvertedType.UTF8);
        List<byte[]> texts = Stream.of("apple pie", "banana split")
                .map(UntrustedStatisticsTest::text)
                .toList();
        Statistics cut = of(text("app"), text("bao")); // as writers do: the last character is one more

        assertThat(left(utf8, texts, cut, true, "v = 'banana split'")).isEqualTo(1);
        assertThat(left(utf8, texts, cut, true, "v != 'app'")).isEqualTo(2);
        assertThat(left(utf8, texts, cut, true, "v >= 'bao'")).isZero();
    }

    @Test
    void aGroupWithoutAValueHasNoRowOfWhichAComparisonIsTrueOrFalse() throws Exception {
        SchemaElement optional = leaf("v", FieldRepetitionType.OPTIONAL, Type.INT32);
        Statistics nulls = new Statistics();
        nulls.setNull_count(2);
        Path file = Files.write(
                folder.resolve("nulls.parquet"),
                new HandMadeFile(2)
                        .column(List.of(optional), List.of(new Cell(0, 0, null), new Cell(0, 0, null)))
                        .statistics(nulls, true)
                        .bytes());
        for (String filter : List.of("v = 1", "not v = 1", "v is not null")) {
            ShardOptions options = ShardOptions.defaults().where(RowFilter.parse(filter));
            try (Cursor<ShardSample> cursor =
                    Shards.shard(storage, file.toString(), options, pool).open(0, Position.START)) {
                assertThat(cursor.advance()).as(filter).isFalse();
            }
        }
    }

    @Test
    void inspectingNamesTheColumnsWhoseStatisticsAFilterUses() throws Exception {
        for (boolean ordered : new boolean[] {true, false}) {
            Path file = Files.write(
                    folder.resolve("inspected.parquet"),
                    new HandMadeFile(1)
                            .column(
                                    List.of(leaf("v", FieldRepetitionType.REQUIRED, Type.INT32)),
                                    List.of(new Cell(0, 0, 5)))
                            .statistics(of(number(5), number(5)), ordered)
                            .column(
                                    List.of(leaf("w", FieldRepetitionType.REQUIRED, Type.INT32)),
                                    List.of(new Cell(0, 0, 5)))
                            .statistics(new Statistics(), ordered)
                            .bytes());
            assertThat(Shards.inspect(storage, file.toString(), pool).traits())
                    .containsEntry("statistics for filters", ordered ? "v" : "none");
        }
    }
}
