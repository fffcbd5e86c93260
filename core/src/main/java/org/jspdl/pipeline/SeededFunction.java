package org.jspdl.pipeline;

import java.util.random.RandomGenerator;

/// What a stage does to one item with randomness that belongs to the item.
///
/// The generator is keyed by the run's seed, the epoch, the item's source position and the stage's name, so an item
/// gets the same numbers whatever thread runs it and after any resume. It is used only during the call.
@FunctionalInterface
public interface SeededFunction<T, R> {
    /// The result for `item`.
    R apply(T item, RandomGenerator random) throws Exception;
}
