package org.jspdl.cli.run;

import java.time.Duration;

/// What one epoch took, from the last batch of the epoch before (or the start of the run) to its own last batch.
///
/// @param cpu processor time of the whole process in that time
public record EpochFigures(long items, long batches, Duration elapsed, Duration cpu) {

    double itemsPerSecond() {
        return elapsed.isZero() ? 0 : items / (elapsed.toNanos() / 1e9);
    }

    double cpuSecondsPer1000Items() {
        return items == 0 ? 0 : cpu.toNanos() / 1e6 / items;
    }
}
