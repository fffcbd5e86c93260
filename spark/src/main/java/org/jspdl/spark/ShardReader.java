package org.jspdl.spark;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspdl.data.shards.ShardFailures;
import org.jspdl.data.shards.ShardOptions;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.data.shards.Shards;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.input.FormatException;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Closeables;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.jspdl.source.RangedSource;
import org.jspdl.source.Source;
import org.jspdl.spark.internal.Failures;
import org.jspdl.spark.internal.ReadMetrics;
import org.jspdl.spark.internal.ReadOptions;
import org.jspecify.annotations.Nullable;

/// Reads the samples of one piece of a shard, in their order, and of each what the columns need. One thread at a time.
final class ShardReader implements PartitionReader<InternalRow> {
    private final Storage storage;
    private final BufferPool pool;
    private final Cursor<ShardSample> cursor;
    private final List<Cell> cells;
    private final ShardFailures failures;
    private final String shard;
    private final long end;
    private final int most;
    private int rows;
    private @Nullable InternalRow row;

    private ShardReader(
            Storage storage,
            BufferPool pool,
            Cursor<ShardSample> cursor,
            List<Cell> cells,
            ShardFailures failures,
            ShardPiece piece,
            int most) {
        this.storage = storage;
        this.pool = pool;
        this.cursor = cursor;
        this.cells = cells;
        this.failures = failures;
        this.shard = Location.of(piece.shard()).toString();
        this.end = piece.count() == Long.MAX_VALUE ? Long.MAX_VALUE : piece.from() + piece.count();
        this.most = most;
    }

    static ShardReader open(ShardPiece piece, StructType columns, ReadOptions given, int most) throws IOException {
        Location location = Location.of(piece.shard());
        List<Cell> cells = new ArrayList<>();
        List<String> fields = new ArrayList<>();
        for (StructField column : columns.fields()) {
            cells.add(cell(column, location, fields));
        }
        ShardFailures failures = given.skips() ? ShardFailures.skip(Long.MAX_VALUE, _ -> {}) : ShardFailures.fail();
        Storage storage = Storage.open();
        BufferPool pool = BufferPool.unbounded("samples of a shard");
        try {
            piece.checkSize(storage);
            ShardOptions options = ShardOptions.defaults().failures(failures);
            if (fields.isEmpty()) {
                fields.addAll(cheapest(storage, location, pool));
            }
            if (!fields.isEmpty()) {
                options = options.columnsIfPresent(fields.toArray(String[]::new));
            }
            Source<ShardSample> source = Shards.shard(storage, location, Location.of(piece.first()), options, pool);
            return new ShardReader(storage, pool, open(source, piece), cells, failures, piece, most);
        } catch (Exception failure) {
            pool.close();
            storage.close();
            throw Failures.told(failure, location);
        }
    }

    private static Cell cell(StructField column, Location location, List<String> fields) {
        String name = column.name();
        if (name.equals(DatasetTable.SHARD)) {
            UTF8String shown = UTF8String.fromString(location.toString());
            return _ -> shown;
        }
        if (name.equals(DatasetTable.INDEX)) {
            return ShardSample::index;
        }
        if (name.equals(Layout.KEY) && FieldTypes.hasKeys(location)) {
            return sample -> UTF8String.fromString(sample.key());
        }
        fields.add(name);
        return Cell.of(column);
    }

    /// A field to read where none is wanted, only the samples; none to read all.
    private static List<String> cheapest(Storage storage, Location location, BufferPool pool) throws IOException {
        if (FieldTypes.hasKeys(location)) {
            return List.of("\0"); // which no file of a tar is called: their contents are passed over
        }
        List<String> fields = Shards.schema(storage, location, pool).fields();
        return fields.isEmpty() ? List.of() : List.of(fields.getFirst());
    }

    private static Cursor<ShardSample> open(Source<ShardSample> source, ShardPiece piece) throws Exception {
        Position from = Position.at(piece.from());
        return piece.count() != Long.MAX_VALUE
                        && source instanceof RangedSource<ShardSample> ranged
                        && ranged.isRanged()
                ? ranged.open(0, from, piece.from() + piece.count())
                : source.open(0, from);
    }

    @Override
    public boolean next() throws IOException {
        row = null;
        // what is broken is passed over by advance(), which so may leave the piece
        while (rows < most && cursor.position().index() < end && advance()) {
            try (ShardSample sample = cursor.item()) {
                if (sample.index() >= end) {
                    return false;
                }
                try {
                    row = row(sample);
                } catch (FormatException broken) {
                    failures.broken(shard, sample.index(), false, broken);
                    continue;
                }
                rows++;
                return true;
            }
        }
        return false;
    }

    private boolean advance() throws IOException {
        try {
            return cursor.advance();
        } catch (Exception failure) {
            throw Failures.told(failure, Location.of(shard));
        }
    }

    private InternalRow row(ShardSample sample) {
        @Nullable Object[] values = new @Nullable Object[cells.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = cells.get(i).of(sample);
        }
        return new GenericInternalRow(values);
    }

    @Override
    public InternalRow get() {
        if (row == null) {
            throw new IllegalStateException("there is no row: next() comes before each");
        }
        return row;
    }

    @Override
    public CustomTaskMetric[] currentMetricsValues() {
        return ReadMetrics.values(() -> rows, () -> storage.stats().bytes(), failures::skipped);
    }

    @Override
    public void close() throws IOException {
        Closeables.closeAll(List.of(cursor, pool, storage));
    }
}
