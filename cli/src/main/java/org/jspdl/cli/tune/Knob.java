package org.jspdl.cli.tune;

/// A number that a search may change.
///
/// @param name  as in tables: the stage, or what it is
/// @param kind  what it is a number of
/// @param least the least value
/// @param most  the most
/// @param start the value that the plan has
public record Knob(String name, Kind kind, int least, int most, int start) {
    /// What there is a number of.
    public enum Kind {
        /// Workers of one stage.
        WORKERS,
        /// Items that may wait behind each stage with workers.
        BUFFERS,
        /// Batches that may wait for the consumer.
        PREFETCH
    }

    /// Checks the numbers.
    public Knob {
        if (least < 1 || most < least) {
            throw new IllegalArgumentException(name + ": at least " + least + " and at most " + most);
        }
        start = Math.clamp(start, least, most);
    }

    int scaled(int value, double factor) {
        int scaled = Math.clamp(Math.round(value * factor), least, most);
        return scaled != value ? scaled : Math.clamp(value + (factor > 1 ? 1 : -1), least, most);
    }
}
