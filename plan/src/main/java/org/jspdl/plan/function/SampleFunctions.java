package org.jspdl.plan.function;

import java.util.SequencedMap;
import org.jspdl.memory.SlabProvider;

/// Functions of the program that runs a plan, which steps `call-function` call by name; offered by
/// [org.jspdl.plan.PlanContext#offer]. Thread-safe.
public interface SampleFunctions {
    /// The function called `name`.
    ///
    /// @throws IllegalArgumentException if the program has none
    SampleFunction named(String name);

    /// Memory in which functions see the arrays of samples without a copy. It outlives the compiled plan.
    SlabProvider memory();

    /// Makes another sample of a sample.
    @FunctionalInterface
    interface SampleFunction {
        /// What the fields of a sample become. Waits until that is done.
        ///
        /// @param sample what the sample is called in messages
        /// @param fields tensors, numbers, texts and booleans, which stay the caller's
        /// @param seed   of what the function leaves to chance
        /// @throws Exception if the function fails; the message names function and sample
        Made apply(String sample, SequencedMap<String, ?> fields, long seed) throws Exception;
    }

    /// What a function has made.
    ///
    /// @param fields tensors, texts, and [Opaque] values; the tensors may be views of what was given
    /// @param owned  the memory of those that are not; closed with the sample
    /// @param apart  whether no tensor is a view of what was given, which is not needed any more then
    record Made(SequencedMap<String, Object> fields, AutoCloseable owned, boolean apart) {}

    /// A value that only the program understands, written down as it likes.
    record Opaque(String text) {}
}
