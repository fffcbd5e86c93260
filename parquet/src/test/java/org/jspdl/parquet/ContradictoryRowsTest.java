package org.jspdl.parquet;

import static org.apache.parquet.format.FieldRepetitionType.REPEATED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.Type;
import org.jspdl.data.shards.ShardFailures;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.input.FormatException;
import org.jspdl.parquet.HandMadeFile.Cell;
import org.jspdl.source.Cursor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Files whose columns have other rows than their groups: no value is given twice, or left out, without an error.
class ContradictoryRowsTest extends HandMadeFileTest {
    /// Rows of [1, 2], [3] and [].
    private static final List<Cell> THREE =
            List.of(new Cell(0, 1, 1), new Cell(1, 1, 2), new Cell(0, 1, 3), new Cell(0, 0, null));

    private int rows(int claimed) throws Exception {
        Path file = Files.write(
                folder.resolve("rows.parquet"),
                new HandMadeFile(claimed)
                        .column(List.of(HandMadeFile.leaf("x", REPEATED, Type.INT32)), THREE)
                        .bytes());
        int rows = 0;
        try (Cursor<ShardSample> cursor = open(file, ShardFailures.fail())) {
            while (cursor.advance()) {
                cursor.item().close();
                rows++;
            }
        }
        return rows;
    }

    @Test
    void listsOfOtherRowsThanTheirGroupHasAreRefused() throws Exception {
        assertThat(rows(3)).isEqualTo(3);
        assertThatThrownBy(() -> rows(4))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("the column 'x' has values of fewer rows than its group");
        assertThatThrownBy(() -> rows(2))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("the column 'x' has 1 values behind the last row of its group");
        assertThat(pool.outstanding()).isZero();
    }

    /// What some writers make of the values of a page that has none.
    @ParameterizedTest
    @EnumSource(
            value = CompressionCodec.class,
            names = {"UNCOMPRESSED", "SNAPPY", "GZIP", "ZSTD", "LZ4_RAW"})
    void nothingIsDecompressedOfAPageOfNulls(CompressionCodec codec) {
        assertThat(Decompression.of(MemorySegment.ofArray(new byte[0]), 0, codec))
                .isEmpty();
    }
}
