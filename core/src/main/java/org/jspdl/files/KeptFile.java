package org.jspdl.files;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/// Opens files that are written where they lie, by one process after another, and nothing else that a path may name: a
/// named pipe would be waited for until somebody reads from it, and what goes into it or into a socket is not kept.
/// A device is opened, and says itself what it takes.
public final class KeptFile {
    private static final int KIND = 0170000;
    private static final int PIPE = 0010000;
    private static final int SOCKET = 0140000;

    private KeptFile() {}

    /// Opens a file to write; the caller closes it. Links are followed.
    ///
    /// @throws FileSystemException if it is a folder, a pipe or a socket, or can't be opened
    public static FileChannel open(Path file, OpenOption... options) throws IOException {
        BasicFileAttributes found;
        try {
            found = Files.readAttributes(file, BasicFileAttributes.class);
        } catch (NoSuchFileException missing) {
            return FileChannel.open(file, options);
        }
        if (found.isDirectory()) {
            throw new FileSystemException(file.toString(), null, "it is a folder, not a file");
        }
        if (found.isOther() && keepsNothing(file)) {
            throw new FileSystemException(file.toString(), null, "it is no file but a pipe or a socket");
        }
        return FileChannel.open(file, options);
    }

    private static boolean keepsNothing(Path file) throws IOException {
        if (!SafeFolders.hasModes() || !(Files.getAttribute(file, "unix:mode") instanceof Integer mode)) {
            return false;
        }
        return (mode & KIND) == PIPE || (mode & KIND) == SOCKET;
    }
}
