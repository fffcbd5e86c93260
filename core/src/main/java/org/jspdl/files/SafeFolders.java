package org.jspdl.files;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// Folders whose content only this user, or root, can change: what is read from there is what was put there.
///
/// @param user the number of this user
public record SafeFolders(int user) {
    private static final int ROOT = 0;
    private static final int STICKY = 01000;
    private static final int WRITABLE_BY_OTHERS = 0022;
    private static final int OPEN_TO_OTHERS = 0077;
    private static final int MOST_LINKS = 40;
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");
    private static final FileAttribute<Set<PosixFilePermission>> PRIVATE =
            PosixFilePermissions.asFileAttribute(OWNER_ONLY);
    private static final FileAttribute<Set<PosixFilePermission>> PRIVATE_FILE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    /// Who owns a file and what others may do with it.
    private record Access(int owner, int mode) {
        static Access of(Path path) throws IOException {
            Map<String, Object> found = Files.readAttributes(path, "unix:uid,mode", LinkOption.NOFOLLOW_LINKS);
            return new Access((int) requireNonNull(found.get("uid")), (int) requireNonNull(found.get("mode")));
        }
    }

    /// For the user of this process.
    ///
    /// @throws UnsupportedOperationException where files have no owners and modes as Unix has them
    public static SafeFolders ofThisUser() throws IOException {
        Path self = Path.of("/proc/self");
        if (Files.exists(self)) {
            return new SafeFolders((int) Files.getAttribute(self, "unix:uid"));
        }
        Path mine = Files.createTempFile("jspdl-", ".user");
        try {
            return new SafeFolders((int) Files.getAttribute(mine, "unix:uid"));
        } finally {
            Files.delete(mine);
        }
    }

    /// Why somebody else could replace what lies in `folder`, itself or by a folder or link on the way to it; empty
    /// if nobody can.
    ///
    /// @param folder absolute, and there
    public Optional<String> objection(Path folder) throws IOException {
        return objection(folder, MOST_LINKS);
    }

    private Optional<String> objection(Path folder, int links) throws IOException {
        Path reached = folder.getRoot();
        Optional<String> objection = objectionTo(reached);
        for (Path name : folder) {
            if (objection.isPresent()) {
                return objection;
            }
            if (name.toString().equals("..")) {
                reached = reached.getParent() == null ? reached : reached.getParent();
                continue;
            }
            Path next = reached.resolve(name);
            if (Files.isSymbolicLink(next)) {
                if (links == 0) {
                    return Optional.of(next + " leads through more than " + MOST_LINKS + " links");
                }
                Access link = Access.of(next);
                if (link.owner() != user && link.owner() != ROOT) {
                    return Optional.of(next + " is a link that belongs to another user");
                }
                Path target = reached.resolve(Files.readSymbolicLink(next));
                objection = objection(target, links - 1);
                reached = next.toRealPath();
            } else {
                objection = objectionTo(next);
                reached = next;
            }
        }
        return objection;
    }

    private Optional<String> objectionTo(Path folder) throws IOException {
        Access access = Access.of(folder);
        if (access.owner() != user && access.owner() != ROOT) {
            return Optional.of(folder + " belongs to another user");
        }
        boolean shared = access.owner() == ROOT && (access.mode() & STICKY) != 0;
        return (access.mode() & WRITABLE_BY_OTHERS) != 0 && !shared
                ? Optional.of(String.format("%s can be written by others (mode %o)", folder, access.mode() & 07777))
                : Optional.empty();
    }

    /// Makes `folder` and those it lies in, for this user alone, as far as they are missing.
    public void make(Path folder) throws IOException {
        create(folder);
    }

    /// Makes `folder` one that only this user can open; the folder it lies in is there. What lay in it while others
    /// could write there is deleted.
    ///
    /// @throws IOException if it is no folder of this user
    public void makeOwn(Path folder) throws IOException {
        create(folder);
        Access access = Access.of(folder);
        if (access.owner() != user || !Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            throw new FileSystemException(folder.toString(), null, "is no folder of this user");
        }
        if ((access.mode() & OPEN_TO_OTHERS) != 0) {
            Files.setPosixFilePermissions(folder, OWNER_ONLY);
        }
        if ((access.mode() & WRITABLE_BY_OTHERS) != 0) {
            empty(folder);
        }
    }

    /// Makes a folder for this user alone out of `names` below `base`, which is made if it is missing. Where one of
    /// them was open to others, it is closed, and what lies in the last is deleted: others may have put it there.
    ///
    /// @return the folder
    /// @throws IOException if it cannot be made, or others could change what lies in it
    public Path prepare(Path base, String... names) throws IOException {
        create(base);
        Path folder = base;
        boolean wasOpen = false;
        for (String name : names) {
            folder = folder.resolve(name);
            create(folder);
            Access access = Access.of(folder);
            if (access.owner() == user
                    && (access.mode() & OPEN_TO_OTHERS) != 0
                    && Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
                wasOpen |= (access.mode() & WRITABLE_BY_OTHERS) != 0;
                Files.setPosixFilePermissions(folder, OWNER_ONLY);
            }
        }
        Optional<String> objection = objection(folder);
        if (objection.isPresent()) {
            throw new IOException(objection.get());
        }
        if (wasOpen) {
            empty(folder);
        }
        return folder;
    }

    private static void create(Path folder) throws IOException {
        if (Files.isDirectory(folder)) {
            return;
        }
        Path parent = folder.getParent();
        if (parent != null) {
            create(parent);
        }
        try {
            Files.createDirectory(folder, PRIVATE);
        } catch (FileAlreadyExistsException raced) {
            if (!Files.isDirectory(folder)) {
                throw raced;
            }
        }
    }

    /// The attributes of a new file for this user alone; none where files have no modes.
    public static FileAttribute<?>[] ownFile() {
        return hasModes() ? new FileAttribute<?>[] {PRIVATE_FILE} : new FileAttribute<?>[0];
    }

    /// The attributes of a new folder for this user alone; none where folders have no modes.
    public static FileAttribute<?>[] ownFolder() {
        return hasModes() ? new FileAttribute<?>[] {PRIVATE} : new FileAttribute<?>[0];
    }

    /// Whether files have owners and modes as Unix has them.
    public static boolean hasModes() {
        return FileSystems.getDefault().supportedFileAttributeViews().contains("unix");
    }

    /// Whether a file in a safe folder is one that only this user or root can write.
    public boolean isOurs(Path file) throws IOException {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        Access access = Access.of(file);
        return (access.owner() == user || access.owner() == ROOT) && (access.mode() & WRITABLE_BY_OTHERS) == 0;
    }

    /// Deletes what lies in `folder`.
    public static void empty(Path folder) throws IOException {
        List<Path> content;
        try (Stream<Path> files = Files.walk(folder)) {
            content = files.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path each : content) {
            if (!each.equals(folder)) {
                Files.deleteIfExists(each);
            }
        }
    }
}
