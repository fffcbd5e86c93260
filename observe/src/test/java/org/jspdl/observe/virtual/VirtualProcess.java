package org.jspdl.observe.virtual;

import java.time.Duration;
import java.util.Map;
import org.jspdl.observe.diagnosis.Evidence;
import org.jspdl.observe.process.ProcessUsage;
import org.jspdl.stats.PipelineStats;

/// A process around a [Tandem] on a machine of two processors.
///
/// @param used    processors that working threads keep busy
/// @param others  processors that others keep busy, what the machine's host takes included
/// @param stolen  processors that the machine's host takes
/// @param delayed nanoseconds that working threads wait for a processor, for each nanosecond they have one
/// @param paused  the part of the time during which the garbage collector stops the program
public record VirtualProcess(double used, double others, double stolen, double delayed, double paused) {
    /// How many processors the machine has.
    public static final int PROCESSORS = 2;

    private static final ProcessUsage.Memory MEMORY =
            new ProcessUsage.Memory(1 << 20, 1 << 30, 0, 1 << 27, 1L << 32, 0);
    private static final ProcessUsage.Transfer TRANSFER = new ProcessUsage.Transfer(0, 0, 0, 0, 10);

    /// A process whose threads wait nearly all the time.
    public static VirtualProcess idle() {
        return using(0.02);
    }

    /// A process alone on its machine.
    public static VirtualProcess using(double processors) {
        return new VirtualProcess(processors, 0, 0, 0, 0);
    }

    /// What is known of a run of `stats` in this process.
    public Evidence around(PipelineStats stats, Map<String, Evidence.Work> work) {
        Duration elapsed = stats.elapsed();
        long busy = part(elapsed, used + others);
        return new Evidence(
                stats,
                new ProcessUsage(
                        elapsed.toNanos(),
                        Duration.ofNanos(part(elapsed, used)),
                        new ProcessUsage.Threads(part(elapsed, used), 0, 0, 0, part(elapsed, used * delayed)),
                        new ProcessUsage.Machine(
                                PROCESSORS, busy, PROCESSORS * elapsed.toNanos(), part(elapsed, stolen)),
                        new ProcessUsage.Garbage(10, part(elapsed, paused), 1 << 20),
                        MEMORY,
                        TRANSFER),
                work);
    }

    private static long part(Duration elapsed, double processors) {
        return Math.round(elapsed.toNanos() * processors);
    }
}
