package org.jspdl.pipeline;

import java.time.Duration;
import java.util.Iterator;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspdl.stats.Change;
import org.jspdl.stats.PipelineStats;

/// One execution of a pipeline: threads at work, and the items they deliver.
///
/// A run is used by one consumer thread at a time: one that asks for an item while another waits for one gets an
/// `IllegalStateException`. [#stats] and [#close] may be called from any. Items are handed over
/// to the consumer, who owns them. A run that failed says so from the iterator, after the items that were completed
/// before; if the consumer never got there, from [#close].
///
/// ```java
/// try (Run<Batch> run = loading.start(RunOptions.defaults().epochs(10))) {
///     do {
///         for (Batch batch : run) try (batch) { model.step(batch); }
///     } while (run.nextEpoch());
/// }
/// ```
public interface Run<T> extends Iterable<T>, AutoCloseable {

    /// The items up to the end of the current epoch. A second iterator goes on where the last one stopped; at the
    /// epoch's end it is empty until [#nextEpoch].
    ///
    /// `hasNext` and `next` wait for an item, and throw [PipelineException] if the run has failed.
    @Override
    Iterator<T> iterator();

    /// The items up to the end of the current epoch, as a sequential stream.
    Stream<T> stream();

    /// The next item of the current epoch, if one comes within `timeout`; empty also at the end of the epoch
    /// ([#epochEnded] tells).
    ///
    /// @throws InterruptedException if the consumer was interrupted while it waited
    /// @throws PipelineException if the run has failed
    Optional<T> poll(Duration timeout) throws InterruptedException;

    /// Goes on to the next epoch; false if there is none. What is left of the current epoch is closed.
    boolean nextEpoch();

    /// The epoch whose items the iterators yield, counted from 0.
    long epoch();

    /// Whether the current epoch's last item was delivered.
    boolean epochEnded();

    /// A mark behind what was delivered. Takes time proportional to the items in flight; on the consumer's thread.
    Ticket ticket();

    /// Where the run stood when `ticket` was made.
    ///
    /// @throws IllegalStateException if a source can't be repeated or a stage keeps state that can't be saved; the
    ///     message names it
    Checkpoint checkpoint(Ticket ticket);

    /// Where the run stands now; called by the consumer's thread.
    default Checkpoint checkpoint() {
        return checkpoint(ticket());
    }

    /// Changes the run while it goes on, at once: how many calls of a stage run at once, or how many finished items
    /// may wait behind it. May be called from any thread. Returns what was changed, which [PipelineStats#changes]
    /// keeps too.
    ///
    /// The concurrency of `cpu`, `io` and `on` stages can be changed, the buffer of every stage.
    ///
    /// @throws IllegalArgumentException if there is no such stage, or its concurrency can't be changed
    /// @throws IllegalStateException if the run is closed
    Change tune(Tuning tuning);

    /// Has no more in flight than `items` like the heaviest delivered until it is called again, for a consumer
    /// whose own items take memory; the largest number is how a run begins. Needs a byte budget. From any thread.
    ///
    /// After the first call an item that is delivered counts until a call says that so many were `received`. A
    /// confined run that stands still lets in nothing more: whoever waits widens it first.
    ///
    /// @throws IllegalArgumentException if `items` is negative
    void confine(int items, long received);

    /// What the run has done so far.
    PipelineStats stats();

    /// Stops the run: interrupts what runs, waits for it, and closes every item that was not delivered. Closing
    /// again is harmless; by another thread, it waits until the run is closed. Calls of [Pipeline#pipeAsync] that
    /// are under way are not waited for: what they bring is closed when it comes.
    ///
    /// @throws PipelineException if the run failed and the consumer has not seen it, or if a stage ignores its
    ///     interruption beyond the grace period; the message names the stage
    @Override
    void close();
}
