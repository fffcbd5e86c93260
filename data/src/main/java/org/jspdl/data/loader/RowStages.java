package org.jspdl.data.loader;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspdl.data.dataset.Dataset;
import org.jspdl.data.rows.Row;
import org.jspdl.data.rows.RowBlocks;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Remainder;
import org.jspdl.pipeline.StageFunction;
import org.jspdl.source.Sampler;
import org.jspdl.source.Source;

/// The steps of a loader whose rows are written in place: each item gets its row before it is worked on.
///
/// Rows are claimed while items are admitted, on the thread of the source. An epoch's last item ends its block, so that
/// the next epoch begins another; where a source can't tell which that is, the last batch of a resumed epoch may be
/// copied once.
final class RowStages<T> implements AutoCloseable {
    private final int size;
    private final RowBlocks rows;
    private final RowWriter<? super T> writer;
    private final ReentrantLock claiming = new ReentrantLock();
    private long epoch;

    /// A place in the order of a dataset.
    private record Place(long epoch, long index, boolean last) {}

    /// An item with the row that waits for it.
    private record Placed<T>(T item, Row row) implements AutoCloseable {
        @Override
        public void close() {
            try (row) {
                Owned.close(item);
            }
        }
    }

    RowStages(BufferPool pool, int size, ElementType type, Shape row, RowWriter<? super T> writer) {
        if (size < 1) {
            throw new IllegalArgumentException("a batch must hold at least 1 row but its size was " + size);
        }
        this.size = size;
        this.rows = RowBlocks.of(pool, type, row, size, Long.MAX_VALUE);
        this.writer = writer;
    }

    Pipeline<RowBatch<T>> indexed(Dataset<T> dataset, Sampler sampler, LoaderSettings settings, Remainder remainder) {
        Pipeline<Placed<T>> written = Pipeline.from(sampler.items("rows", Place::new))
                .named("loader")
                .map(place -> new Placed<>(place.index(), claim(place)))
                .pipe("get", placed -> write(placed, dataset.get(placed.item())), settings.stage());
        return gathered(written, remainder);
    }

    /// @param steps what is done to the items of the source before they are written
    <S> Pipeline<RowBatch<T>> streamed(
            Source<S> source, StageFunction<S, T> steps, LoaderSettings settings, Remainder remainder) {
        Pipeline<Placed<T>> written = Pipeline.from(EpochEnds.of(source, this::seal))
                .named("loader")
                .map(item -> new Placed<>(item, claim()))
                .pipe("write", placed -> write(placed, steps.apply(placed.item())), settings.stage());
        return gathered(written, remainder);
    }

    /// Rows are claimed by the one thread of the source, but a loader may go on with another run.
    private Row claim(Place place) {
        claiming.lock();
        try {
            if (place.epoch() != epoch) {
                rows.endEpoch();
                epoch = place.epoch();
            }
            Row row = rows.claim();
            if (place.last()) {
                rows.endEpoch();
            }
            return row;
        } finally {
            claiming.unlock();
        }
    }

    private Row claim() {
        claiming.lock();
        try {
            return rows.claim();
        } finally {
            claiming.unlock();
        }
    }

    /// Begins a new block with the next row, because the next batch does.
    private void seal() {
        claiming.lock();
        try {
            rows.close();
        } finally {
            claiming.unlock();
        }
    }

    private Placed<T> write(Placed<?> place, T item) throws Exception {
        try {
            writer.write(item, place.row().segment());
        } catch (Throwable failure) {
            if (item != place.item()) {
                Owned.close(item); // the engine closes the place, which does not know of it
            }
            throw failure;
        }
        return new Placed<>(item, place.row());
    }

    private Pipeline<RowBatch<T>> gathered(Pipeline<Placed<T>> written, Remainder remainder) {
        return written.batch(size, remainder).map(this::gather);
    }

    private RowBatch<T> gather(List<Placed<T>> placed) {
        RowBlocks.Gathered gathered =
                rows.gather(placed.stream().map(Placed::row).toList());
        List<T> items = new ArrayList<>(placed.size());
        for (int place : gathered.order()) {
            items.add(placed.get(place).item());
        }
        return RowBatch.owning(gathered.tensor(), Collections.unmodifiableList(items));
    }

    @Override
    public void close() {
        seal();
    }
}
