package org.jspdl.spark;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspdl.array.ArrayView;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.input.FormatException;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;

/// Rows as samples: `_index` is a sample's number in the whole dataset, `key` what it is called where samples have
/// names, and all other columns are its fields, in their order. What is null is no field.
///
/// @param columns of the rows
/// @param named   whether samples have names: in tar files alone
record RowSamples(StructType columns, boolean named) {

    /// @throws IllegalArgumentException if rows of these columns can't be written so; the message says why
    void check() {
        List<String> names = List.of(columns.fieldNames());
        if (named && !names.contains(Layout.KEY) && !names.contains(DatasetTable.INDEX)) {
            throw new IllegalArgumentException("the samples of a WebDataset have names: the table needs a column key"
                    + " (text), or _index (a bigint, different for each row), but it has " + names);
        }
        if (named) {
            require(Layout.KEY, StringType.class, "string");
        }
        require(DatasetTable.INDEX, LongType.class, "bigint");
        int fields = 0;
        for (StructField column : columns.fields()) {
            if (!isName(column)) {
                fields++;
                field(column);
            }
        }
        if (fields == 0) {
            throw new IllegalArgumentException("samples need a field, but the table has only " + names);
        }
    }

    private void require(String name, Class<? extends DataType> type, String shown) {
        for (StructField column : columns.fields()) {
            if (column.name().equals(name) && !type.isInstance(column.dataType())) {
                throw new IllegalArgumentException("the column " + name + " must be " + shown + " but is "
                        + column.dataType().simpleString());
            }
        }
    }

    private boolean isName(StructField column) {
        return column.name().equals(DatasetTable.INDEX)
                || (named && column.name().equals(Layout.KEY));
    }

    /// Adds a value of a row to a sample.
    @FunctionalInterface
    private interface Field {
        void add(ShardSample sample, InternalRow row, int column);
    }

    private static Field field(StructField column) {
        String name = column.name();
        return switch (column.dataType()) {
            case BinaryType _ -> (sample, row, i) -> sample.with(name, MemorySegment.ofArray(row.getBinary(i)));
            case StringType _ ->
                (sample, row, i) -> sample.with(
                        name, MemorySegment.ofArray(row.getUTF8String(i).getBytes()));
            case BooleanType _ -> (sample, row, i) -> number(sample, name, ElementType.BOOL, row.getBoolean(i) ? 1 : 0);
            case ByteType _ -> (sample, row, i) -> number(sample, name, ElementType.INT8, row.getByte(i));
            case ShortType _ -> (sample, row, i) -> number(sample, name, ElementType.INT16, row.getShort(i));
            case IntegerType _ -> (sample, row, i) -> number(sample, name, ElementType.INT32, row.getInt(i));
            case LongType _ -> (sample, row, i) -> number(sample, name, ElementType.INT64, row.getLong(i));
            case FloatType _ ->
                (sample, row, i) -> number(sample, name, ElementType.FLOAT32, Float.floatToRawIntBits(row.getFloat(i)));
            case DoubleType _ ->
                (sample, row, i) ->
                        number(sample, name, ElementType.FLOAT64, Double.doubleToRawLongBits(row.getDouble(i)));
            case StructType type
            when Cell.isTensor(type) ->
                (sample, row, i) -> {
                    ArrayView tensor = Tensors.view(row.getStruct(i, 3));
                    sample.with(name, tensor.type(), tensor.shape(), tensor.segment());
                };
            case DataType other ->
                throw new IllegalArgumentException("the column '" + name + "' is " + other.simpleString()
                        + ", which no shard holds; there are binary, string, numbers, boolean, and tensors"
                        + " (Tensors.TYPE)");
        };
    }

    private static void number(ShardSample sample, String name, ElementType type, long bits) {
        ByteBuffer wide =
                ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(0, bits);
        sample.with(name, type, Shape.of(), MemorySegment.ofArray(wide.array()).asSlice(0, type.byteSize()));
    }

    /// Turns rows into samples. One thread at a time.
    static final class Reader {
        private final Field[] fields;
        private final int[] places;
        private final int key;
        private final int index;
        private final String shown;

        Reader(RowSamples rows, String shown) {
            StructField[] columns = rows.columns.fields();
            this.shown = shown;
            List<String> names = List.of(rows.columns.fieldNames());
            this.key = rows.named ? names.indexOf(Layout.KEY) : -1;
            this.index = names.indexOf(DatasetTable.INDEX);
            this.places = java.util.stream.IntStream.range(0, columns.length)
                    .filter(i -> !rows.isName(columns[i]))
                    .toArray();
            this.fields = java.util.Arrays.stream(places)
                    .mapToObj(i -> field(columns[i]))
                    .toArray(Field[]::new);
        }

        /// The number of a row's sample in the dataset; `row` where none is said.
        long number(InternalRow values, long row) {
            return index < 0 || values.isNullAt(index) ? row : values.getLong(index);
        }

        /// The sample of a row, valid as long as the row.
        ///
        /// @throws FormatException if it can't be called so
        ShardSample sample(InternalRow values, long number) {
            ShardSample sample = new ShardSample(shown, number, key(values));
            for (int i = 0; i < fields.length; i++) {
                if (!values.isNullAt(places[i])) {
                    fields[i].add(sample, values, places[i]);
                }
            }
            return sample;
        }

        private String key(InternalRow values) {
            if (key < 0 || values.isNullAt(key)) {
                return "";
            }
            String name = values.getUTF8String(key).toString();
            if (name.indexOf('.', name.lastIndexOf('/') + 1) >= 0) {
                throw FormatException.because(
                                "the key '" + name + "' has a dot in its last part, behind which readers of"
                                        + " a WebDataset expect the name of a field")
                        .withSource(shown);
            }
            return name;
        }
    }
}
