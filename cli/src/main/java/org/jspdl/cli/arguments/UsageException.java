package org.jspdl.cli.arguments;

import java.io.Serial;

/// The command line cannot be understood; the message is one line that says why.
public final class UsageException extends Exception {
    @Serial
    private static final long serialVersionUID = 1;

    /// An exception whose message is shown to the user as it is.
    public UsageException(String message) {
        super(message);
    }
}
