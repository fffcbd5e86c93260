package org.jspdl.data.loader;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Remainder;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.pipeline.StageFunction;
import org.jspdl.pipeline.StageOptions;

/// A loader in the making, from its batches on: what becomes of them, and how many wait. Immutable.
public final class LoaderBatches<B> {
    private static final int DEFAULT_PREFETCH = 3;

    private final Batches<B> batches;
    private final StageOptions workers;
    private final Counting counting;
    private final Remainder remainder;
    private final int prefetch;
    private final RunOptions options;
    private final List<AutoCloseable> owned;

    /// The pipeline up to the batches.
    interface Batches<B> {
        Pipeline<B> pipeline(Remainder remainder);
    }

    /// How many batches an epoch has.
    interface Counting {
        OptionalLong batches(Remainder remainder);
    }

    LoaderBatches(Batches<B> batches, StageOptions workers, Counting counting) {
        this(
                batches,
                workers,
                counting,
                Remainder.KEEP,
                DEFAULT_PREFETCH,
                RunOptions.defaults().epochs(Long.MAX_VALUE),
                List.of());
    }

    private LoaderBatches(
            Batches<B> batches,
            StageOptions workers,
            Counting counting,
            Remainder remainder,
            int prefetch,
            RunOptions options,
            List<AutoCloseable> owned) {
        this.batches = batches;
        this.workers = workers;
        this.counting = counting;
        this.remainder = remainder;
        this.prefetch = prefetch;
        this.options = options;
        this.owned = owned;
    }

    static OptionalLong count(OptionalLong items, int size, Remainder remainder) {
        if (items.isEmpty()) {
            return items;
        }
        return OptionalLong.of(
                remainder == Remainder.DROP ? items.getAsLong() / size : Math.ceilDiv(items.getAsLong(), size));
    }

    /// Resources that are closed with the loader, in this order.
    LoaderBatches<B> owning(AutoCloseable... resources) {
        List<AutoCloseable> more = new ArrayList<>(owned);
        more.addAll(Arrays.asList(resources));
        return new LoaderBatches<>(batches, workers, counting, remainder, prefetch, options, more);
    }

    /// Leaves out the last batch of an epoch if it is incomplete.
    public LoaderBatches<B> dropLast() {
        return new LoaderBatches<>(batches, workers, counting, Remainder.DROP, prefetch, options, owned);
    }

    /// Makes something else of each batch, in the workers: one tensor of many, for instance a [Collation].
    public <C> LoaderBatches<C> collate(StageFunction<? super B, ? extends C> function) {
        return then(each -> batches.pipeline(each).pipe("collate", function, workers));
    }

    /// Hands each batch over, one at a time and in order, on a thread of its own: to a device.
    public <C> LoaderBatches<C> transfer(StageFunction<? super B, ? extends C> function) {
        return then(each -> batches.pipeline(each).pipe("transfer", function, StageOptions.dedicated()));
    }

    private <C> LoaderBatches<C> then(Batches<C> next) {
        return new LoaderBatches<>(next, workers, counting, remainder, prefetch, options, owned);
    }

    /// How many finished batches may wait for the consumer; 3 by default.
    public LoaderBatches<B> prefetch(int batchCount) {
        if (batchCount < 1) {
            throw new IllegalArgumentException("prefetch must be at least 1 but was " + batchCount);
        }
        return new LoaderBatches<>(batches, workers, counting, remainder, batchCount, options, owned);
    }

    /// How runs go: budgets, observers, compute threads, the seed of augmentation. Its number of epochs bounds the
    /// loader's; without this call there is no bound.
    public LoaderBatches<B> options(RunOptions newOptions) {
        return new LoaderBatches<>(batches, workers, counting, remainder, prefetch, newOptions, owned);
    }

    /// The loader. The caller closes it.
    public DataLoader<B> build() {
        return new DataLoader<>(
                batches.pipeline(remainder).prefetch(prefetch), options, counting.batches(remainder), owned);
    }
}
