package org.jspdl.djl;

/// Says what of a batch goes into the model, and what it should give.
///
/// @param <B> the type of the loader's batches
@FunctionalInterface
public interface BatchReader<B> {
    /// Adds the fields of `batch` to `arrays`, in the order of the model. Called by the thread that trains.
    ///
    /// @return how many samples the batch has
    int read(B batch, BatchArrays arrays);
}
