package org.jspdl.data.loader;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspdl.pipeline.FailurePolicy;
import org.jspdl.pipeline.Order;
import org.jspdl.pipeline.StageOptions;
import org.jspdl.source.Even;
import org.jspdl.source.Sampler;
import org.jspdl.source.Samplers;

/// What a loader was told, apart from its functions. Immutable.
record LoaderSettings(
        Optional<Sampler> sampler,
        OptionalLong shuffleSeed,
        int rank,
        int worldSize,
        Even even,
        StageOptions workers,
        Order order,
        Optional<FailurePolicy> failures,
        Optional<Duration> timeout) {

    static LoaderSettings defaults() {
        return new LoaderSettings(
                Optional.empty(),
                OptionalLong.empty(),
                0,
                1,
                Even.COUNT,
                StageOptions.cpu(Runtime.getRuntime().availableProcessors()),
                Order.INPUT,
                Optional.empty(),
                Optional.empty());
    }

    LoaderSettings sampler(Sampler newSampler) {
        return new LoaderSettings(
                Optional.of(newSampler), shuffleSeed, rank, worldSize, even, workers, order, failures, timeout);
    }

    LoaderSettings shuffle(long seed) {
        return new LoaderSettings(
                sampler, OptionalLong.of(seed), rank, worldSize, even, workers, order, failures, timeout);
    }

    LoaderSettings shard(int newRank, int newWorldSize) {
        return new LoaderSettings(sampler, shuffleSeed, newRank, newWorldSize, even, workers, order, failures, timeout);
    }

    LoaderSettings even(Even how) {
        return new LoaderSettings(sampler, shuffleSeed, rank, worldSize, how, workers, order, failures, timeout);
    }

    LoaderSettings workers(StageOptions newWorkers) {
        return new LoaderSettings(sampler, shuffleSeed, rank, worldSize, even, newWorkers, order, failures, timeout);
    }

    LoaderSettings order(Order newOrder) {
        return new LoaderSettings(sampler, shuffleSeed, rank, worldSize, even, workers, newOrder, failures, timeout);
    }

    LoaderSettings failures(FailurePolicy policy) {
        return new LoaderSettings(
                sampler, shuffleSeed, rank, worldSize, even, workers, order, Optional.of(policy), timeout);
    }

    LoaderSettings timeout(Duration limit) {
        return new LoaderSettings(
                sampler, shuffleSeed, rank, worldSize, even, workers, order, failures, Optional.of(limit));
    }

    /// The order in which items of a dataset are visited on this rank.
    Sampler visiting(long size) {
        if (sampler.isPresent() && shuffleSeed.isPresent()) {
            throw new IllegalArgumentException(
                    "a sampler says the order itself: give either sampler(..) or shuffle(..)");
        }
        Sampler whole = sampler.orElseGet(() ->
                shuffleSeed.isPresent() ? Samplers.shuffled(size, shuffleSeed.getAsLong()) : Samplers.sequential(size));
        Sampler share = worldSize == 1 ? whole : whole.shard(rank, worldSize);
        return even == Even.COUNT ? share : share.even(even);
    }

    /// Refuses what only a dataset with an index can do.
    void requireStream() {
        if (sampler.isPresent() || shuffleSeed.isPresent() || worldSize > 1 || even != Even.COUNT) {
            throw new IllegalArgumentException("a stream has an order of its own, so a loader over it can't shuffle or"
                    + " shard; shuffle and shard its source, such as a ShardStream");
        }
    }

    /// How a step of the loader runs.
    StageOptions stage() {
        StageOptions options = order == Order.INPUT ? workers.inputOrder() : workers;
        options = failures.map(options::failures).orElse(options);
        return timeout.map(options::deadline).orElse(options);
    }
}
