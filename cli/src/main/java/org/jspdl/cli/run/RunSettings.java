package org.jspdl.cli.run;

import java.util.Locale;
import org.jspdl.pipeline.FailurePolicy;
import org.jspdl.pipeline.Order;

/// How a run goes. Immutable.
///
/// @param picture     what each image becomes
/// @param batch       images in a batch; the last of an epoch may have fewer
/// @param epochs      passes over the dataset
/// @param shuffle     whether each epoch has another order, given by `seed`
/// @param seed        the key of the order
/// @param shard       the part of the dataset that is loaded
/// @param concurrency images that are read, and images that are decoded, at once
/// @param order       whether batches are filled in the order of the dataset or as images are finished
/// @param failures    what happens when a file cannot be read or decoded
public record RunSettings(
        PictureSettings picture,
        int batch,
        long epochs,
        boolean shuffle,
        long seed,
        Shard shard,
        int concurrency,
        Order order,
        FailurePolicy failures) {

    /// The name of a constant as it is typed and printed.
    static String spelled(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /// One of several equal parts of a dataset.
    ///
    /// @param rank      which part, from 0
    /// @param worldSize how many parts
    /// @param uneven    whether parts of shards may differ in size
    public record Shard(int rank, int worldSize, boolean uneven) {}
}
