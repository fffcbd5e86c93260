package org.jspdl.plan;

import java.io.Serial;
import java.util.List;
import java.util.stream.Collectors;

/// A plan cannot be used; names every problem that was found.
public final class PlanException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    private final transient List<Problem> problems;

    /// Of these problems, at least one.
    public PlanException(List<Problem> problems) {
        super(problems.stream().map(Problem::toString).collect(Collectors.joining(System.lineSeparator())));
        this.problems = List.copyOf(problems);
    }

    PlanException(Problem problem, Throwable cause) {
        this(List.of(problem));
        initCause(cause);
    }

    /// The problems in the order of the plan.
    public List<Problem> problems() {
        return problems;
    }
}
