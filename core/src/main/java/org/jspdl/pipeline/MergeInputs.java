package org.jspdl.pipeline;

/// The pipelines that a [MergePolicy] chooses from, numbered from 0. Valid while the policy is asked, on its thread.
///
/// @param <T> the type of the items
public interface MergeInputs<T> {
    /// How many pipelines there are.
    int count();

    /// The epoch, counted from 0.
    long epoch();

    /// How many items of this epoch were taken so far, from all pipelines. A run that is resumed goes on counting.
    long taken();

    /// Whether a pipeline has another item in this epoch. Waits until that is known.
    ///
    /// @throws IndexOutOfBoundsException if there is no such pipeline
    boolean hasNext(int input);

    /// The next item of a pipeline, which stays there and belongs to it. Waits for it.
    ///
    /// @throws java.util.NoSuchElementException if there is none in this epoch
    /// @throws IndexOutOfBoundsException if there is no such pipeline
    T peek(int input);
}
