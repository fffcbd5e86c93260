package org.jspdl.data.rows;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.memory.Tensor;
import org.jspecify.annotations.Nullable;

/// Allocates the rows of batches in the order of the samples, and stacks written rows to tensors: images, clips, sounds
/// or anything else with rows of one shape.
///
/// Samples that pass in order and without failures are stacked without copying: their rows already lie together in one
/// lease. After a failure, rows are moved up and those that lie in another batch's memory are copied behind them.
/// Samples that overtake one another lie as their rows do; they are copied where a slow one still holds a row.
///
/// Safe for use by several threads. Rows are claimed in the order in which batches shall have them. Closed when no more
/// rows will be claimed; the pool stays the caller's.
public final class BatchAllocator implements AutoCloseable {
    private final BufferPool pool;
    private final ElementType type;
    private final Shape rowShape;
    private final int batchSize;
    private final long rowBytes;
    private final ReentrantLock claiming = new ReentrantLock();
    private @Nullable BatchBuffer open;
    private long epoch;

    private BatchAllocator(BufferPool pool, ElementType type, Shape rowShape, int batchSize) {
        this.pool = pool;
        this.type = type;
        this.rowShape = rowShape;
        this.batchSize = batchSize;
        this.rowBytes = Tensor.byteSize(type, rowShape);
    }

    /// Batches of `batchSize` rows in memory from `pool`.
    public static BatchAllocator of(BufferPool pool, ElementType type, Shape rowShape, int batchSize) {
        if (batchSize < 1) {
            throw new IllegalArgumentException("a batch must hold at least 1 row but its size was " + batchSize);
        }
        return new BatchAllocator(pool, type, rowShape, batchSize);
    }

    /// A row for the next sample, owned by the caller. A sample of another epoch than the one before begins a new
    /// batch.
    ///
    /// @param last whether the sample is the last of its epoch, so that the next one begins a new batch
    public BatchRow claim(long sampleEpoch, boolean last) {
        claiming.lock();
        try {
            if (sampleEpoch != epoch) {
                seal();
                epoch = sampleEpoch;
            }
            BatchRow row = claim();
            if (last) {
                seal();
            }
            return row;
        } finally {
            claiming.unlock();
        }
    }

    /// A row for the next sample, owned by the caller.
    public BatchRow claim() {
        claiming.lock();
        try {
            BatchBuffer buffer = open;
            if (buffer == null || buffer.isSealed()) {
                buffer = new BatchBuffer(pool.lease(rowBytes * batchSize), batchSize, rowBytes);
                open = buffer;
            }
            return buffer.claim();
        } finally {
            claiming.unlock();
        }
    }

    /// Has the next sample begin a new batch.
    public void endEpoch() {
        claiming.lock();
        try {
            seal();
        } finally {
            claiming.unlock();
        }
    }

    private void seal() {
        if (open != null) {
            open.seal();
        }
    }

    /// The written rows of `samples` in one tensor, owned by the caller. The rows are used up.
    ///
    /// @param row the row of a sample
    /// @throws IllegalStateException if there are more samples than a batch has rows
    public <S> Stacked<S> stack(List<S> samples, Function<? super S, BatchRow> row) {
        if (samples.size() > batchSize) {
            throw new IllegalStateException(
                    samples.size() + " samples were stacked, but rows were allocated for batches of " + batchSize);
        }
        List<BatchRow> rows = new ArrayList<>(samples.size());
        int kept = 0;
        for (S sample : samples) {
            BatchRow each = row.apply(sample);
            rows.add(each);
            kept += each.buffer() == rows.getFirst().buffer() ? 1 : 0;
        }
        BatchBuffer host = rows.getFirst().buffer();
        return host.take(kept) ? inPlace(samples, rows, host) : copied(samples, rows);
    }

    private <S> Stacked<S> inPlace(List<S> samples, List<BatchRow> rows, BatchBuffer host) {
        if (isAscending(rows, host)) {
            for (int i = 0; i < rows.size(); i++) {
                BatchRow row = rows.get(i);
                if (row.buffer() != host) {
                    host.row(i).copyFrom(row.segment());
                    row.close();
                } else if (row.index() != i) {
                    host.row(i).copyFrom(host.row(row.index()));
                }
            }
            return new Stacked<>(Tensor.over(type, rowShape.batched(rows.size()), host.lease()), samples);
        }
        int[] order = new int[rows.size()];
        Arrays.fill(order, -1);
        for (int i = 0; i < order.length; i++) {
            BatchRow row = rows.get(i);
            if (row.buffer() == host && row.index() < order.length) {
                order[row.index()] = i;
            }
        }
        int free = 0;
        for (int i = 0; i < order.length; i++) {
            BatchRow row = rows.get(i);
            if (row.buffer() != host || row.index() >= order.length) {
                while (order[free] >= 0) {
                    free++;
                }
                order[free] = i;
                host.row(free).copyFrom(row.segment());
                row.close();
            }
        }
        List<S> ordered = new ArrayList<>(order.length);
        for (int sample : order) {
            ordered.add(samples.get(sample));
        }
        return new Stacked<>(Tensor.over(type, rowShape.batched(order.length), host.lease()), ordered);
    }

    /// Whether no sample has overtaken another: then they keep their order, so that a batch is the same whatever
    /// time a failed sample took, and after a run was resumed.
    private static boolean isAscending(List<BatchRow> rows, BatchBuffer host) {
        int last = -1;
        boolean foreign = false;
        for (BatchRow row : rows) {
            foreign |= row.buffer() != host;
            if (foreign ? row.buffer() == host : row.index() <= last) {
                return false;
            }
            last = row.index();
        }
        return true;
    }

    private <S> Stacked<S> copied(List<S> samples, List<BatchRow> rows) {
        Tensor tensor = Tensor.over(type, rowShape.batched(rows.size()), pool.lease(rowBytes * batchSize));
        for (int i = 0; i < rows.size(); i++) {
            tensor.segment()
                    .asSlice(i * rowBytes, rowBytes)
                    .copyFrom(rows.get(i).segment());
            rows.get(i).close();
        }
        return new Stacked<>(tensor, samples);
    }

    /// Releases memory of which no row is in use.
    @Override
    public void close() {
        endEpoch();
    }

    /// Rows in one tensor.
    ///
    /// @param tensor  as many rows as there are samples
    /// @param samples the samples in the order of their rows, which may differ from the order in which they came
    public record Stacked<S>(Tensor tensor, List<S> samples) {
        /// Makes the list unmodifiable.
        public Stacked {
            samples = Collections.unmodifiableList(samples);
        }
    }
}
