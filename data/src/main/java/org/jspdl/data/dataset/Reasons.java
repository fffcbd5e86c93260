package org.jspdl.data.dataset;

import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/// Says in a few words why something could not be read, without repeating where it lies.
final class Reasons {
    private Reasons() {}

    static String of(Throwable failure, String location) {
        String message = switch (failure) {
            case UncheckedIOException unchecked when unchecked.getCause() != null -> of(unchecked.getCause(), location);
            case NoSuchFileException _ -> "the file does not exist";
            case AccessDeniedException _ -> "permission denied";
            case FileSystemException system when system.getReason() != null -> system.getReason();
            default -> failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
        };
        return message.startsWith(location + ": ") ? message.substring(location.length() + 2) : message;
    }
}
