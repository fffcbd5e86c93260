package org.jspdl.djl;

import ai.djl.ndarray.NDManager;
import ai.djl.training.dataset.Batch;
import ai.djl.training.dataset.Dataset;
import ai.djl.util.Progress;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;
import org.jspdl.data.loader.DataLoader;
import org.jspdl.data.loader.RowBatch;
import org.jspdl.data.loader.TensorBatch;

/// A loader as a dataset of DJL, for its trainers: each time DJL asks for the data, the next epoch begins.
///
/// Batches are loaded ahead by the loader's own threads; DJL's executors are not used. Each batch of DJL's owns one of
/// the loader's: `Batch.close`, which `EasyTrain.fit` calls, ends its arrays and releases the memory. So nothing of a
/// batch may be kept beyond that without a copy (`NDArray.duplicate`). The loader stays the caller's, and is closed
/// after the last batch. Used by one thread.
///
/// ```java
/// Dataset training = LoaderDataset.ofRows(loader, LabeledFile::label);
/// EasyTrain.fit(trainer, 10, training, validation);
/// ```
public final class LoaderDataset<B> implements Dataset {
    private final Iterable<B> loader;
    private final BatchReader<? super B> reader;
    private final OptionalLong batches;

    private LoaderDataset(Iterable<B> loader, BatchReader<? super B> reader, OptionalLong batches) {
        this.loader = loader;
        this.reader = reader;
        this.batches = batches;
    }

    /// The batches of `loader`, read by `reader`.
    ///
    /// @param loader a [DataLoader], a [org.jspdl.data.loader.CacheLoader], or whatever gives an epoch each time
    ///     its iterator is asked for
    public static <B> LoaderDataset<B> of(Iterable<B> loader, BatchReader<? super B> reader) {
        return new LoaderDataset<>(
                loader, reader, loader instanceof DataLoader<B> counting ? counting.size() : OptionalLong.empty());
    }

    /// Batches of rows: the rows go into the model, which should give the class of each item.
    public static <T> LoaderDataset<RowBatch<T>> ofRows(
            Iterable<RowBatch<T>> loader, ToLongFunction<? super T> classOf) {
        return of(loader, (batch, arrays) -> {
            arrays.data(batch.tensor())
                    .label(batch.items().stream().mapToLong(classOf).toArray());
            return batch.size();
        });
    }

    /// Batches of named fields: those of `data` go into the model in this order, which should give those of
    /// `labels`.
    public static LoaderDataset<TensorBatch> ofTensors(
            Iterable<TensorBatch> loader, List<String> data, List<String> labels) {
        return of(loader, (batch, arrays) -> {
            data.forEach(field -> arrays.data(batch.tensor(field)));
            labels.forEach(field -> arrays.label(batch.tensor(field)));
            return batch.size();
        });
    }

    /// The same, with the number of batches in an epoch, for displays of progress; a [DataLoader] says it itself.
    public LoaderDataset<B> batches(long perEpoch) {
        return new LoaderDataset<>(loader, reader, OptionalLong.of(perEpoch));
    }

    /// The batches of the next epoch, whose arrays belong to sub-managers of `manager`.
    @Override
    public Iterable<Batch> getData(NDManager manager) {
        return () -> epoch(loader.iterator(), manager);
    }

    private Iterator<Batch> epoch(Iterator<B> from, NDManager manager) {
        return new Iterator<>() {
            private long given;

            @Override
            public boolean hasNext() {
                return from.hasNext();
            }

            @Override
            public Batch next() {
                B batch = from.next();
                return read(batch, manager, given++);
            }
        };
    }

    private Batch read(B batch, NDManager parent, long number) {
        NDManager manager = null;
        try {
            manager = parent.newSubManager();
            BatchArrays arrays = new BatchArrays(manager);
            int size = reader.read(batch, arrays);
            return new LoaderBatch(manager, arrays, size, number, Math.max(number + 1, batches.orElse(0)), batch);
        } catch (Throwable failure) {
            if (manager != null) {
                manager.close();
            }
            LoaderBatch.closeSource(batch);
            throw failure;
        }
    }

    /// Does nothing: the loader is ready.
    @Override
    public void prepare(Progress progress) {}
}
