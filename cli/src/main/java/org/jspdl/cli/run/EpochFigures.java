package org.jspdl.cli.run;

import java.time.Duration;

/// What one epoch took, from the last batch of the epoch before (or the start of the run) to its own last batch.
///
/// @param cpu processor time of the whole process in that time
public record EpochFigures(long items, long batches, Duration elapsed, Duration cpu) {

    /// Items of the epoch a second.
    public double itemsPerSecond() {
        return elapsed.isZero() ? 0 : items / (elapsed.toNanos() / 1e9);
    }

    /// Processor time for 1,000 items, in seconds.
    public double cpuSecondsPer1000Items() {
        return items == 0 ? 0 : cpu.toNanos() / 1e6 / items;
    }
}
