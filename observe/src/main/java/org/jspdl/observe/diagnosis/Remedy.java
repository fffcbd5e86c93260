package org.jspdl.observe.diagnosis;

import java.util.Locale;

/// Something to change, and what that would give.
///
/// @param kind what to change
/// @param stage where; empty if it is not one stage
/// @param what what to change, as a sentence without its full stop
/// @param rate batches per second after the change, as far as the model tells
/// @param gain `rate` as a multiple of the rate that was measured
public record Remedy(Kind kind, String stage, String what, double rate, double gain) {

    /// What to change.
    public enum Kind {
        /// A consumer that takes half as long.
        FASTER_CONSUMER,
        /// A function, or a source, that takes half as long.
        FASTER_STAGE,
        /// One more worker for a stage.
        MORE_WORKERS,
        /// Twice the processors.
        MORE_PROCESSORS,
        /// The processors for this process alone.
        NO_OTHER_PROCESSES,
        /// Storage that answers twice as fast.
        FASTER_STORAGE,
        /// A cache in memory in front of the storage.
        CACHE,
        /// Larger buffers between stages.
        LARGER_BUFFERS,
        /// No item slower than the 90th percentile.
        NO_STRAGGLERS,
        /// No pauses of the garbage collector.
        NO_GC,
        /// No bound on the bytes in flight.
        MORE_MEMORY
    }

    @Override
    public String toString() {
        String effect = gain < 1.02
                ? "no gain"
                : String.format(Locale.ROOT, "%+.0f %%, to %s batches/s", 100 * (gain - 1), count(rate));
        return what + ": " + effect;
    }

    private static String count(double rate) {
        return rate < 100 ? String.format(Locale.ROOT, "%.1f", rate) : String.format(Locale.ROOT, "%,.0f", rate);
    }
}
