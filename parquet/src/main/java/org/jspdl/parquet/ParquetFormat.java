package org.jspdl.parquet;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.SequencedMap;
import java.util.TreeSet;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.RowGroup;
import org.jspdl.data.shards.ShardFile;
import org.jspdl.data.shards.ShardFormat;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.data.shards.ShardSchema;
import org.jspdl.data.shards.ShardSummary;
import org.jspdl.data.storage.Location;
import org.jspdl.source.Source;

/// Parquet: each row is a sample, each column a field, null being no field. A part of a structure is a field of its
/// own, such as `image.bytes`, and so are the keys and values of a map. Lists are arrays, see [RowValues]; decimals,
/// dates and times are text. The few other types are refused by name when they are wanted.
///
/// Under [a filter][org.jspdl.data.shards.filter.RowFilter] rows keep their numbers, and those that it leaves out are
/// passed over.
///
/// A row group's wanted columns are in memory while its rows are read; nothing else of it is transferred.
public final class ParquetFormat implements ShardFormat {
    static final String NAME = "Parquet";

    private static final int MOST_SHOWN = 12;

    /// Found by [java.util.ServiceLoader].
    public ParquetFormat() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean reads(Location location) {
        return location.endsWith(".parquet");
    }

    @Override
    public boolean filters() {
        return true;
    }

    @Override
    public Source<ShardSample> open(ShardFile file) {
        return new ParquetSource(file);
    }

    @Override
    public ShardSummary inspect(ShardFile file) throws IOException {
        ParquetFooter footer = ParquetFooter.read(file);
        List<ShardSummary.FieldSummary> fields = new ArrayList<>();
        long all = 0;
        for (ParquetColumn column : footer.columns()) {
            List<String> path = List.of(column.leaf().getPath());
            long bytes = 0;
            long values = 0;
            for (RowGroup group : footer.rowGroups()) {
                for (ColumnChunk chunk : group.getColumns()) {
                    ColumnMetaData data = chunk.getMeta_data();
                    if (data != null && data.getPath_in_schema().equals(path)) {
                        bytes += data.getTotal_compressed_size();
                        values += data.getNum_values();
                    }
                }
            }
            fields.add(new ShardSummary.FieldSummary(
                    column.name(), column.kind(), Math.min(values, footer.rows()), bytes));
            all += bytes;
        }
        return new ShardSummary(NAME, footer.rows(), all, fields, traits(footer));
    }

    @Override
    public ShardSchema schema(ShardFile file) throws IOException {
        return ParquetFooter.read(file).schema();
    }

    private static SequencedMap<String, String> traits(ParquetFooter footer) {
        SequencedMap<String, String> traits = new LinkedHashMap<>();
        footer.schema().describe(traits);
        LongSummaryStatistics rows =
                footer.rowGroups().stream().mapToLong(RowGroup::getNum_rows).summaryStatistics();
        traits.put("row groups", Long.toString(rows.getCount()));
        if (rows.getCount() > 0) {
            traits.put("rows in a group", rows.getMin() + " to " + rows.getMax());
        }
        TreeSet<String> codecs = new TreeSet<>();
        footer.rowGroups().stream()
                .flatMap(group -> group.getColumns().stream())
                .filter(ColumnChunk::isSetMeta_data)
                .forEach(chunk -> codecs.add(chunk.getMeta_data().getCodec().name()));
        traits.put("compression", String.join(", ", codecs));
        if (rows.getCount() > 0) {
            traits.put("statistics for filters", statistics(footer));
        }
        return traits;
    }

    private static boolean saysBounds(RowGroup group, ParquetColumn column) {
        List<String> path = List.of(column.leaf().getPath());
        return group.getColumns().stream()
                .filter(ColumnChunk::isSetMeta_data)
                .map(ColumnChunk::getMeta_data)
                .anyMatch(data -> data.getPath_in_schema().equals(path) && GroupStatistics.areSaid(data));
    }

    /// The columns by which a filter can rule out groups of rows without reading them.
    private static String statistics(ParquetFooter footer) {
        List<String> names = footer.columns().stream()
                .filter(column -> footer.ordered().contains(column.name())
                        && ColumnComparison.usesBounds(column)
                        && footer.rowGroups().stream().allMatch(group -> saysBounds(group, column)))
                .map(ParquetColumn::name)
                .toList();
        String shown = String.join(", ", names.subList(0, Math.min(MOST_SHOWN, names.size())));
        return names.isEmpty()
                ? "none"
                : names.size() <= MOST_SHOWN ? shown : shown + " and " + (names.size() - MOST_SHOWN) + " more";
    }
}
