package org.jspdl.data.storage;

import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/// Says in a few words why something could not be read, without repeating where it lies.
public final class FailureReasons {
    private FailureReasons() {}

    /// The reason for `failure`.
    public static String of(Throwable failure) {
        return switch (failure) {
            case UncheckedIOException unchecked when unchecked.getCause() != null -> of(unchecked.getCause());
            case NoSuchFileException _ -> "the file does not exist";
            case AccessDeniedException _ -> "permission denied";
            case FileAlreadyExistsException _ -> "there is a file of that name";
            case FileSystemException system when system.getReason() != null -> advised(system.getReason());
            case StorageException storage ->
                without(storage.location().toString(), String.valueOf(storage.getMessage()));
            default -> failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
        };
    }

    /// The reason for `failure`, which concerns `location`.
    public static String of(Throwable failure, Location location) {
        return without(location.toString(), of(failure));
    }

    /// The reason for `failure`, behind the file that it concerns if it is one of the file system.
    public static String withFile(Throwable failure) {
        Throwable known = failure;
        if (failure instanceof UncheckedIOException unchecked && unchecked.getCause() != null) {
            known = unchecked.getCause();
            String said = String.valueOf(unchecked.getMessage());
            if (!said.equals(known.toString())) {
                return said.contains(of(known)) ? said : said + ": " + of(known);
            }
        }
        return known instanceof FileSystemException system ? system.getFile() + ": " + of(system) : of(known);
    }

    private static String advised(String reason) {
        return reason.equals("Too many open files")
                ? reason + " for what 'ulimit -n' allows; raise that limit, or lower the number of workers"
                : reason;
    }

    private static String without(String location, String message) {
        return message.startsWith(location + ": ") ? message.substring(location.length() + 2) : message;
    }
}
