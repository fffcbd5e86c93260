package org.jspdl.data.rows;

import java.util.Arrays;
import java.util.List;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.memory.Tensor;
import org.jspecify.annotations.Nullable;

/// Hands out the rows of batches in the order of the samples, and gathers written rows to tensors.
///
/// Samples that pass in order and without failures are gathered without copying: their rows already lie together in one
/// lease. After a failure, the few rows that lie in another batch's memory are copied into the places that became free.
/// Samples that overtake one another are copied as well where a slow one still holds a place.
///
/// Rows are claimed by one thread at a time, and gathered by one thread at a time; written and closed by any.
public final class RowBlocks implements AutoCloseable {
    private final BufferPool pool;
    private final ElementType type;
    private final Shape rowShape;
    private final int rowsPerBatch;
    private final long rowBytes;
    private final long samplesPerEpoch;
    private @Nullable RowBlock open;
    private long claimedInEpoch;

    private RowBlocks(BufferPool pool, ElementType type, Shape rowShape, int rowsPerBatch, long samplesPerEpoch) {
        this.pool = pool;
        this.type = type;
        this.rowShape = rowShape;
        this.rowsPerBatch = rowsPerBatch;
        this.rowBytes = Tensor.byteSize(type, rowShape);
        this.samplesPerEpoch = samplesPerEpoch;
    }

    /// Batches of `rowsPerBatch` rows in memory from `pool`, which stays the caller's.
    ///
    /// @param samplesPerEpoch after so many samples a new batch is begun
    public static RowBlocks of(
            BufferPool pool, ElementType type, Shape rowShape, int rowsPerBatch, long samplesPerEpoch) {
        return new RowBlocks(pool, type, rowShape, rowsPerBatch, samplesPerEpoch);
    }

    /// A row for the next sample, owned by the caller.
    public Row claim() {
        RowBlock block = open;
        if (block == null || block.isSealed()) {
            block = new RowBlock(pool.lease(rowBytes * rowsPerBatch), rowsPerBatch, rowBytes);
            open = block;
        }
        Row row = block.claim();
        if (++claimedInEpoch == samplesPerEpoch) {
            endEpoch();
        }
        return row;
    }

    /// Has the next sample begin a new batch.
    public void endEpoch() {
        claimedInEpoch = 0;
        if (open != null) {
            open.seal();
        }
    }

    /// The written `rows` in one tensor, owned by the caller. The rows are used up.
    public Gathered gather(List<Row> rows) {
        RowBlock host = rows.getFirst().block();
        int kept = 0;
        for (Row row : rows) {
            kept += row.block() == host ? 1 : 0;
        }
        return host.take(kept) ? inPlace(rows, host) : copied(rows);
    }

    private Gathered inPlace(List<Row> rows, RowBlock host) {
        int[] order = new int[rows.size()];
        Arrays.fill(order, -1);
        for (int i = 0; i < rows.size(); i++) {
            Row row = rows.get(i);
            if (row.block() == host && row.index() < order.length) {
                order[row.index()] = i;
            }
        }
        int place = 0;
        for (int i = 0; i < rows.size(); i++) {
            Row row = rows.get(i);
            if (row.block() != host || row.index() >= order.length) {
                while (order[place] >= 0) {
                    place++;
                }
                order[place] = i;
                host.row(place).copyFrom(row.segment());
                row.close();
            }
        }
        return new Gathered(Tensor.over(type, rowShape.batched(order.length), host.lease()), order);
    }

    private Gathered copied(List<Row> rows) {
        Tensor tensor = Tensor.over(type, rowShape.batched(rows.size()), pool.lease(rowBytes * rowsPerBatch));
        int[] order = new int[rows.size()];
        for (int i = 0; i < order.length; i++) {
            tensor.segment()
                    .asSlice(i * rowBytes, rowBytes)
                    .copyFrom(rows.get(i).segment());
            rows.get(i).close();
            order[i] = i;
        }
        return new Gathered(tensor, order);
    }

    /// Releases memory of which no row is in use; called when no more rows will be claimed.
    @Override
    public void close() {
        if (open != null) {
            open.seal();
        }
    }

    /// Rows in one tensor.
    ///
    /// @param tensor as many rows as were gathered
    /// @param order  which of the gathered rows lies in each row of the tensor
    public record Gathered(Tensor tensor, int[] order) {}
}
