package org.jspdl.media.internal.natives;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.zip.CRC32;
import org.jspdl.files.SafeFolders;
import org.jspecify.annotations.Nullable;

/// Shared libraries that come in a jar: each is unpacked once into the user's cache folder and loaded from there.
///
/// A library is loaded only from a folder that nobody but this user or root can change ([SafeFolders]), and only if its
/// SHA-256 is that of the jar's content ([LibraryFile]). Where the cache folder is not such a folder, or there is none,
/// it is unpacked into a private temporary folder, which is deleted as soon as it is loaded.
///
/// A library is written under a temporary name and renamed when complete, so that processes that start at once never
/// load half a file; whoever comes last overwrites with the same content. The folder's name tells sizes and checksums
/// of the jar's content apart, so that versions do not mix. With a folder given, libraries come from there instead.
public final class UnpackedLibraries {
    private final String name;
    private final String resources;
    private final String pathProperty;
    private final Places places;
    private final AtomicBoolean warned = new AtomicBoolean();

    /// Where libraries may be unpacked.
    ///
    /// @param cache     `$XDG_CACHE_HOME`; empty if it is not set
    /// @param home      the user's folder, as Java knows it
    /// @param temporary where temporary folders are made
    /// @param user      the number of the user; empty for the one of this process
    record Places(String cache, String home, Path temporary, Optional<Integer> user) {
        static Places ofThisProcess() {
            String cache = System.getenv("XDG_CACHE_HOME");
            return new Places(
                    cache == null ? "" : cache,
                    System.getProperty("user.home", ""),
                    Path.of(System.getProperty("java.io.tmpdir")),
                    Optional.empty());
        }

        /// The cache folder, if there is an absolute one: a relative one would be another in each working
        /// directory.
        Optional<Path> cacheFolder() {
            if (!cache.isEmpty() && Path.of(cache).isAbsolute()) {
                return Optional.of(Path.of(cache));
            }
            return home.isEmpty() || !Path.of(home).isAbsolute()
                    ? Optional.empty()
                    : Optional.of(Path.of(home, ".cache"));
        }

        SafeFolders folders() throws IOException {
            return user.isPresent() ? new SafeFolders(user.get()) : SafeFolders.ofThisUser();
        }
    }

    /// What the jar has.
    private record Content(URLConnection connection, String fileName, long size, long checksum) {}

    /// @param name         the library family, part of the cache folder's name
    /// @param resources    where the files lie on the class path, ending with a slash
    /// @param pathProperty the system property that names a folder to use instead
    public UnpackedLibraries(String name, String resources, String pathProperty) {
        this(name, resources, pathProperty, Places.ofThisProcess());
    }

    UnpackedLibraries(String name, String resources, String pathProperty, Places places) {
        this.name = name;
        this.resources = resources;
        this.pathProperty = pathProperty;
        this.places = places;
    }

    /// Loads one library for the life of the process; libraries it needs must have been loaded before.
    ///
    /// @throws UnsatisfiedLinkError if it cannot be found, unpacked or loaded, saying what to do
    public SymbolLookup load(String fileName) {
        String folder = System.getProperty(pathProperty, "");
        if (!folder.isEmpty()) {
            Path file = Path.of(folder).toAbsolutePath().resolve(fileName);
            if (!Files.isRegularFile(file)) {
                throw failed(name + ": " + pathProperty + " names a folder without " + fileName + ": " + folder, null);
            }
            return loaded(file);
        }
        URL resource = ClassLoader.getSystemResource(resources + fileName);
        if (resource == null) {
            throw failed(
                    name + " libraries not found: " + resources + fileName
                            + " is not on the class path. Add the jar that has "
                            + "them (see the dependencies of jspdl-media), or set " + pathProperty
                            + " to a folder with them.",
                    null);
        }
        // An interrupted thread can read and write no file, and what can't be loaded once is lost for the
        // process.
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                try {
                    return unpacked(resource, fileName);
                } catch (ClosedByInterruptException again) {
                    interrupted = true;
                    boolean _ = Thread.interrupted();
                }
            }
        } catch (IOException unwritable) {
            throw failed(
                    "cannot unpack " + fileName + ": " + unwritable.getMessage()
                            + ". Set XDG_CACHE_HOME to a folder that you alone can write, or " + pathProperty + ".",
                    unwritable);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private SymbolLookup unpacked(URL resource, String fileName) throws IOException {
        Content content = content(resource, fileName);
        Optional<LibraryFile> cached = cached(content);
        return cached.isPresent() ? loaded(cached.get()) : loadedFromTemporary(content);
    }

    /// Loads a file of a folder that the user has named, where it may find others that it needs.
    @SuppressWarnings("restricted")
    private static SymbolLookup loaded(Path file) {
        try {
            return SymbolLookup.libraryLookup(file, Arena.global());
        } catch (IllegalArgumentException refused) {
            throw failed("cannot load " + file + ": " + refused.getMessage(), refused);
        }
    }

    private static SymbolLookup loaded(LibraryFile library) {
        try (library) {
            return library.load();
        } catch (IllegalArgumentException refused) {
            throw failed("cannot load " + library + ": " + refused.getMessage(), refused);
        }
    }

    private static Content content(URL resource, String fileName) throws IOException {
        URLConnection connection = resource.openConnection();
        if (connection instanceof JarURLConnection jar) {
            return new Content(
                    connection,
                    fileName,
                    jar.getJarEntry().getSize(),
                    jar.getJarEntry().getCrc());
        }
        CRC32 checksum = new CRC32();
        long size = 0;
        byte[] buffer = new byte[1 << 16];
        try (InputStream in = resource.openStream()) {
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                checksum.update(buffer, 0, count);
                size += count;
            }
        }
        return new Content(connection, fileName, size, checksum.getValue());
    }

    /// The file in the cache folder, unpacked if it is not there; empty if there is no cache folder that is safe.
    private Optional<LibraryFile> cached(Content content) throws ClosedByInterruptException {
        Optional<Path> cache = places.cacheFolder();
        if (cache.isEmpty()) {
            return Optional.empty();
        }
        String version = name + "-" + Long.toHexString(content.size()) + "-" + Long.toHexString(content.checksum());
        try {
            SafeFolders folders = places.folders();
            Path file =
                    folders.prepare(cache.get(), "jspdl", "natives", version).resolve(content.fileName());
            if (folders.isOurs(file)) {
                LibraryFile library = LibraryFile.open(file);
                if (library.isVerified(folders)) {
                    return Optional.of(library);
                }
                library.close();
            }
            return Optional.of(unpack(content, file));
        } catch (ClosedByInterruptException interrupted) {
            throw interrupted;
        } catch (IOException | UnsupportedOperationException unsafe) {
            if (warned.compareAndSet(false, true)) {
                // asked for here, because a logger takes longer to make than a library to load
                System.getLogger(UnpackedLibraries.class.getName())
                        .log(
                                Level.WARNING,
                                () -> "native libraries are not kept in " + cache.get()
                                        + ", but unpacked at each start: " + unsafe.getMessage()
                                        + (unsafe instanceof AccessDeniedException ? ": permission denied" : ""));
            }
            return Optional.empty();
        }
    }

    private SymbolLookup loadedFromTemporary(Content content) throws IOException {
        Path folder = Files.createTempDirectory(places.temporary(), "jspdl-natives-");
        try {
            Optional<String> objection = places.folders().objection(folder.toRealPath());
            if (objection.isPresent()) {
                throw new IOException(objection.get());
            }
            return loaded(unpack(content, folder.resolve(content.fileName())));
        } finally {
            SafeFolders.empty(folder);
            Files.deleteIfExists(folder);
        }
    }

    /// Writes the library to `file` and verifies what was written.
    private static LibraryFile unpack(Content content, Path file) throws IOException {
        Path partial = Files.createTempFile(file.getParent(), "." + content.fileName(), ".partial");
        CRC32 checksum = new CRC32();
        MessageDigest digest = LibraryFile.digest();
        try (InputStream in = content.connection().getInputStream();
                OutputStream out = Files.newOutputStream(partial)) { // keeps the file, which is for us alone
            byte[] buffer = new byte[1 << 16];
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                checksum.update(buffer, 0, count);
                digest.update(buffer, 0, count);
                out.write(buffer, 0, count);
            }
        } catch (IOException failure) {
            Files.deleteIfExists(partial);
            throw failure;
        }
        Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        LibraryFile library = LibraryFile.open(file);
        if (checksum.getValue() == content.checksum()
                && library.isVerified(HexFormat.of().formatHex(digest.digest()))) {
            return library;
        }
        library.close();
        Files.deleteIfExists(file);
        throw new IOException("the jar's content was not written as a whole; is the disk full, or the jar damaged?");
    }

    private static UnsatisfiedLinkError failed(String message, @Nullable Throwable cause) {
        UnsatisfiedLinkError error = new UnsatisfiedLinkError(message);
        if (cause != null) {
            error.initCause(cause);
        }
        return error;
    }
}
