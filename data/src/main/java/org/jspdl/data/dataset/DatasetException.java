package org.jspdl.data.dataset;

import java.io.IOException;
import java.io.Serial;

/// A dataset cannot be used; the message is one line that names it and says why.
public final class DatasetException extends IOException {
    @Serial
    private static final long serialVersionUID = 1;

    /// An exception whose message is shown to the user as it is.
    public DatasetException(String message) {
        super(message);
    }

    /// As above, with what led to it.
    public DatasetException(String message, Throwable cause) {
        super(message, cause);
    }
}
