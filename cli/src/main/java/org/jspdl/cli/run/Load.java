package org.jspdl.cli.run;

import org.jspdl.observe.process.ProcessUsage;

/// What the processors of the machine have done up to a moment, in nanoseconds since any moment, summed over
/// processors.
///
/// @param at       when
/// @param own      for this process, but not for compiling it
/// @param compiler for compiling this process's code, which ends some time
/// @param others   for other processes, the host of a virtual machine included
/// @param total    all the time there was; 0 if nothing is known
/// @param usable   how many of the processors this process may use
record Load(long at, long own, long compiler, long others, long total, int usable) {
    /// A process that uses this part of what is left to it is limited by it.
    private static final double SATURATED = 0.9;

    /// A load of which only the moment is known.
    static Load unknown(long at) {
        return new Load(at, 0, 0, 0, 0, 1);
    }

    static Load of(ProcessUsage usage) {
        ProcessUsage.Machine machine = usage.machine();
        if (machine.total() <= 0) {
            return unknown(usage.at());
        }
        long cpu = usage.cpu().toNanos();
        long compiler = Math.max(0, usage.threads().compiler());
        return new Load(
                usage.at(), cpu - compiler, compiler, machine.busy() - cpu, machine.total(), machine.processors());
    }

    /// What was done between `earlier` and this moment; `at` is the time between.
    Load since(Load earlier) {
        return new Load(
                Math.max(1, at - earlier.at),
                own - earlier.own,
                compiler - earlier.compiler,
                Math.max(0, others - earlier.others),
                total - earlier.total,
                usable);
    }

    boolean isKnown() {
        return total > 0;
    }

    /// How many processors were left to this process in the time `at`.
    double left() {
        return Math.max((double) own + compiler, leftBy(others)) / at;
    }

    /// How many processors the pipeline could have had in the time `at`, had it not been for compiling.
    double leftToWork() {
        return Math.max((double) own, left() * at - compiler) / at;
    }

    /// How many processors are left to this process if others use `processors`.
    double leftBy(double processors) {
        return Math.clamp((double) total / at - processors, 0.01, usable);
    }

    private double leftBy(long othersNanos) {
        return leftBy((double) othersNanos / at) * at;
    }

    /// Whether the process used all that was left to it: more would make it faster.
    boolean isSaturated() {
        return isKnown() && own + compiler >= SATURATED * left() * at;
    }

    /// How many processors the compiler used in the time `at`.
    double compiling() {
        return (double) compiler / at;
    }
}
