package org.jspdl.spark.internal;

import java.io.IOException;
import java.util.stream.Collectors;
import org.jspdl.data.storage.Location;

/// Locations as tasks get them: those of files are absolute, because executors run in other folders.
public final class Places {
    private Places() {}

    /// The location as every executor can resolve it.
    ///
    /// @throws IOException if it is a local file that a list from another machine named
    public static Location absolute(Location given) throws IOException {
        return given.isRemote() ? given : Location.of(given.path().toAbsolutePath());
    }

    /// What is read, without what addresses hide.
    public static String shown(ReadOptions options) {
        if (!options.plan().isBlank()) {
            return "what a plan makes";
        }
        return options.paths().stream()
                .map(path -> Location.of(path).toString())
                .collect(Collectors.joining(", "));
    }
}
