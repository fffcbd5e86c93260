package org.jspdl.data.loader;

import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;
import org.jspdl.data.dataset.Dataset;
import org.jspdl.data.dataset.IterableDataset;
import org.jspdl.memory.Closeables;
import org.jspdl.pipeline.Checkpoint;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.source.Source;
import org.jspdl.stats.PipelineStats;
import org.jspecify.annotations.Nullable;

/// Batches of a dataset, epoch after epoch, with the names that users of PyTorch know.
///
/// ```java
/// try (DataLoader<TensorBatch> loader = DataLoader.of(dataset)
///         .shuffle(seed).numWorkers(8)
///         .batchSize(32).dropLast().collate(collation).build()) {
///     for (int epoch = 0; epoch < 10; epoch++) {
///         for (TensorBatch batch : loader) try (batch) { model.step(batch); }
///     }
/// }
/// ```
///
/// Each loop over the loader is an epoch; a loop that was left early has ended its epoch. Workers go on between
/// epochs, so the next one begins without a pause. Used by one thread; batches belong to whoever received them, and
/// are closed before the loader.
public final class DataLoader<B> implements Iterable<B>, AutoCloseable {
    private final Pipeline<B> pipeline;
    private final List<AutoCloseable> owned;
    private final OptionalLong size;
    private RunOptions options;
    private @Nullable Run<B> run;
    private boolean begun;
    private boolean closed;

    DataLoader(Pipeline<B> pipeline, RunOptions options, OptionalLong size, List<AutoCloseable> owned) {
        this.pipeline = pipeline;
        this.options = options;
        this.size = size;
        this.owned = owned;
    }

    /// A loader of items that are found by their index.
    public static <T> LoaderItems<T> of(Dataset<T> dataset) {
        return LoaderItems.of(dataset);
    }

    /// A loader of items that come one after the other.
    public static <T> LoaderItems<T> of(IterableDataset<T> dataset) {
        return LoaderItems.of(dataset.source());
    }

    /// A loader of the items of a source, such as a [org.jspdl.source.ShardStream].
    public static <T> LoaderItems<T> of(Source<T> source) {
        return LoaderItems.of(source);
    }

    /// A loader of the batches that `pipeline` makes, over and over.
    ///
    /// @param batches how many an epoch has, if that is known
    /// @param owned   closed with the loader, in this order
    public static <B> DataLoader<B> over(
            Pipeline<B> pipeline, RunOptions options, OptionalLong batches, List<? extends AutoCloseable> owned) {
        return new DataLoader<>(pipeline, options, batches, List.copyOf(owned));
    }

    /// The batches of the next epoch; after [#restore], those that are left of the epoch under way.
    ///
    /// @throws IllegalStateException if the options' epochs are over
    @Override
    public Iterator<B> iterator() {
        Run<B> now = running();
        if (begun && !now.nextEpoch()) {
            throw new IllegalStateException("the " + options.epochs() + " epochs of this loader are over");
        }
        Iterator<B> left = now.iterator();
        if (!begun && options.resumeFrom().isPresent() && !left.hasNext() && now.nextEpoch()) {
            left = now.iterator(); // the checkpoint was made behind the last batch of an epoch
        }
        begun = true;
        return left;
    }

    private Run<B> running() {
        if (closed) {
            throw new IllegalStateException("the loader is closed");
        }
        Run<B> now = run;
        if (now == null) {
            now = pipeline.start(options);
            run = now;
        }
        return now;
    }

    /// How many batches an epoch has on this rank, if that is known.
    public OptionalLong size() {
        return size;
    }

    /// The epoch of the batches that come now, counted from 0.
    public long epoch() {
        return running().epoch();
    }

    /// Where the consumer stands: everything delivered so far counts as used.
    public Checkpoint state() {
        return running().checkpoint();
    }

    /// Goes on from `state`, which a loader of the same recipe gave; `Checkpoint.combine` makes one for another
    /// number of ranks. What this loader has under way is given up.
    public void restore(Checkpoint state) {
        stop();
        options = options.resumeFrom(state);
        begun = false;
    }

    /// What the run has done so far, and what holds it back.
    public PipelineStats stats() {
        return running().stats();
    }

    /// The recipe; it can be run by itself, one run at a time.
    public Pipeline<B> pipeline() {
        return pipeline;
    }

    private void stop() {
        if (run != null) {
            Run<B> stopped = run;
            run = null;
            stopped.close();
        }
    }

    /// Stops what is under way and frees what the loader made; closing again is harmless.
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            try {
                stop();
            } finally {
                Closeables.closeAll(owned);
            }
        }
    }

    @Override
    public String toString() {
        return pipeline.toString();
    }
}
