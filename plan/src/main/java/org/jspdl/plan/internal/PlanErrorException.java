package org.jspdl.plan.internal;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/// Reading or compiling a plan cannot continue after this error.
public final class PlanErrorException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    private final transient PlanError error;

    /// An error that the text alone explains.
    public PlanErrorException(SourceLocation location, String message) {
        this(location, message, null);
    }

    /// An error at `location` that `cause` explains.
    public PlanErrorException(SourceLocation location, String message, @Nullable Throwable cause) {
        super(AddressMask.of(message), cause);
        this.error = new PlanError(location, message);
    }

    /// The error.
    public PlanError error() {
        return error;
    }
}
