package org.jspdl.python.function;

/// A helper process is gone, writes nowhere any more, and another takes its place: the sample that it was at has
/// failed.
final class HelperGoneException extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean broken;
    private final transient FunctionException failure;

    private HelperGoneException(FunctionException failure, boolean broken) {
        super(failure.getMessage());
        this.failure = failure;
        this.broken = broken;
    }

    HelperGoneException(String function, String sample, String what) {
        this(new FunctionException(function, sample, what, null), false);
    }

    /// One that cannot load the function, which no other could either.
    static HelperGoneException broken(String function, String sample, String what) {
        return new HelperGoneException(
                new FunctionException(
                        function, sample, "the function cannot be loaded in a helper process: " + what, null),
                true);
    }

    /// One that has to go, since the function has kept what the next sample is written over.
    static HelperGoneException kept(FunctionException failure) {
        return new HelperGoneException(failure, false);
    }

    boolean isBroken() {
        return broken;
    }

    /// The same for the stage.
    FunctionException failure() {
        return failure;
    }
}
