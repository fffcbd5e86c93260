package org.jspdl.pipeline;

/// Whether an item goes on. An item that doesn't is closed if it is `AutoCloseable`.
@FunctionalInterface
public interface StagePredicate<T> {
    /// Whether `item` goes on; does not take ownership of it.
    boolean test(T item) throws Exception;
}
