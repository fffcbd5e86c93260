package org.jspdl.data.dataset;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspdl.data.storage.FileNames;
import org.jspdl.media.image.ImageDecoder;

/// What lies in a folder of a local disk, and what names alone do not say of it.
final class Folder {
    /// As many bytes as tell what format an image has.
    private static final int HEAD_BYTES = 64;

    private Folder() {}

    /// Tells `each` the names of what lies in `folder`, in no order; what is hidden or a system's own is left out.
    /// Names are as [FileNames] says, under any locale.
    static void names(Path folder, Consumer<String> each) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            for (Path entry : entries) {
                String name = FileNames.name(entry);
                if (!FileNames.isHidden(name)) {
                    each.accept(name);
                }
            }
        } catch (java.nio.file.DirectoryIteratorException unreadable) {
            throw unreadable.getCause();
        }
    }

    /// What is called `name` in `folder`.
    ///
    /// @throws DatasetException if no file can be called so
    static Path child(Path folder, String name) throws DatasetException {
        try {
            return FileNames.resolve(folder, name);
        } catch (InvalidPathException impossible) {
            throw new DatasetException(
                    "no file can be called '" + name + "' in " + folder + ": " + FileNames.reason(impossible),
                    impossible);
        }
    }

    /// Whether a file begins as an image does, or cannot be read; false for what is no regular file.
    static boolean beginsAsImage(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            return false;
        }
        byte[] head = new byte[HEAD_BYTES];
        int length;
        try (var in = Files.newInputStream(file)) {
            length = in.readNBytes(head, 0, HEAD_BYTES);
        } catch (AccessDeniedException unreadable) {
            return true; // reading it says so, and the policy for failures decides
        }
        return ImageDecoder.format(MemorySegment.ofArray(head).asSlice(0, length))
                .isPresent();
    }
}
