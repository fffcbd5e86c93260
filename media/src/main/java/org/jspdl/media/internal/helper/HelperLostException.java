package org.jspdl.media.internal.helper;

import java.io.Serial;

/// A helper process ended, or was ended, before it answered.
public final class HelperLostException extends Exception {
    @Serial
    private static final long serialVersionUID = 1;

    private final boolean overran;
    private final boolean told;

    /// @param message what happened to it, to be read behind "the process that decodes it"
    public HelperLostException(String message, boolean overran) {
        this(message, overran, false);
    }

    HelperLostException(String message, boolean overran, boolean told) {
        super(message);
        this.overran = overran;
        this.told = told;
    }

    /// Whether it was told to end, as by a signal of a terminal, which is not the fault of what it was decoding.
    public boolean wasToldToEnd() {
        return told;
    }

    /// Whether it exceeded its deadline, rather than crashed.
    public boolean overran() {
        return overran;
    }
}
