package org.jspdl.python.function;

import org.jspecify.annotations.Nullable;

/// A function of the trainer's has failed, or the process that it ran in has died. The message names function and
/// sample.
public final class FunctionException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String function;
    private final String sample;
    private final @Nullable String raised;

    /// @param raised the exception of Python as the helper has written it down; null if there is none
    FunctionException(String function, String sample, String what, @Nullable String raised) {
        super("map(" + function + ") failed at " + sample + ": " + what);
        this.function = function;
        this.sample = sample;
        this.raised = raised;
    }

    /// What messages call the function.
    public String function() {
        return function;
    }

    /// What messages call the sample.
    public String sample() {
        return sample;
    }

    /// The exception of Python as the helper has written it down; null if there is none.
    public @Nullable String raised() {
        return raised;
    }
}
