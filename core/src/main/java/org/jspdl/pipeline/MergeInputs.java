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

    /// Whether the next item of a pipeline is there now. The answer depends on threads, and so does the order of
    /// items where a choice depends on it; a run that is resumed still delivers each item once.
    ///
    /// @throws IndexOutOfBoundsException if there is no such pipeline
    boolean isReady(int input);

    /// Waits until the next item of any pipeline is there, and returns the least number of those;
    /// [MergePolicy#END] if all have come to the end of the epoch. It depends on threads as [#isReady] does.
    int awaitAny();

    /// The next item of a pipeline, which stays there and belongs to it. Waits for it.
    ///
    /// @throws java.util.NoSuchElementException if there is none in this epoch
    /// @throws IndexOutOfBoundsException if there is no such pipeline
    T peek(int input);
}
