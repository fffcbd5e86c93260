package org.jspdl.pipeline;

import java.util.OptionalDouble;
import java.util.OptionalLong;

/// What the tuner of `auto` stages may use. Immutable.
///
/// Limits of the machine and of control groups (v1 and v2) hold without being set: the tuner raises nothing that it
/// expects not to fit into the memory that is left, and lowers something when less than a twentieth is left.
///
/// @param processors how many processors the run's `cpu` stages may use, a part of one counted as one; empty for all
///     that the process may use. A run with fewer has compute threads of its own
/// @param memoryBytes how much resident memory the process may use, on and off the heap and of mapped files; empty for
///     what the machine and the control groups leave
public record TuningBudget(OptionalDouble processors, OptionalLong memoryBytes) {
    /// Nothing beyond the limits of the machine and of the control groups.
    public static final TuningBudget MACHINE = new TuningBudget(OptionalDouble.empty(), OptionalLong.empty());

    /// Checks the numbers.
    public TuningBudget {
        if (processors.isPresent() && !(processors.getAsDouble() > 0)) {
            throw new IllegalArgumentException("processors must be above 0 but was " + processors.getAsDouble());
        }
        if (memoryBytes.isPresent() && memoryBytes.getAsLong() < 1) {
            throw new IllegalArgumentException("memoryBytes must be at least 1 but was " + memoryBytes.getAsLong());
        }
    }

    /// The same with this number of processors.
    public TuningBudget processors(double number) {
        return new TuningBudget(OptionalDouble.of(number), memoryBytes);
    }

    /// The same with this much resident memory.
    public TuningBudget memoryBytes(long bytes) {
        return new TuningBudget(processors, OptionalLong.of(bytes));
    }
}
