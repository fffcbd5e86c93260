package org.jspdl.observe.process;

/// The few figures of this process that a live view shows. What the system does not tell is -1.
///
/// @param at         when, by [System#nanoTime]
/// @param cpuNanos   processor time of all threads
/// @param busyNanos  processor time of all processes of the machine, and of the host of a virtual one
/// @param processors how many this process may use
/// @param resident   bytes of resident memory
/// @param pools      bytes held by buffer pools, outside the heap
public record BriefUsage(long at, long cpuNanos, long busyNanos, int processors, long resident, long pools) {}
