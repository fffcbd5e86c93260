package org.jspdl.parquet;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.parquet.format.ColumnOrder;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.KeyValue;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.Util;
import org.jspdl.data.shards.ShardFile;
import org.jspdl.data.shards.ShardSchema;
import org.jspdl.data.storage.StoredObject;
import org.jspdl.input.FormatException;

/// What stands at the end of a Parquet file: its columns, and where the parts of its row groups lie.
///
/// @param columns   the leaves of the schema, in order
/// @param rowGroups as the file has them
/// @param rows      of all groups
/// @param schema    what the columns mean
/// @param ordered   the names of the columns whose least and greatest values are by the order of their type
record ParquetFooter(
        List<ParquetColumn> columns, List<RowGroup> rowGroups, long rows, ShardSchema schema, Set<String> ordered) {
    /// Of a file that could not be read.
    static final ParquetFooter EMPTY = new ParquetFooter(List.of(), List.of(), 0, ShardSchema.UNKNOWN, Set.of());

    private static final int TAIL = 8;
    private static final int MAGIC = 0x31524150; // PAR1
    private static final int ENCRYPTED = 0x45524150; // PARE
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /// Reads the last bytes, then the footer, and no more.
    static ParquetFooter read(ShardFile file) throws IOException {
        try (StoredObject object = file.object()) {
            long size = object.size();
            if (size < 2 * TAIL) {
                throw FormatException.because("Parquet: the file has only " + size + " bytes");
            }
            MemorySegment tail = MemorySegment.ofArray(new byte[TAIL]);
            object.read(size - TAIL, tail);
            int magic = tail.get(INT, 4);
            long length = tail.get(INT, 0) & 0xFFFF_FFFFL;
            if (magic != MAGIC) {
                throw FormatException.because(
                        magic == ENCRYPTED
                                ? "Parquet: the file is encrypted, which is not supported"
                                : "Parquet: the file does not end with PAR1: no Parquet file, or a truncated one");
            }
            if (length > size - 3 * 4 || length > Integer.MAX_VALUE - 64) {
                throw FormatException.because(
                        String.format("Parquet: the footer claims %,d bytes of a file of %,d", length, size));
            }
            file.options().within(0, length, "the footer of Parquet");
            byte[] bytes = Decompression.room((int) length);
            object.read(size - TAIL - length, MemorySegment.ofArray(bytes));
            return parse(file, bytes);
        }
    }

    private static ParquetFooter parse(ShardFile file, byte[] bytes) throws IOException {
        FileMetaData data;
        try {
            data = Util.readFileMetaData(new ByteArrayInputStream(bytes));
        } catch (IOException | RuntimeException damaged) {
            throw FormatException.because("Parquet: the footer is damaged: " + damaged.getMessage());
        } catch (OutOfMemoryError tooLarge) { // a list of a size that the file claims, which was not made
            throw FormatException.because(
                    "Parquet: the footer claims more than the heap has room for: it is damaged, or -Xmx is too small");
        }
        long rows = 0;
        for (RowGroup group : data.getRow_groups()) {
            if (group.getNum_rows() < 0) {
                throw FormatException.because("Parquet: a row group claims " + group.getNum_rows() + " rows");
            }
            if (group.getNum_rows() > Long.MAX_VALUE - rows) {
                throw FormatException.because("Parquet: the row groups claim more rows than can be counted");
            }
            rows += group.getNum_rows();
        }
        String features = features(data);
        file.classes().told(features);
        List<ParquetColumn> columns = SchemaWalk.columns(data.getSchema());
        List<String> names = columns.stream().map(ParquetColumn::name).toList();
        return new ParquetFooter(
                columns,
                List.copyOf(data.getRow_groups()),
                rows,
                ShardSchema.of(names, features),
                ordered(data, names));
    }

    /// Without an order that the footer names, or with one that is newer than this program, what the format calls
    /// the least value of a column is undefined.
    private static Set<String> ordered(FileMetaData data, List<String> names) {
        Set<String> ordered = new HashSet<>();
        List<ColumnOrder> orders = data.getColumn_orders();
        if (orders != null && orders.size() == names.size()) {
            for (int i = 0; i < names.size(); i++) {
                if (orders.get(i).isSetTYPE_ORDER()) {
                    ordered.add(names.get(i));
                }
            }
        }
        return Set.copyOf(ordered);
    }

    /// What Hugging Face's library says of the columns; empty if the file is not of it.
    private static String features(FileMetaData data) {
        if (data.isSetKey_value_metadata()) {
            for (KeyValue each : data.getKey_value_metadata()) {
                if (ShardSchema.HUGGING_FACE.equals(each.getKey()) && each.getValue() != null) {
                    return each.getValue();
                }
            }
        }
        return "";
    }
}
