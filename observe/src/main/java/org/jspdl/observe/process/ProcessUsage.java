package org.jspdl.observe.process;

import java.time.Duration;

/// What this process has used up to one moment, and what it held at that moment.
///
/// Counters go on from the start of the process; [#since] makes an interval of two snapshots. What the system does not
/// tell is -1 (all of `/proc` outside Linux), or zero in [Threads].
///
/// @param at       when, by [System#nanoTime]
/// @param cpu      processor time of all threads
/// @param threads  processor time by what the threads are for
/// @param machine  what all processes together made of the processors
/// @param garbage  what the garbage collector did
/// @param memory   what was held
/// @param transfer what was read and written
public record ProcessUsage(
        long at, Duration cpu, Threads threads, Machine machine, Garbage garbage, Memory memory, Transfer transfer) {

    /// Processor time by the use of threads, in nanoseconds.
    ///
    /// @param compute  threads of compute pools, which run `cpu` stages
    /// @param carriers carriers of virtual threads, which run `io` stages, sources and batches
    /// @param garbage  threads of the garbage collector
    /// @param compiler threads of the just-in-time compiler
    /// @param delayed  time that compute threads and carriers were ready to run while other threads had the
    ///     processors
    public record Threads(long compute, long carriers, long garbage, long compiler, long delayed) {}

    /// The processors, which other processes use too, in nanoseconds summed over processors.
    ///
    /// @param processors how many this process may use
    /// @param busy       time they were used by anybody, by the host of a virtual machine too
    /// @param total      time there was
    /// @param stolen     time in which the host of a virtual machine gave them to somebody else
    public record Machine(int processors, long busy, long total, long stolen) {}

    /// The garbage collector.
    ///
    /// @param pauses      collections that stopped the program
    /// @param pauseNanos  how long they stopped it
    /// @param allocated   bytes that were allocated on the heap
    public record Garbage(long pauses, long pauseNanos, long allocated) {}

    /// Memory, in bytes.
    ///
    /// @param heap        used on the heap, garbage not yet found included
    /// @param heapLimit   the most the heap may become
    /// @param pools       held by buffer pools, outside the heap
    /// @param resident    resident memory of the process
    /// @param available   what the machine has left
    /// @param majorFaults pages that had to be read from a disk
    public record Memory(long heap, long heapLimit, long pools, long resident, long available, long majorFaults) {}

    /// Reads, writes and descriptors.
    ///
    /// @param read        bytes read by system calls, from the page cache or not; mapped files don't count
    /// @param disk        bytes that a disk had to read
    /// @param written     bytes written by system calls
    /// @param stalled     nanoseconds during which some thread of the machine waited for a disk
    /// @param descriptors open files and sockets at this moment
    public record Transfer(long read, long disk, long written, long stalled, long descriptors) {}

    /// What was used between `earlier` and this snapshot; gauges are those of this one.
    public ProcessUsage since(ProcessUsage earlier) {
        return new ProcessUsage(
                at - earlier.at,
                cpu.minus(earlier.cpu),
                new Threads(
                        lap(threads.compute, earlier.threads.compute),
                        lap(threads.carriers, earlier.threads.carriers),
                        lap(threads.garbage, earlier.threads.garbage),
                        lap(threads.compiler, earlier.threads.compiler),
                        lap(threads.delayed, earlier.threads.delayed)),
                new Machine(
                        machine.processors,
                        lap(machine.busy, earlier.machine.busy),
                        lap(machine.total, earlier.machine.total),
                        lap(machine.stolen, earlier.machine.stolen)),
                new Garbage(
                        garbage.pauses - earlier.garbage.pauses,
                        garbage.pauseNanos - earlier.garbage.pauseNanos,
                        lap(garbage.allocated, earlier.garbage.allocated)),
                new Memory(
                        memory.heap,
                        memory.heapLimit,
                        memory.pools,
                        memory.resident,
                        memory.available,
                        lap(memory.majorFaults, earlier.memory.majorFaults)),
                new Transfer(
                        lap(transfer.read, earlier.transfer.read),
                        lap(transfer.disk, earlier.transfer.disk),
                        lap(transfer.written, earlier.transfer.written),
                        lap(transfer.stalled, earlier.transfer.stalled),
                        transfer.descriptors));
    }

    /// A thread that has ended takes its time with it, so a sum may fall.
    private static long lap(long now, long earlier) {
        return now < 0 || earlier < 0 ? -1 : Math.max(0, now - earlier);
    }

    /// Of an interval: how many processors this process kept busy.
    public double processorsUsed() {
        return at <= 0 ? 0 : (double) cpu.toNanos() / at;
    }

    /// Of an interval: how many processors others kept busy, the host of a virtual machine included; 0 where that
    /// is not known.
    public double processorsUsedByOthers() {
        if (at <= 0 || machine.busy < 0) {
            return 0;
        }
        return Math.max(0, (double) (machine.busy - cpu.toNanos()) / at);
    }

    /// Of an interval: how many processors the host of a virtual machine took away; 0 where that is not known.
    public double processorsStolen() {
        return at <= 0 ? 0 : Math.max(0, (double) machine.stolen / at);
    }

    /// Of an interval: the part of the time during which the garbage collector stopped the program.
    public double pausedShare() {
        return at <= 0 ? 0 : Math.clamp((double) garbage.pauseNanos / at, 0.0, 1.0);
    }

    /// Of an interval: the part of the time that working threads lost to other threads and to the host of a virtual
    /// machine, of the time they ran or could have run.
    public double delayedShare() {
        double worked = (double) threads.compute + threads.carriers;
        double lost = threads.delayed + stolenFrom(worked);
        return worked + lost <= 0 ? 0 : lost / (worked + lost);
    }

    /// The scheduler does not see what the host takes from a running thread, so threads lose of it what they have
    /// of the processors.
    private double stolenFrom(double worked) {
        long ran = machine.busy - machine.stolen;
        return machine.stolen <= 0 || ran <= 0 ? 0 : machine.stolen * Math.min(1, worked / ran);
    }
}
