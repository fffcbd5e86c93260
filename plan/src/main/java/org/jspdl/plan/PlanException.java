package org.jspdl.plan;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/// A plan cannot be used. The message lists every error with its line.
public final class PlanException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    PlanException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
