package org.jspdl.parquet;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.column.impl.ColumnReadStoreImpl;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.io.api.Converter;
import org.apache.parquet.io.api.GroupConverter;
import org.apache.parquet.io.api.PrimitiveConverter;
import org.apache.parquet.schema.GroupType;
import org.jspdl.data.shards.ShardFile;
import org.jspdl.data.shards.ShardOptions;
import org.jspdl.data.storage.StoredObject;
import org.jspdl.input.FormatException;
import org.jspdl.memory.Lease;

/// The wanted columns of one row group, in memory, with a reader of values for each.
final class RowGroupReader implements AutoCloseable {
    private final List<Lease> chunks = new ArrayList<>();
    private final List<ColumnReader> readers = new ArrayList<>();
    private final List<Long> values = new ArrayList<>();

    private RowGroupReader() {}

    /// Transfers the columns, each in one read and nothing between them.
    static RowGroupReader open(StoredObject object, RowGroup group, List<WantedColumn> columns, ShardFile file)
            throws IOException {
        RowGroupReader reader = new RowGroupReader();
        boolean verified = file.options().checksums() == ShardOptions.Checksums.VERIFIED;
        PageBudget budget = new PageBudget(file.options());
        try {
            for (WantedColumn wanted : columns) {
                ParquetColumn column = wanted.column();
                ColumnMetaData data = metaData(group, column);
                check(data, group, column);
                long start = data.isSetDictionary_page_offset() && data.getDictionary_page_offset() > 0
                        ? Math.min(data.getDictionary_page_offset(), data.getData_page_offset())
                        : data.getData_page_offset();
                long length = data.getTotal_compressed_size();
                if (start < 0 || length < 0 || length > object.size() - start) {
                    throw FormatException.at(
                            start,
                            String.format(
                                    "Parquet: the column '%s' claims %,d bytes, but the file of %,d ends before",
                                    column.name(), length, object.size()));
                }
                Lease chunk = object.read(start, length, file.pool());
                reader.chunks.add(chunk);
                reader.values.add(data.getNum_values());
                ColumnPages pages =
                        new ColumnPages(chunk.segment(), data, column.leaf(), group.getNum_rows(), verified, budget);
                reader.readers.add(new ColumnReadStoreImpl(pages, new Unused(column.schema()), column.schema(), "")
                        .getColumnReader(column.leaf()));
            }
            return reader;
        } catch (Throwable failure) {
            reader.close();
            throw failure;
        }
    }

    static ColumnMetaData metaData(RowGroup group, ParquetColumn column) {
        List<String> path = List.of(column.leaf().getPath());
        for (ColumnChunk chunk : group.getColumns()) {
            ColumnMetaData data = chunk.getMeta_data();
            if (data != null && data.getPath_in_schema().equals(path)) {
                if (chunk.isSetFile_path() && !chunk.getFile_path().isEmpty()) {
                    throw FormatException.because("Parquet: the column '" + column.name() + "' lies in another file, '"
                            + chunk.getFile_path() + "', which is not supported");
                }
                return data;
            }
        }
        throw FormatException.because("Parquet: a row group lacks the column '" + column.name() + "'");
    }

    private static void check(ColumnMetaData data, RowGroup group, ParquetColumn column) {
        String expected =
                column.leaf().getPrimitiveType().getPrimitiveTypeName().name();
        String found = String.valueOf(data.getType());
        if (!(found.equals("BYTE_ARRAY") ? "BINARY" : found).equals(expected)) {
            throw FormatException.because(
                    "Parquet: the column '" + column.name() + "' holds " + found + ", but the schema says " + expected);
        }
        boolean fits = column.isList()
                ? data.getNum_values() >= group.getNum_rows()
                : data.getNum_values() == group.getNum_rows();
        if (!fits) {
            throw FormatException.because(String.format(
                    "Parquet: the column '%s' has %,d values in a group of %,d rows",
                    column.name(), data.getNum_values(), group.getNum_rows()));
        }
    }

    /// The reader of the column with this number among the wanted ones.
    ColumnReader reader(int column) {
        return readers.get(column);
    }

    /// How many values that column has, nulls and empty lists among them.
    long values(int column) {
        return values.get(column);
    }

    @Override
    public void close() {
        chunks.forEach(Lease::close);
    }

    /// The tree of converters that a store of columns insists on; values are taken from the readers instead.
    private static final class Unused extends GroupConverter {
        private final GroupType type;

        Unused(GroupType type) {
            this.type = type;
        }

        @Override
        public Converter getConverter(int field) {
            return type.getType(field).isPrimitive()
                    ? new PrimitiveConverter() {}
                    : new Unused(type.getType(field).asGroupType());
        }

        @Override
        public void start() {}

        @Override
        public void end() {}
    }
}
