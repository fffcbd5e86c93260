package org.jspdl.data.sample;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.util.Map;
import java.util.function.IntConsumer;
import org.jspdl.data.storage.Location;
import org.jspdl.files.LockedFile;
import org.jspdl.files.SafeFolders;

/// A folder that holds a finished sample set, or does not exist yet; never half of one.
///
/// The set is painted beside the folder and renamed when complete. A file lock lets one process paint while others wait
/// for it; what a killed process left behind is removed by the next.
public final class SampleFolder {
    private static final String MARK = ".jspdl-sample";

    private final Path folder;
    private final SampleSet set;
    private final FileAttribute<?>[] attributes;

    private SampleFolder(Path folder, SampleSet set, FileAttribute<?>[] attributes) {
        this.folder = folder;
        this.set = set;
        this.attributes = attributes;
    }

    /// The folder `folder`, which is to hold `set`.
    public static SampleFolder at(Path folder, SampleSet set) {
        return new SampleFolder(
                Location.requireLocal(folder).toAbsolutePath().normalize(), set, new FileAttribute<?>[0]);
    }

    /// The place of `set` in the user's cache: below `$XDG_CACHE_HOME`, or `~/.cache` where that is not set.
    /// Folders of the cache that are missing are made for this user alone, whatever the umask is.
    ///
    /// @param environment the process's environment variables
    /// @param home        the user's home folder
    /// @throws IOException if there is neither
    public static SampleFolder inCache(SampleSet set, Map<String, String> environment, Path home) throws IOException {
        String named = environment.getOrDefault("XDG_CACHE_HOME", "");
        Path caches = named.isEmpty() || !Path.of(named).isAbsolute() ? home.resolve(".cache") : Path.of(named);
        if (!caches.isAbsolute()) { // another folder in each working directory, where others may write
            throw new IOException("there is no home folder to keep the sample set in: set XDG_CACHE_HOME to an absolute"
                    + " folder, or name the folder for the set");
        }
        Path place = caches.resolve("jspdl").resolve("sample-" + SampleSet.VERSION + "-" + set.images());
        return new SampleFolder(place.normalize(), set, SafeFolders.ownFolder());
    }

    /// The folder's absolute path.
    public Path path() {
        return folder;
    }

    /// Whether the finished set is there.
    public boolean isComplete() {
        try {
            return Files.readString(folder.resolve(MARK)).equals(mark());
        } catch (IOException absent) {
            return false;
        }
    }

    /// Makes the set unless it is there; returns when the folder is complete, whoever completed it.
    ///
    /// @param threads  how many paint at once
    /// @param progress told the number of images written so far, from any of those threads
    /// @throws IOException if the folder holds something else, or cannot be written
    public void ensure(int threads, IntConsumer progress) throws IOException, InterruptedException {
        if (isComplete()) {
            return;
        }
        requireVacant();
        Files.createDirectories(parent(), attributes);
        Path lockFile = sibling(".lock");
        try (LockedFile _ = LockedFile.lock(lockFile)) {
            if (!isComplete()) {
                make(threads, progress);
            }
            Files.deleteIfExists(lockFile); // only once complete: whoever still waits on it finds the set
        }
    }

    private void make(int threads, IntConsumer progress) throws IOException, InterruptedException {
        Path partial = sibling(".partial");
        deleteTree(partial);
        Files.createDirectory(partial, attributes);
        try {
            set.write(partial, threads, progress);
            Files.writeString(partial.resolve(MARK), mark());
            Files.move(partial, folder, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException | InterruptedException | RuntimeException failure) {
            deleteTree(partial);
            throw failure;
        }
    }

    /// Looks whether the set can be made here.
    ///
    /// @throws IOException if something else is there
    public void requireVacant() throws IOException {
        if (Files.exists(folder) && !Files.isDirectory(folder)) {
            throw new IOException("cannot make the sample set at " + folder + ": it is a file. Name a new folder.");
        }
        if (Files.isDirectory(folder)) {
            try (DirectoryStream<Path> content = Files.newDirectoryStream(folder)) {
                if (content.iterator().hasNext() && !isComplete()) { // another process may have made it just now
                    throw new IOException("cannot make the sample set in " + folder
                            + ": it holds other files. Name a new or an empty folder.");
                }
            }
        }
    }

    private Path parent() {
        Path parent = folder.getParent();
        return parent == null ? folder : parent;
    }

    private Path sibling(String suffix) {
        return folder.resolveSibling("." + folder.getFileName() + suffix);
    }

    private String mark() {
        return "JSPDL sample set, recipe " + SampleSet.VERSION + ", " + set.images() + " images, seed " + set.seed()
                + "\n";
    }

    private static void deleteTree(Path root) throws IOException {
        if (!Files.exists(root)) {
            return;
        }
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(
                    Path folder, java.io.@org.jspecify.annotations.Nullable IOException failure) throws IOException {
                Files.delete(folder);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
