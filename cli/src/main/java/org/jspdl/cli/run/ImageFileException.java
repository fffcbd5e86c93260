package org.jspdl.cli.run;

import java.io.Serial;

/// An image file could not be read or decoded.
final class ImageFileException extends Exception {
    @Serial
    private static final long serialVersionUID = 1;

    private final String path;
    private final String reason;

    ImageFileException(String path, String reason, Throwable cause) {
        super(path + ": " + reason, cause);
        this.path = path;
        this.reason = reason;
    }

    /// The file.
    String path() {
        return path;
    }

    /// What is wrong with it, without its path.
    String reason() {
        return reason;
    }
}
