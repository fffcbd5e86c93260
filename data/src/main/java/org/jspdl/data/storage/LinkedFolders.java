package org.jspdl.data.storage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The folders that one listing looks into, as far as links lead to them. Used by one thread.
///
/// A link to a folder above it is a circle, in which every file would come some forty times; one to a folder beside it,
/// as `latest` often is, gives every file twice.
final class LinkedFolders {
    private final Path root;
    /// Real paths; no folder is in another.
    private final List<Path> folders = new ArrayList<>();

    LinkedFolders(Path root) {
        this.root = root;
    }

    /// Notes that `folder` is looked into.
    ///
    /// @throws UncheckedIOException of a [StorageException] if it is a link to what the listing has already
    void enter(Path folder) {
        if (!Files.isSymbolicLink(folder)) {
            return;
        }
        try {
            if (folders.isEmpty()) {
                folders.add(root.toRealPath());
            }
            Path target = folder.toRealPath();
            for (Path other : folders) {
                if (target.startsWith(other) || other.startsWith(target)) {
                    throw new StorageException(
                            StorageException.Kind.UNSUPPORTED,
                            Location.of(folder),
                            "is a link to " + Location.of(target) + ", whose files are listed in " + Location.of(other)
                                    + " already and would come twice; remove the link, or name one of both folders");
                }
            }
            folders.add(target);
        } catch (StorageException twice) {
            throw new UncheckedIOException(twice);
        } catch (IOException failure) {
            throw new UncheckedIOException(LocalFile.failed(Location.of(folder), "cannot be followed", failure));
        }
    }
}
