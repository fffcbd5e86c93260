package org.jspdl.parquet;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.ColumnOrder;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Statistics;
import org.apache.parquet.format.Type;
import org.apache.parquet.format.TypeDefinedOrder;
import org.apache.parquet.format.Util;
import org.jspecify.annotations.Nullable;

/// Parquet files made by hand, byte by byte: columns of one leaf, in plain encoding, each one page.
final class HandMadeFile {
    private final List<SchemaElement> schema = new ArrayList<>(List.of(group("row", null, 0)));
    private final List<ColumnChunk> chunks = new ArrayList<>();
    private final ByteArrayOutputStream file = new ByteArrayOutputStream();
    private final List<ColumnOrder> orders = new ArrayList<>();
    private final int rows;

    /// A value of a leaf and its levels; the value is null where there is none.
    record Cell(int repetition, int definition, @Nullable Object value) {}

    HandMadeFile(int rows) {
        this.rows = rows;
        file.writeBytes("PAR1".getBytes(StandardCharsets.US_ASCII));
    }

    static SchemaElement group(String name, @Nullable FieldRepetitionType repetition, int children) {
        SchemaElement element = new SchemaElement(name);
        element.setNum_children(children);
        if (repetition != null) {
            element.setRepetition_type(repetition);
        }
        return element;
    }

    static SchemaElement leaf(String name, FieldRepetitionType repetition, Type type) {
        SchemaElement element = new SchemaElement(name);
        element.setRepetition_type(repetition);
        element.setType(type);
        return element;
    }

    /// Adds a column; the last of `elements` is its leaf.
    HandMadeFile column(List<SchemaElement> elements, List<Cell> cells) throws IOException {
        return column(elements, cells, CompressionCodec.UNCOMPRESSED);
    }

    /// @param codec none, or gzip
    HandMadeFile column(List<SchemaElement> elements, List<Cell> cells, CompressionCodec codec) throws IOException {
        schema.addAll(elements);
        schema.getFirst().setNum_children(schema.getFirst().getNum_children() + 1);
        int mostRepetition = 0;
        int mostDefinition = 0;
        List<String> path = new ArrayList<>();
        for (SchemaElement element : elements) {
            path.add(element.getName());
            mostRepetition += element.getRepetition_type() == FieldRepetitionType.REPEATED ? 1 : 0;
            mostDefinition += element.getRepetition_type() == FieldRepetitionType.REQUIRED ? 0 : 1;
        }
        Type type = elements.getLast().getType();
        ByteArrayOutputStream page = new ByteArrayOutputStream();
        levels(page, mostRepetition, cells.stream().map(Cell::repetition).toList());
        levels(page, mostDefinition, cells.stream().map(Cell::definition).toList());
        values(
                page,
                type,
                cells.stream().map(Cell::value).filter(value -> value != null).toList());
        byte[] content = page.toByteArray();
        if (codec == CompressionCodec.GZIP) {
            ByteArrayOutputStream compressed = new ByteArrayOutputStream();
            try (GZIPOutputStream out = new GZIPOutputStream(compressed)) {
                out.write(content);
            }
            content = compressed.toByteArray();
        }
        long begin = file.size();
        PageHeader header = new PageHeader(PageType.DATA_PAGE, page.size(), content.length);
        header.setData_page_header(new DataPageHeader(cells.size(), Encoding.PLAIN, Encoding.RLE, Encoding.RLE));
        Util.writePageHeader(header, file);
        file.write(content);
        long size = file.size() - begin;
        ColumnChunk chunk = new ColumnChunk(begin);
        chunk.setMeta_data(
                new ColumnMetaData(type, List.of(Encoding.PLAIN), path, codec, cells.size(), size, size, begin));
        chunks.add(chunk);
        return this;
    }

    /// Gives the column that was added last statistics, true or not.
    ///
    /// @param ordered whether the footer says that they are by the order of the type; of all columns or of none
    HandMadeFile statistics(Statistics statistics, boolean ordered) {
        chunks.getLast().getMeta_data().setStatistics(statistics);
        if (ordered) {
            orders.add(ColumnOrder.TYPE_ORDER(new TypeDefinedOrder()));
        }
        return this;
    }

    /// Runs of one level each.
    private static void levels(ByteArrayOutputStream page, int most, List<Integer> levels) {
        if (most == 0) {
            return;
        }
        ByteBuffer runs = ByteBuffer.allocate(4 + 2 * levels.size()).order(ByteOrder.LITTLE_ENDIAN);
        runs.putInt(2 * levels.size());
        levels.forEach(level -> runs.put((byte) 2).put(level.byteValue()));
        page.writeBytes(runs.array());
    }

    private static void values(ByteArrayOutputStream page, Type type, List<Object> values) {
        int room = (1 << 16)
                + values.stream()
                        .mapToInt(value -> value instanceof byte[] bytes ? bytes.length : 0)
                        .sum();
        ByteBuffer plain = ByteBuffer.allocate(room).order(ByteOrder.LITTLE_ENDIAN);
        int bit = 0;
        for (Object value : values) {
            switch (type) {
                case BOOLEAN -> {
                    plain.put(bit / 8, (byte) (plain.get(bit / 8) | ((boolean) value ? 1 << (bit % 8) : 0)));
                    plain.position(++bit / 8 + (bit % 8 == 0 ? 0 : 1));
                }
                case INT32 -> plain.putInt((int) value);
                case INT64 -> plain.putLong((long) value);
                case FLOAT -> plain.putFloat((float) value);
                case DOUBLE -> plain.putDouble((double) value);
                case BYTE_ARRAY -> plain.putInt(((byte[]) value).length).put((byte[]) value);
                case FIXED_LEN_BYTE_ARRAY, INT96 -> plain.put((byte[]) value);
            }
        }
        page.write(plain.array(), 0, plain.position());
    }

    byte[] bytes() throws IOException {
        int before = file.size();
        RowGroup group = new RowGroup(chunks, before, rows);
        FileMetaData footer = new FileMetaData(1, schema, rows, List.of(group));
        if (!orders.isEmpty()) {
            footer.setColumn_orders(orders);
        }
        Util.writeFileMetaData(footer, file);
        int length = file.size() - before;
        file.writeBytes(ByteBuffer.allocate(4)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(length)
                .array());
        file.writeBytes("PAR1".getBytes(StandardCharsets.US_ASCII));
        return file.toByteArray();
    }
}
