package org.jspdl.spark;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspdl.data.plan.PackedPlan;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.data.snapshot.DatasetVersions;
import org.jspdl.input.FormatException;
import org.jspdl.pipeline.FailedItem;
import org.jspdl.spark.internal.PlanMeter;
import org.jspdl.spark.internal.PlanSight;
import org.jspdl.spark.internal.ReadMetrics;
import org.jspdl.spark.internal.ReadOptions;
import org.jspecify.annotations.Nullable;

/// Makes the samples of some places of a plan, a few places together. One thread at a time.
final class PlanReader implements PartitionReader<InternalRow> {
    /// Places that are run together, whose samples are in memory at once.
    private static final int TOGETHER = 32;

    private final PackedPlan plan;
    private final PlanMeter meter;
    private final List<Cell> cells;
    private final boolean skips;
    private final long to;
    private final int most;
    private final Deque<InternalRow> ready = new ArrayDeque<>();
    private long next;
    private int rows;
    private long leftOut;
    private @Nullable InternalRow row;

    private PlanReader(PackedPlan plan, PlanMeter meter, List<Cell> cells, boolean skips, PlanPiece piece, int most) {
        this.plan = plan;
        this.meter = meter;
        this.cells = cells;
        this.skips = skips;
        this.next = piece.from();
        this.to = piece.to();
        this.most = most;
    }

    /// @param sight of the driver
    /// @throws IOException if this process finds another dataset or other decoders than the driver
    static PlanReader open(PlanPiece piece, StructType columns, ReadOptions options, PlanSight sight, int most)
            throws IOException {
        List<Cell> cells = new ArrayList<>();
        for (StructField column : columns.fields()) {
            cells.add(cell(column));
        }
        PlanMeter meter = new PlanMeter();
        PackedPlan plan = options.open(DatasetVersions.expecting(sight.versions()), meter);
        if (!plan.snapshot().equals(sight.snapshot())) {
            String found = plan.snapshot();
            plan.close();
            throw new IOException("an executor finds another dataset or decoder than the driver: " + found + ", not "
                    + sight.snapshot() + ". The dataset must be the same everywhere, and stay as it is while it is"
                    + " read");
        }
        return new PlanReader(plan, meter, cells, options.skips(), piece, most);
    }

    private static Cell cell(StructField column) {
        return switch (column.name()) {
            case DatasetTable.SHARD -> sample -> UTF8String.fromString(sample.shard());
            case DatasetTable.INDEX -> ShardSample::index;
            default -> Cell.of(column);
        };
    }

    @Override
    public boolean next() throws IOException {
        row = null;
        while (ready.isEmpty() && next < to && rows < most) {
            long end = Math.min(to, next + TOGETHER);
            List<FailedItem> failed = plan.samples(next, end, (sample, _) -> add(sample), meter);
            next = end;
            for (FailedItem each : failed) {
                leftOut(each.cause());
            }
        }
        if (rows >= most || ready.isEmpty()) {
            return false;
        }
        row = ready.poll();
        rows++;
        return true;
    }

    private void add(ShardSample sample) throws IOException {
        @Nullable Object[] values = new @Nullable Object[cells.size()];
        try {
            for (int i = 0; i < values.length; i++) {
                values[i] = cells.get(i).of(sample);
            }
        } catch (FormatException unlike) {
            leftOut(unlike);
            return;
        }
        ready.add(new GenericInternalRow(values));
    }

    private void leftOut(Throwable failure) throws IOException {
        if (!skips) {
            throw new IOException(
                    "a sample of the plan failed, and nothing is left out unless .option(\"failures\", \"skip\") says so: "
                            + failure.getMessage(),
                    failure);
        }
        leftOut++;
    }

    @Override
    public InternalRow get() {
        if (row == null) {
            throw new IllegalStateException("there is no row: next() comes before each");
        }
        return row;
    }

    /// Bytes are those of the plan's storage; FFmpeg reads local sounds and videos by itself.
    @Override
    public CustomTaskMetric[] currentMetricsValues() {
        return ReadMetrics.values(rows, meter.bytes(), leftOut, meter.nanos());
    }

    @Override
    public void close() {
        plan.close();
    }
}
