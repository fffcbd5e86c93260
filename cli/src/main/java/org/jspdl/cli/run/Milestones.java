package org.jspdl.cli.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/// When a run had delivered its first 100, 1,000, 10,000, ... items, over all epochs. Used by one thread.
public final class Milestones {
    private static final long FIRST = 100;

    private final DoubleSupplier secondsSinceStart;
    private final Supplier<Duration> cpuTime;
    private final List<Milestone> reached = new ArrayList<>();
    private long next = FIRST;

    /// A run that has delivered nothing yet.
    ///
    /// @param secondsSinceStart asked when a milestone is reached, as is `cpuTime`
    Milestones(DoubleSupplier secondsSinceStart, Supplier<Duration> cpuTime) {
        this.secondsSinceStart = secondsSinceStart;
        this.cpuTime = cpuTime;
    }

    /// Those of this process.
    static Milestones ofThisProcess() {
        return new Milestones(ProcessFigures::secondsSinceStart, ProcessFigures::cpuTime);
    }

    /// Takes note that `total` items have been delivered.
    void delivered(long total) {
        while (total >= next) {
            reached.add(new Milestone(next, secondsSinceStart.getAsDouble(), cpuTime.get()));
            next *= 10;
        }
    }

    /// Those that were reached, in order.
    List<Milestone> reached() {
        return List.copyOf(reached);
    }

    /// The batch that brought the run to at least `items` items.
    ///
    /// @param seconds from the start of the process, the launcher included, until the batch was there
    /// @param cpu     processor time of the process until then
    public record Milestone(long items, double seconds, Duration cpu) {}
}
