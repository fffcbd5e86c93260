package org.jspdl.pipeline.internal.tune;

/// What a process uses of the machine, at one moment. Times are nanoseconds since any moment, summed over processors.
///
/// @param at             when
/// @param processNanos   processor time of this process; -1 if it is not known
/// @param machineNanos   processor time of all processes on these processors; -1 if it is not known
/// @param processors     how many processors this process may run on
/// @param usable         the time of how many of them this process may use, by its control groups and its budget
/// @param residentBytes  resident memory of this process
/// @param headroomBytes  what is left until the first limit of memory: the budget's, a control group's, the machine's
/// @param limitBytes     that limit
public record Resources(
        long at,
        long processNanos,
        long machineNanos,
        double processors,
        double usable,
        long residentBytes,
        long headroomBytes,
        long limitBytes) {
    private static final double SCARCE = 0.05;

    /// How many processors this process has used since `earlier`; 0 if it is not known.
    double used(Resources earlier) {
        return at <= earlier.at || processNanos < 0
                ? 0
                : (double) (processNanos - earlier.processNanos) / (at - earlier.at);
    }

    /// How many processors others have used since `earlier`; 0 if it is not known.
    double usedByOthers(Resources earlier) {
        if (at <= earlier.at || machineNanos < 0) {
            return 0;
        }
        return Math.max(0, (double) (machineNanos - earlier.machineNanos) / (at - earlier.at) - used(earlier));
    }

    /// How many processors were there for this process since `earlier`: what it has used, what nobody has, and in
    /// any case what one more thread gets beside as many as the others kept busy. Without that share a stage that
    /// only waits could not have more calls under way on a machine that others use up.
    double available(Resources earlier) {
        double others = usedByOthers(earlier);
        double share = processors / (1 + Math.ceil(others));
        return Math.max(used(earlier), Math.min(usable, Math.max(processors - others, share)));
    }

    /// Whether hardly any memory is left.
    boolean isMemoryScarce() {
        return headroomBytes < SCARCE * limitBytes;
    }
}
