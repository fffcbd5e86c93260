package org.jspdl.pipeline;

/// What a stage does to one item.
///
/// The function owns its argument while it runs; returning a value hands that on. It may block, be interrupted, and be
/// called by several threads at once, up to the stage's concurrency. It never returns null: to drop items, use a
/// filter.
@FunctionalInterface
public interface StageFunction<T, R> {
    /// The result for `item`.
    R apply(T item) throws Exception;
}
