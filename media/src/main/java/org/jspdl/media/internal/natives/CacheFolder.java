package org.jspdl.media.internal.natives;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/// The user's cache folder.
public final class CacheFolder {
    private CacheFolder() {}

    /// The folder `name` for files of ours that no other user can read or write, made if it is missing; empty if
    /// there can be none.
    public static Optional<Path> of(String name) {
        UnpackedLibraries.Places places = UnpackedLibraries.Places.ofThisProcess();
        Optional<Path> cache = places.cacheFolder();
        if (cache.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(places.folders().prepare(cache.get(), "jspdl", name));
        } catch (IOException | UnsupportedOperationException unsafe) {
            return Optional.empty();
        }
    }
}
