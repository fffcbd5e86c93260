package org.jspdl.files;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/// Files that are written under a name of their own, then moved to their place, so that they are there whole or not at
/// all.
///
/// In a folder that others can write, somebody may have put a link where the unfinished file is to lie. It is removed,
/// never written through.
public final class FreshFile {
    private FreshFile() {}

    /// Makes an empty file called as `file` with `.part` behind, in place of what an earlier run may have left
    /// there.
    ///
    /// @return its path
    public static Path beside(Path file) throws IOException {
        return create(file.resolveSibling(file.getFileName() + ".part"));
    }

    /// Makes an empty file in place of what lies there.
    ///
    /// @return `file`
    /// @throws java.nio.file.FileAlreadyExistsException if somebody else makes one at the same time
    public static Path create(Path file) throws IOException {
        Files.deleteIfExists(file);
        return Files.createFile(file); // refuses links, also those that lead nowhere
    }

    /// Gives a complete file its name, in place of what was called so.
    public static void move(Path complete, Path file) throws IOException {
        Files.move(complete, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /// Writes `text` to `file`, whole or not at all.
    ///
    /// @throws FileSystemException if it can't be written; it names the file, and nothing is left of it
    public static void write(Path file, CharSequence text) throws IOException {
        Path part = beside(file);
        try {
            Files.writeString(part, text);
            move(part, file);
        } catch (IOException failure) {
            throw named(file, failure);
        } finally {
            Files.deleteIfExists(part);
        }
    }

    /// `failure` of writing `file`, which it names. What a disk that is full says does not.
    public static FileSystemException named(Path file, IOException failure) {
        if (failure instanceof FileSystemException system) {
            return system;
        }
        FileSystemException named = new FileSystemException(file.toString(), null, failure.getMessage());
        named.initCause(failure);
        return named;
    }
}
