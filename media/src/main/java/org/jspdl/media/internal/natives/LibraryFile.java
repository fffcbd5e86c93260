package org.jspdl.media.internal.natives;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import org.jspdl.files.SafeFolders;

/// The file of a library, opened once: what was verified is what is loaded, whatever happens to its name meanwhile.
///
/// Its SHA-256 is computed when it is unpacked and at the first load after each boot. Then a *stamp* beside it records
/// the hash, the boot and the identity of the file: device, number, size, and the times of change, of which the last
/// is set by the system alone. While all of those are the same, the content is, and it is not read again.
///
/// Loaded libraries keep their descriptors, because the dynamic linker knows a library by its name, and a number is
/// used again after it was closed.
final class LibraryFile implements AutoCloseable {
    // O_RDONLY | O_CLOEXEC of Linux
    private static final int READ_ONLY = 0x80000;
    private static final int PIECE_BYTES = 1 << 16;
    private static final String IDENTITY = "unix:dev,ino,size,lastModifiedTime,ctime";
    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");

    private final Path file;
    private final int descriptor;
    private boolean kept;

    private LibraryFile(Path file, int descriptor) {
        this.file = file;
        this.descriptor = descriptor;
    }

    private static final class Open {
        // int open(const char *path, int flags, ...)
        private static final MethodHandle HANDLE =
                C.function(Linker.nativeLinker().defaultLookup(), "open", C.INT, C.POINTER, C.INT);
    }

    /// Apart, because a file that was loaded needs none of it.
    private static final class Close {
        // int close(int fd)
        private static final MethodHandle HANDLE =
                C.function(Linker.nativeLinker().defaultLookup(), "close", C.INT, C.INT);
    }

    /// Opens `file`; the caller closes it.
    static LibraryFile open(Path file) throws IOException {
        int descriptor;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment path = arena.allocateFrom(file.toString());
            descriptor = (int) Open.HANDLE.invokeExact(path, READ_ONLY);
        } catch (Throwable failure) {
            throw C.thrown(failure);
        }
        if (descriptor < 0) {
            throw new IOException("cannot open " + file);
        }
        return new LibraryFile(file, descriptor);
    }

    /// What was opened, not what bears its name now; the name itself where `/proc` is not mounted.
    private Path opened() {
        Path path = Path.of("/proc/self/fd/" + descriptor);
        return Files.exists(path) ? path : file;
    }

    /// The SHA-256 of its content, in hexadecimal.
    String sha256() throws IOException {
        MessageDigest digest = digest();
        byte[] piece = new byte[PIECE_BYTES];
        try (InputStream content = Files.newInputStream(opened())) {
            for (int read = content.read(piece); read >= 0; read = content.read(piece)) {
                digest.update(piece, 0, read);
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /// Whether the content is the one that the stamp tells of, by the file's identity or else by its hash.
    ///
    /// @param folders who may have written the stamp
    boolean isVerified(SafeFolders folders) throws IOException {
        Path stamp = stamp();
        String[] found = folders.isOurs(stamp) ? Files.readString(stamp).split(" ", 2) : new String[0];
        Optional<String> identity = identity();
        if (found.length == 2 && identity.isPresent() && identity.get().equals(found[1])) {
            return true;
        }
        return found.length == 2 && isVerified(found[0]);
    }

    /// Whether the content has this hash; then the stamp says so.
    boolean isVerified(String sha256) throws IOException {
        Optional<String> before = identity();
        if (!sha256().equals(sha256)) {
            return false;
        }
        if (before.isPresent() && before.equals(identity())) {
            Path fresh = Files.createTempFile(file.getParent(), "." + file.getFileName(), ".partial");
            try {
                Files.writeString(fresh, sha256 + " " + before.get());
                Files.move(fresh, stamp(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(fresh);
            }
        }
        return true;
    }

    private Path stamp() {
        return file.resolveSibling(file.getFileName() + ".sha256");
    }

    /// What differs as soon as anybody has written to the file, or the machine has started again; empty where the
    /// system does not tell starts apart.
    private Optional<String> identity() throws IOException {
        if (!Files.isReadable(BOOT)) {
            return Optional.empty();
        }
        Map<String, Object> found = Files.readAttributes(opened(), IDENTITY);
        StringBuilder identity = new StringBuilder(Files.readString(BOOT).strip());
        for (String part : new String[] {"dev", "ino", "size", "lastModifiedTime", "ctime"}) {
            identity.append(' ').append(requireNonNull(found.get(part)));
        }
        return Optional.of(identity.toString());
    }

    /// Loads what was opened, for the life of the process.
    @SuppressWarnings("restricted")
    SymbolLookup load() {
        // a Path would be resolved to the file's name
        SymbolLookup library = SymbolLookup.libraryLookup(opened().toString(), Arena.global());
        kept = true;
        return library;
    }

    @Override
    public String toString() {
        return file.toString();
    }

    @Override
    public void close() {
        if (!kept) {
            try {
                int _ = (int) Close.HANDLE.invokeExact(descriptor);
            } catch (Throwable failure) {
                throw C.thrown(failure);
            }
        }
    }
}
