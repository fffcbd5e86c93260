package org.jspdl.data.cache;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspdl.data.storage.Location;
import org.jspdl.files.SafeFolders;

/// The folder of a disk cache: what lies in it, and who may change that.
///
/// Whoever can write an entry decides what a run reads, and whoever can read one reads the data. So entries and members
/// lie in folders of mode 0700 and files are made with 0600, whatever the umask, below folders that nobody but this
/// user and root can change.
///
/// @param folder  as the user named it
/// @param entries one file for each entry, in folders of two digits
/// @param members the locks of those who use it, and what they have not finished
record CacheFolder(Path folder, Path entries, Path members) {
    private static final Pattern OURS = Pattern.compile("[0-9a-f]{2}");

    /// The cache in `folder`, which is made if need be.
    ///
    /// @param shared whether others may be able to change the way to it, because all of them are trusted
    /// @throws IOException if it cannot be made, or others could change what lies in it
    static CacheFolder prepare(Path folder, boolean shared) throws IOException {
        CacheFolder cache =
                new CacheFolder(Location.requireLocal(folder), folder.resolve("entries"), folder.resolve("members"));
        if (!SafeFolders.hasModes()) {
            Files.createDirectories(cache.entries);
            Files.createDirectories(cache.members);
            return cache;
        }
        SafeFolders folders = SafeFolders.ofThisUser();
        Path place = folder.toAbsolutePath();
        requireNothingElse(cache.entries);
        folders.make(place);
        if (!shared) {
            Optional<String> objection = folders.objection(place);
            if (objection.isPresent()) {
                throw new FileSystemException(
                        folder.toString(),
                        null,
                        "a cache must lie where nobody else can change it, but " + objection.get()
                                + "; choose another folder, take the permission away (chmod go-w), or trust all who may"
                                + " write there (--trust-cache-folder)");
            }
        }
        for (Path each : new Path[] {cache.entries, cache.members}) {
            folders.makeOwn(each.toAbsolutePath());
        }
        return cache;
    }

    /// A folder that others could write is emptied; so there must be nothing but entries.
    private static void requireNothingElse(Path entries) throws IOException {
        if (!Files.isDirectory(entries)) {
            return;
        }
        boolean open = Files.getPosixFilePermissions(entries, LinkOption.NOFOLLOW_LINKS).stream()
                .anyMatch(Set.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE)::contains);
        try (Stream<Path> found = Files.list(entries)) {
            if (open
                    && found.anyMatch(each ->
                            !OURS.matcher(String.valueOf(each.getFileName())).matches())) {
                throw new FileSystemException(
                        entries.toString(), null, "holds other files than those of a cache; choose another folder");
            }
        }
    }

    /// Makes or opens a file that only this user can read and write.
    static FileChannel open(Path file, OpenOption... options) throws IOException {
        return FileChannel.open(file, Set.of(options), SafeFolders.ownFile());
    }

    /// Makes the folder of an entry.
    static void createFolder(Path folder) throws IOException {
        Files.createDirectories(folder, SafeFolders.ownFolder());
    }
}
