package org.jspdl.input;

import org.jspecify.annotations.Nullable;

/// Input that could not be read at all: missing, not permitted, or lost on the way.
public final class ReadException extends InputException {
    private static final long serialVersionUID = 1L;

    private ReadException(String source, String text, @Nullable Throwable cause) {
        super(source, text, UNKNOWN, cause);
    }

    /// An exception for `source`, which could not be read.
    public static ReadException of(String source, String reason, Throwable cause) {
        return new ReadException(source, reason, cause);
    }

    @Override
    public ReadException withSource(String source) {
        return withThisTrace(new ReadException(source, text(), getCause()));
    }
}
