package org.jspdl.stats;

/// An observer that is also told which item it is: for traces, and to explain what a batch has waited for.
///
/// Items have numbers that are theirs from the source to the consumer. A batch has a number of its own, and the parts
/// of a divided item have the number of the whole. Times are those of [System#nanoTime]. Called like a
/// [StageObserver], on the thread where it happens; given to a run by
/// `RunOptions.observer`.
public interface ItemObserver extends StageObserver {

    /// A source has yielded an item.
    ///
    /// @param start when the source was asked for it
    /// @param end   when it had it
    default void admitted(String source, long item, long start, long end) {}

    /// Where an item was in its source; called before [#admitted]. A source that ranks share counts places in the
    /// order that is common to all of them.
    ///
    /// @param epoch counted from 0
    /// @param place its number in the epoch's order; of shards, in that of this rank
    default void placed(String source, long item, long epoch, long place) {}

    /// The same, with the number of the source; calls [#placed(String, long, long, long)] unless it is overridden.
    ///
    /// @param number of the source in the pipeline, counted from 0
    default void placed(String source, int number, long item, long epoch, long place) {
        placed(source, item, epoch, place);
    }

    /// A stage's function has returned or thrown.
    default void worked(String stage, long item, long start, long end, Outcome outcome) {}

    /// Several items have become one.
    ///
    /// @param item    the number of the new item
    /// @param members the numbers of those it was made from
    default void grouped(String stage, long item, long[] members, long now) {}

    /// The consumer has received an item.
    ///
    /// @param asked    when the consumer began to wait for it; of a wait in several calls, such as those of
    ///     `Run.poll`, what it did between them is left out
    /// @param received when it came
    default void delivered(long item, long asked, long received) {}
}
