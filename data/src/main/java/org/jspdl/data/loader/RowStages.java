package org.jspdl.data.loader;

import java.util.List;
import org.jspdl.data.dataset.Dataset;
import org.jspdl.data.rows.BatchAllocator;
import org.jspdl.data.rows.BatchRow;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Closeables;
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
    private final BatchAllocator rows;
    private final RowWriter<? super T> writer;

    /// A place in the order of a dataset.
    private record Place(long epoch, long index, boolean last) {}

    /// An item with the row that waits for it.
    private record Placed<T>(T item, BatchRow row) implements AutoCloseable {
        @Override
        public void close() {
            try (row) {
                Closeables.closeItem(item);
            }
        }
    }

    RowStages(BufferPool pool, int size, ElementType type, Shape row, RowWriter<? super T> writer) {
        this.size = size;
        this.rows = BatchAllocator.of(pool, type, row, size);
        this.writer = writer;
    }

    Pipeline<RowBatch<T>> indexed(Dataset<T> dataset, Sampler sampler, LoaderSettings settings, Remainder remainder) {
        Pipeline<Placed<T>> written = Pipeline.from(sampler.items("rows", Place::new))
                .named("loader")
                .map(place -> new Placed<>(place.index(), rows.claim(place.epoch(), place.last())))
                .pipe("get", placed -> write(placed, dataset.get(placed.item())), settings.stage());
        return stacked(written, remainder);
    }

    /// @param steps what is done to the items of the source before they are written
    <S> Pipeline<RowBatch<T>> streamed(
            Source<S> source, StageFunction<S, T> steps, LoaderSettings settings, Remainder remainder) {
        Pipeline<Placed<T>> written = Pipeline.from(EpochEnds.of(source, rows::endEpoch))
                .named("loader")
                .map(item -> new Placed<>(item, rows.claim()))
                .pipe("write", placed -> write(placed, steps.apply(placed.item())), settings.stage());
        return stacked(written, remainder);
    }

    private Placed<T> write(Placed<?> place, T item) throws Exception {
        try {
            writer.write(item, place.row().segment());
        } catch (Throwable failure) {
            if (item != place.item()) {
                Closeables.closeItem(item); // the engine closes the place, which does not know of it
            }
            throw failure;
        }
        return new Placed<>(item, place.row());
    }

    private Pipeline<RowBatch<T>> stacked(Pipeline<Placed<T>> written, Remainder remainder) {
        return written.batch(size, remainder).map(this::stack);
    }

    private RowBatch<T> stack(List<Placed<T>> placed) {
        BatchAllocator.Stacked<Placed<T>> stacked = rows.stack(placed, Placed::row);
        return RowBatch.owning(
                stacked.tensor(), stacked.samples().stream().map(Placed::item).toList());
    }

    @Override
    public void close() {
        rows.close();
    }
}
