package org.jspdl.plan.text;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/// The text of a plan cannot be used. Its message shows every problem with its line.
public final class PlanTextException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    PlanTextException(String listing, @Nullable Throwable cause) {
        super(listing, cause);
    }
}
