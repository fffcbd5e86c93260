package org.jspdl.cli;

import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import org.jspdl.data.storage.StorageException;

/// Says in a few words why a file could not be read, without repeating its path.
public final class Reason {
    private Reason() {}

    /// The reason for `failure`.
    public static String of(Throwable failure) {
        return switch (failure) {
            case NoSuchFileException _ -> "the file does not exist";
            case AccessDeniedException _ -> "permission denied";
            case FileSystemException system when system.getReason() != null -> system.getReason();
            case StorageException storage -> withoutLocation(storage);
            case java.io.UncheckedIOException unchecked when unchecked.getCause() != null -> of(unchecked.getCause());
            default -> failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
        };
    }

    private static String withoutLocation(StorageException failure) {
        String message = String.valueOf(failure.getMessage());
        String location = failure.location() + ": ";
        return message.startsWith(location) ? message.substring(location.length()) : message;
    }
}
