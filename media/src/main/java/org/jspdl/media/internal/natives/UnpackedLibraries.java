package org.jspdl.media.internal.natives;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/// Shared libraries that come in a jar: each is unpacked once into the user's cache folder and loaded from there.
///
/// A library is written under a temporary name and renamed when complete, so that processes that start at once never
/// load half a file; whoever comes last overwrites with the same content. The folder's name tells sizes and checksums
/// of the jar's content apart, so that versions do not mix. With a folder given, libraries come from there instead.
public final class UnpackedLibraries {
    private final String name;
    private final String resources;
    private final String pathProperty;

    /// @param name         the library family, part of the cache folder's name
    /// @param resources    where the files lie on the class path, ending with a slash
    /// @param pathProperty the system property that names a folder to use instead
    public UnpackedLibraries(String name, String resources, String pathProperty) {
        this.name = name;
        this.resources = resources;
        this.pathProperty = pathProperty;
    }

    /// Loads one library for the life of the process; libraries it needs must have been loaded before.
    ///
    /// @throws UnsatisfiedLinkError if it cannot be found, unpacked or loaded, saying what to do
    @SuppressWarnings("restricted")
    public SymbolLookup load(String fileName) {
        Path file = locate(fileName);
        try {
            return SymbolLookup.libraryLookup(file, Arena.global());
        } catch (IllegalArgumentException refused) {
            throw failed("cannot load " + file + ": " + refused.getMessage(), refused);
        }
    }

    private Path locate(String fileName) {
        String folder = System.getProperty(pathProperty, "");
        if (!folder.isEmpty()) {
            Path file = Path.of(folder).toAbsolutePath().resolve(fileName);
            if (!Files.isRegularFile(file)) {
                throw failed(name + ": " + pathProperty + " names a folder without " + fileName + ": " + folder, null);
            }
            return file;
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
        try {
            return unpacked(resource, fileName);
        } catch (IOException unwritable) {
            throw failed(
                    "cannot unpack " + fileName + " to " + cacheFolder() + ": " + unwritable.getMessage()
                            + ". Set XDG_CACHE_HOME to a folder that can be written, or " + pathProperty + ".",
                    unwritable);
        }
    }

    private Path unpacked(URL resource, String fileName) throws IOException {
        URLConnection connection = resource.openConnection();
        long size = connection.getContentLengthLong();
        long checksum =
                connection instanceof JarURLConnection jar ? jar.getJarEntry().getCrc() : connection.getLastModified();
        Path folder = cacheFolder().resolve(name + "-" + Long.toHexString(size) + "-" + Long.toHexString(checksum));
        Path file = folder.resolve(fileName);
        if (!Files.isRegularFile(file) || Files.size(file) != size) {
            Files.createDirectories(folder);
            Path partial = Files.createTempFile(folder, "." + fileName, ".partial");
            try (InputStream content = connection.getInputStream()) {
                Files.copy(content, partial, StandardCopyOption.REPLACE_EXISTING);
                Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(partial);
            }
        }
        return file;
    }

    /// `$XDG_CACHE_HOME/jspdl/natives`, or the same under `~/.cache`.
    private static Path cacheFolder() {
        String cache = System.getenv("XDG_CACHE_HOME");
        Path base =
                cache == null || cache.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(cache);
        return base.resolve("jspdl").resolve("natives");
    }

    private static UnsatisfiedLinkError failed(String message, @org.jspecify.annotations.Nullable Throwable cause) {
        UnsatisfiedLinkError error = new UnsatisfiedLinkError(message);
        if (cause != null) {
            error.initCause(cause);
        }
        return error;
    }
}
