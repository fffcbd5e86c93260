package org.jspdl.data.cache;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import org.jspdl.files.LockedFile;
import org.jspdl.files.SafeFolders;

/// The sign of one user of a cache folder: a locked file. The operating system unlocks it when the process ends,
/// however it ends, so that the next one sees who is gone and cleans up after it.
final class CacheUserLock implements AutoCloseable {
    private final String name;
    private final Path folder;
    private final LockedFile file;

    private CacheUserLock(String name, Path folder, LockedFile file) {
        this.name = name;
        this.folder = folder;
        this.file = file;
    }

    /// Joins those who use `folder`. To be called by one process at a time.
    static CacheUserLock join(Path folder) throws IOException {
        String name = UUID.randomUUID().toString();
        return new CacheUserLock(
                name, folder, LockedFile.lock(folder.resolve(name + ".member"), SafeFolders.ownFile()));
    }

    /// A name for a file of this member that is not finished.
    Path unfinished(long number) {
        return folder.resolve(name + "-" + number + ".part");
    }

    /// A file of this member that others read.
    Path file(String ending) {
        return folder.resolve(name + ending);
    }

    /// What only one of all members has; empty if another has it.
    Optional<LockedFile> claim(String what) throws IOException {
        Path claimed = folder.resolve(what);
        LockedFile.make(claimed, SafeFolders.ownFile());
        return LockedFile.tryLock(claimed);
    }

    /// Deletes what members that are gone have left in `folder`; whether no living one is among the others.
    static boolean cleanUp(Path folder) throws IOException {
        boolean alone = true;
        try (DirectoryStream<Path> members = Files.newDirectoryStream(folder, "*.member")) {
            for (Path member : members) {
                boolean gone = isGone(member);
                alone &= gone;
                if (gone) {
                    String name = member.getFileName().toString().replace(".member", "");
                    delete(folder, name + "-*.{part,order}");
                    Files.deleteIfExists(member);
                }
            }
        }
        return alone;
    }

    private static boolean isGone(Path member) throws IOException {
        try (LockedFile abandoned = LockedFile.tryLock(member).orElse(null)) {
            return abandoned != null;
        } catch (NoSuchFileException left) {
            return true;
        }
    }

    private static void delete(Path folder, String pattern) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, pattern)) {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
        }
    }

    @Override
    public void close() {
        try (file) {
            Files.deleteIfExists(folder.resolve(name + ".member"));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
