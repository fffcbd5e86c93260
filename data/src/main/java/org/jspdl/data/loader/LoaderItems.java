package org.jspdl.data.loader;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspdl.data.dataset.Dataset;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Closeables;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.pipeline.FailurePolicy;
import org.jspdl.pipeline.Order;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Remainder;
import org.jspdl.pipeline.StageFunction;
import org.jspdl.pipeline.StageOptions;
import org.jspdl.source.Even;
import org.jspdl.source.IndexBatch;
import org.jspdl.source.RankedSource;
import org.jspdl.source.Sampler;
import org.jspdl.source.Source;

/// A loader in the making, up to its items: which, in what order, and what is done to each. Immutable; settings may
/// come in any order. Goes on with [#batchSize], [#batchSampler], [#batchRows] or [#unbatched].
public final class LoaderItems<T> {
    private final Items<T> items;
    private final LoaderSettings settings;

    /// Where items come from.
    private sealed interface Items<T> {
        /// Found by index.
        record Indexed<T>(Dataset<T> dataset) implements Items<T> {}

        /// In the order of a source, and what has been done to them since: in stages, or all at once.
        record Streamed<S, T>(Source<S> source, Steps<T> steps, StageFunction<S, T> atOnce) implements Items<T> {}
    }

    /// Adds the steps of a stream to a pipeline.
    private interface Steps<T> {
        Pipeline<T> build(LoaderSettings settings);
    }

    private LoaderItems(Items<T> items, LoaderSettings settings) {
        this.items = items;
        this.settings = settings;
    }

    static <T> LoaderItems<T> of(Dataset<T> dataset) {
        return new LoaderItems<>(new Items.Indexed<>(dataset), LoaderSettings.defaults());
    }

    static <T> LoaderItems<T> of(Source<T> source) {
        return new LoaderItems<>(
                new Items.Streamed<>(source, settings -> Pipeline.from(source), item -> item),
                LoaderSettings.defaults());
    }

    /// Applies `function` to each item, in the workers: decode, crop, tokenize.
    public <R> LoaderItems<R> preprocess(StageFunction<? super T, ? extends R> function) {
        Items<R> next = switch (items) {
            case Items.Indexed<T>(Dataset<T> dataset) -> new Items.Indexed<>(dataset.map(function));
            case Items.Streamed<?, T> streamed -> preprocessed(streamed, function);
        };
        return new LoaderItems<>(next, settings);
    }

    private static <S, T, R> Items<R> preprocessed(
            Items.Streamed<S, T> items, StageFunction<? super T, ? extends R> function) {
        return new Items.Streamed<>(
                items.source(),
                settings -> items.steps().build(settings).pipe("preprocess", function, settings.stage()),
                item -> {
                    T before = items.atOnce().apply(item);
                    try {
                        return function.apply(before);
                    } catch (Throwable failure) {
                        if (before != item) {
                            Closeables.closeItem(
                                    before); // the stage closes what it was given, and does not know of this
                        }
                        throw failure;
                    }
                });
    }

    /// Another order in each epoch, given by `seed`.
    public LoaderItems<T> shuffle(long seed) {
        return with(settings.shuffle(seed));
    }

    /// The order of `sampler`, instead of a shuffled or sequential one.
    public LoaderItems<T> sampler(Sampler sampler) {
        return with(settings.sampler(sampler));
    }

    /// Only the share of `rank` among `worldSize` ranks; a remainder is dropped, so that all ranks have equally
    /// many.
    public LoaderItems<T> shard(int rank, int worldSize) {
        return with(settings.shard(rank, worldSize));
    }

    /// The same, with ranks that match in this way.
    public LoaderItems<T> even(Even how) {
        return with(settings.even(how));
    }

    /// How many items are worked on at once, on the compute threads; as many as there are processors by default.
    public LoaderItems<T> numWorkers(int workers) {
        if (workers < 1) {
            throw new IllegalArgumentException("numWorkers must be at least 1 but was " + workers
                    + "; workers are threads here, and one of them is as cheap as none");
        }
        return with(settings.workers(StageOptions.cpu(workers)));
    }

    /// Where items are worked on and how many at once, such as `io(64)` for items that come over a network.
    public LoaderItems<T> workers(StageOptions options) {
        return with(settings.workers(options));
    }

    /// Whether batches hold items in their order (by default), or as they are finished.
    public LoaderItems<T> order(Order order) {
        return with(settings.order(order));
    }

    /// What happens to items that fail; by default the first ends the run.
    public LoaderItems<T> failures(FailurePolicy policy) {
        return with(settings.failures(policy));
    }

    /// How long one item may take.
    public LoaderItems<T> timeout(Duration limit) {
        return with(settings.timeout(limit));
    }

    private LoaderItems<T> with(LoaderSettings newSettings) {
        return new LoaderItems<>(items, newSettings);
    }

    /// Batches of `size` items, as lists.
    public LoaderBatches<List<T>> batchSize(int size) {
        LoaderItems<T> self = this;
        return new LoaderBatches<>(
                remainder -> self.pipeline().batch(size, remainder),
                settings.stage(),
                remainder -> LoaderBatches.count(self.size(), size, remainder));
    }

    /// The batches of `sampler`, as lists; each is fetched by one worker.
    ///
    /// @param sampler such as a [org.jspdl.source.BatchSampler] or [org.jspdl.source.BalancedBatchSampler]
    /// @throws IllegalArgumentException if the items have no index, or an order was given as well
    public LoaderBatches<List<T>> batchSampler(RankedSource<IndexBatch> sampler) {
        if (!(items instanceof Items.Indexed<T>(Dataset<T> dataset))) {
            throw new IllegalArgumentException("a batch sampler needs a dataset whose items have an index");
        }
        settings.requireStream();
        return new LoaderBatches<>(
                remainder -> Pipeline.from(sampler)
                        .named("loader")
                        .pipe("get", batch -> fetch(dataset, batch), settings.stage()),
                settings.stage(),
                remainder -> sampler.size());
    }

    private static <T> List<T> fetch(Dataset<T> dataset, IndexBatch batch) throws Exception {
        List<T> fetched = new ArrayList<>(batch.size());
        try {
            for (long index : batch.indices()) {
                fetched.add(dataset.get(index));
            }
            return fetched;
        } catch (Throwable failure) {
            Closeables.closeItem(fetched);
            throw failure;
        }
    }

    /// Batches of `size` rows, each written by `writer` into its place in the memory of the batch: nothing is
    /// copied afterwards, as long as items keep their order and none fails.
    ///
    /// @param limitBytes the most memory that batches may take
    public LoaderBatches<RowBatch<T>> batchRows(
            int size, ElementType type, Shape row, long limitBytes, RowWriter<? super T> writer) {
        BufferPool pool = BufferPool.create("batches", limitBytes);
        RowStages<T> rows = new RowStages<>(pool, size, type, row, writer);
        LoaderItems<T> self = this;
        return new LoaderBatches<RowBatch<T>>(
                        remainder -> switch (self.items) {
                            case Items.Indexed<T>(Dataset<T> dataset) ->
                                rows.indexed(dataset, settings.visiting(dataset.size()), settings, remainder);
                            case Items.Streamed<?, T> streamed -> self.rowsOf(streamed, rows, remainder);
                        },
                        settings.stage(),
                        remainder -> LoaderBatches.count(self.size(), size, remainder))
                .owning(rows, pool);
    }

    private <S> Pipeline<RowBatch<T>> rowsOf(Items.Streamed<S, T> streamed, RowStages<T> rows, Remainder remainder) {
        settings.requireStream();
        return rows.streamed(streamed.source(), streamed.atOnce(), settings, remainder);
    }

    /// One item at a time.
    public LoaderBatches<T> unbatched() {
        return new LoaderBatches<>(remainder -> pipeline(), settings.stage(), remainder -> size());
    }

    private Pipeline<T> pipeline() {
        return switch (items) {
            case Items.Indexed<T>(Dataset<T> dataset) ->
                Pipeline.from(settings.visiting(dataset.size()))
                        .named("loader")
                        .pipe("get", dataset::get, settings.stage());
            case Items.Streamed<?, T> streamed -> streamed(streamed);
        };
    }

    private Pipeline<T> streamed(Items.Streamed<?, T> streamed) {
        settings.requireStream();
        return streamed.steps().build(settings).named("loader");
    }

    private OptionalLong size() {
        return switch (items) {
            case Items.Indexed<T>(Dataset<T> dataset) ->
                settings.visiting(dataset.size()).size();
            case Items.Streamed<?, T> streamed -> streamed.source().size();
        };
    }
}
