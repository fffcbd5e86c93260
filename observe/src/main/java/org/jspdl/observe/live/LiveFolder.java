package org.jspdl.observe.live;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspdl.files.SafeFolders;

/// Where the sockets of this user's runs lie.
final class LiveFolder {
    /// The system takes no longer names for sockets: 108 bytes on Linux, 104 on macOS.
    private static final int MOST_BYTES = 100;
    private static final String LONGEST_NAME = "/1234567890-1234567890.control";

    private LiveFolder() {}

    /// The folder, made if it is missing; empty where there can be none.
    ///
    /// @param environment variables of the process
    /// @param home        the user's own folder
    static Optional<Path> of(Map<String, String> environment, Path home) throws IOException {
        if (!SafeFolders.hasModes()) {
            return Optional.empty();
        }
        SafeFolders folders = SafeFolders.ofThisUser();
        Path base = base(environment, home, folders);
        return Optional.of(folders.prepare(base, "jspdl-" + folders.user(), "live"));
    }

    private static Path base(Map<String, String> environment, Path home, SafeFolders folders) {
        String runtime = environment.getOrDefault("XDG_RUNTIME_DIR", "");
        Path cache = home.resolve(".cache");
        return !runtime.isEmpty() && fits(Path.of(runtime), folders)
                ? Path.of(runtime)
                : fits(cache, folders) ? cache : Path.of("/tmp");
    }

    private static boolean fits(Path base, SafeFolders folders) {
        return base.isAbsolute()
                && base.toString().length()
                                + "/jspdl-/live".length()
                                + Integer.toString(folders.user()).length()
                                + LONGEST_NAME.length()
                        <= MOST_BYTES;
    }
}
