package org.jspdl.pipeline;

/// A function of an item and of the epoch that it belongs to; calls may run at once.
@FunctionalInterface
public interface EpochFunction<T, R> {
    /// The result for `item`; not null.
    ///
    /// @param epoch counted from 0
    R apply(T item, long epoch) throws Exception;
}
