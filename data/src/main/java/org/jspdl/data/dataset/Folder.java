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
    private static final char REPLACED = '\uFFFD';

    private Folder() {}

    /// Tells `each` the names of what lies in `folder`, in no order; hidden files and folders are left out.
    ///
    /// @throws DatasetException as [#checked]
    static void names(Path folder, Consumer<String> each) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            for (Path entry : entries) {
                String name = checked(entry);
                if (!name.startsWith(".")) {
                    each.accept(name);
                }
            }
        } catch (java.nio.file.DirectoryIteratorException unreadable) {
            throw unreadable.getCause();
        }
    }

    /// The name of what was found in a folder. A file whose name is not valid UTF-8 keeps its place under a name
    /// that cannot be opened, so that it fails by itself; a folder would be lost with all that it holds.
    ///
    /// @throws DatasetException if Java cannot open what is called so; the message says what to do
    static String checked(Path entry) throws DatasetException {
        String name = String.valueOf(entry.getFileName());
        if (name.indexOf(REPLACED) >= 0) {
            if (!FileNames.areUtf8()) {
                throw new DatasetException("cannot read the folder " + entry.getParent() + ": " + FileNames.remedy());
            }
            if (Files.isDirectory(entry) && !Files.exists(entry.resolveSibling(name))) {
                throw new DatasetException("the name of the folder " + entry + " is not valid UTF-8; rename it");
            }
        }
        return name;
    }

    /// What is called `name` in `folder`.
    ///
    /// @throws DatasetException if no file can be called so
    static Path child(Path folder, String name) throws DatasetException {
        try {
            return folder.resolve(name);
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
