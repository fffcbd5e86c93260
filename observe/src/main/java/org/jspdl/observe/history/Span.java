package org.jspdl.observe.history;

/// One call of a stage's function or of a source, for one item. Times are those of [System#nanoTime].
///
/// @param source whether a source yielded the item
/// @param item   what the item said that it is; empty if it was not asked
/// @param thread which worked on it; 0 if that tells nothing
public record Span(String stage, boolean source, long start, long end, String item, long thread) {
    /// How much of it lies between `from` and `to`, in nanoseconds.
    public long within(long from, long to) {
        return Math.max(0, Math.min(end, to) - Math.max(start, from));
    }
}
