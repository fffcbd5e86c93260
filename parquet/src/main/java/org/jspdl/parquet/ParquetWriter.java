package org.jspdl.parquet;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.KeyValue;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Type;
import org.apache.parquet.format.Util;
import org.jspdl.data.shards.pack.PackedField;
import org.jspdl.data.shards.pack.PackedRows;
import org.jspdl.input.FormatException;
import org.jspdl.memory.SegmentBuffers;

/// Writes one Parquet file of optional columns: pages of version 1, plain values, no compression (the specification of
/// Apache Parquet's format, version 2.10). One thread.
final class ParquetWriter {
    private static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);
    private static final long GROUP_BYTES = 64L << 20;
    private static final long PAGE_BYTES = 1L << 20;
    private static final int PAGE_ROWS = 20_000;

    private final FileChannel file;
    private final List<WrittenColumn> columns;
    private final List<RowGroup> groups = new ArrayList<>();
    private long rowsWritten;
    private long at;

    /// @param columns those of one structure one behind the other, as names in their order are
    ParquetWriter(FileChannel file, List<WrittenColumn> columns) {
        this.file = file;
        this.columns = List.copyOf(columns);
    }

    void write(PackedRows rows) throws IOException {
        append(MemorySegment.ofArray(MAGIC));
        for (int begin = 0; begin < rows.size(); ) {
            int end = begin;
            for (long bytes = 0; end < rows.size() && bytes < GROUP_BYTES; end++) {
                bytes += rows.row(end).stream().mapToLong(PackedField::byteSize).sum();
            }
            groups.add(group(rows, begin, end));
            begin = end;
        }
    }

    private void append(MemorySegment bytes) throws IOException {
        SegmentBuffers.write(file, at, bytes);
        at += bytes.byteSize();
    }

    private RowGroup group(PackedRows rows, int begin, int end) throws IOException {
        List<ColumnChunk> chunks = new ArrayList<>();
        long bytes = 0;
        for (WrittenColumn column : columns) {
            ColumnChunk chunk = chunk(rows, column, begin, end);
            chunks.add(chunk);
            bytes += chunk.getMeta_data().getTotal_uncompressed_size();
        }
        rowsWritten += end - begin;
        return new RowGroup(chunks, bytes, end - begin);
    }

    private ColumnChunk chunk(PackedRows rows, WrittenColumn column, int begin, int end) throws IOException {
        long from = at;
        for (int first = begin; first < end; ) {
            int last = first;
            List<Optional<PackedField>> cells = new ArrayList<>();
            for (long bytes = 0; last < end && last - first < PAGE_ROWS && bytes < PAGE_BYTES; last++) {
                Optional<PackedField> cell = cell(rows.row(last), column);
                bytes += cell.map(PackedField::byteSize).orElse(0L);
                cells.add(cell);
            }
            page(rows, column, cells, first);
            first = last;
        }
        ColumnMetaData meta = new ColumnMetaData(
                column.type(),
                List.of(Encoding.PLAIN, Encoding.RLE),
                column.path(),
                CompressionCodec.UNCOMPRESSED,
                end - begin,
                at - from,
                at - from,
                from);
        ColumnChunk chunk = new ColumnChunk(from);
        chunk.setMeta_data(meta);
        return chunk;
    }

    private static Optional<PackedField> cell(List<PackedField> row, WrittenColumn column) {
        return row.stream().filter(field -> field.name().equals(column.name())).findFirst();
    }

    private void page(PackedRows rows, WrittenColumn column, List<Optional<PackedField>> cells, int first)
            throws IOException {
        byte[] levels = levels(rows, column, cells, first);
        boolean sized = column.type() == Type.BYTE_ARRAY;
        long size = levels.length;
        for (Optional<PackedField> cell : cells) {
            size += cell.map(field -> field.byteSize() + (sized ? Integer.BYTES : 0))
                    .orElse(0L);
        }
        if (size > Integer.MAX_VALUE) {
            throw FormatException.because("Parquet: a value of the column '" + column.name() + "' has more than 2 GiB");
        }
        PageHeader header = new PageHeader(PageType.DATA_PAGE, (int) size, (int) size);
        header.setData_page_header(new DataPageHeader(cells.size(), Encoding.PLAIN, Encoding.RLE, Encoding.RLE));
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        Util.writePageHeader(header, head);
        head.writeBytes(levels);
        append(MemorySegment.ofArray(head.toByteArray()));
        for (Optional<PackedField> cell : cells) {
            if (cell.isPresent()) {
                if (sized) {
                    append(little((int) cell.get().byteSize()));
                }
                append(rows.value(cell.get()));
            }
        }
    }

    private static MemorySegment little(int number) {
        return MemorySegment.ofArray(ByteBuffer.allocate(Integer.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(number)
                .array());
    }

    /// For each row how much of the way to its value is there: runs of equal levels, and their length before them.
    private byte[] levels(PackedRows rows, WrittenColumn column, List<Optional<PackedField>> cells, int first) {
        ByteArrayOutputStream runs = new ByteArrayOutputStream();
        for (int i = 0; i < cells.size(); ) {
            int level = level(rows, column, cells.get(i), first + i);
            int end = i + 1;
            while (end < cells.size() && level(rows, column, cells.get(end), first + end) == level) {
                end++;
            }
            for (int header = (end - i) << 1; ; header >>>= 7) {
                runs.write(header < 128 ? header : (header & 127) | 128);
                if (header < 128) {
                    break;
                }
            }
            runs.write(level);
            i = end;
        }
        ByteBuffer all = ByteBuffer.allocate(Integer.BYTES + runs.size()).order(ByteOrder.LITTLE_ENDIAN);
        return all.putInt(runs.size()).put(runs.toByteArray()).array();
    }

    private static int level(PackedRows rows, WrittenColumn column, Optional<PackedField> cell, int row) {
        if (cell.isPresent()) {
            return column.levels();
        }
        boolean inStructure = !column.structure().isEmpty()
                && rows.row(row).stream().anyMatch(field -> field.name().startsWith(column.structure() + "."));
        return inStructure ? 1 : 0;
    }

    /// Writes the footer.
    ///
    /// @param key   of what is said of the columns
    /// @param value empty to say nothing
    void finish(String key, String value) throws IOException {
        FileMetaData data = new FileMetaData(1, schema(), rowsWritten, groups);
        data.setCreated_by("jspdl");
        if (!value.isEmpty()) {
            KeyValue about = new KeyValue(key);
            about.setValue(value);
            data.setKey_value_metadata(List.of(about));
        }
        ByteArrayOutputStream footer = new ByteArrayOutputStream();
        Util.writeFileMetaData(data, footer);
        append(MemorySegment.ofArray(footer.toByteArray()));
        append(little(footer.size()));
        append(MemorySegment.ofArray(MAGIC));
    }

    private List<SchemaElement> schema() {
        Map<String, List<WrittenColumn>> top = new LinkedHashMap<>();
        for (WrittenColumn column : columns) {
            List<WrittenColumn> parts = top.computeIfAbsent(column.path().getFirst(), _ -> new ArrayList<>());
            parts.add(column);
            if (parts.size() > 1
                    && parts.stream().anyMatch(part -> part.structure().isEmpty())) {
                throw FormatException.because(
                        "Parquet: '" + column.path().getFirst() + "' would be a column and a structure: "
                                + columns.stream().map(WrittenColumn::name).toList());
            }
        }
        List<SchemaElement> schema = new ArrayList<>();
        SchemaElement root = new SchemaElement("schema");
        root.setNum_children(top.size());
        schema.add(root);
        top.forEach((name, parts) -> {
            if (!parts.getFirst().structure().isEmpty()) {
                SchemaElement structure = new SchemaElement(name);
                structure.setRepetition_type(FieldRepetitionType.OPTIONAL);
                structure.setNum_children(parts.size());
                schema.add(structure);
            }
            parts.forEach(part -> schema.add(part.element()));
        });
        return schema;
    }
}
