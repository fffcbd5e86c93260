package org.jspdl.cli.dataset;

import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/// Says in a few words why a file could not be read, without repeating its path.
public final class Reason {
    private Reason() {}

    /// The reason for `failure`.
    public static String of(Throwable failure) {
        return switch (failure) {
            case NoSuchFileException _ -> "the file does not exist";
            case AccessDeniedException _ -> "permission denied";
            case FileSystemException system when system.getReason() != null -> system.getReason();
            case java.io.UncheckedIOException unchecked when unchecked.getCause() != null -> of(unchecked.getCause());
            default -> failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
        };
    }
}
