package org.jspdl.observe.machine;

/// What a run took of the machine beyond what its own process tells.
///
/// @param energy what the processors took, for all processes of the machine
/// @param group  what the process and those it has started use
public record MachineUsage(Energy energy, ProcessGroup group) {
    /// Nothing is known.
    public static final MachineUsage UNKNOWN =
            new MachineUsage(Energy.unknown("it was not measured"), ProcessGroup.UNKNOWN);

    /// What was used between `earlier` and this moment.
    public MachineUsage since(MachineUsage earlier) {
        return new MachineUsage(energy.since(earlier.energy), group.since(earlier.group));
    }
}
