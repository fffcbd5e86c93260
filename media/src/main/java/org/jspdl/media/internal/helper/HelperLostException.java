package org.jspdl.media.internal.helper;

import java.io.Serial;

/// A helper process ended, or was ended, before it answered.
public final class HelperLostException extends Exception {
    @Serial
    private static final long serialVersionUID = 1;

    private final boolean overran;

    /// @param message what happened to it, to be read behind "the process that decodes it"
    public HelperLostException(String message, boolean overran) {
        super(message);
        this.overran = overran;
    }

    /// Whether it exceeded its deadline, rather than crashed.
    public boolean overran() {
        return overran;
    }
}
