package org.jspdl.cli;

import java.nio.file.Files;
import java.nio.file.Path;

/// Where the repository is whose tests run.
final class Repository {
    private Repository() {}

    static Path root() {
        for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
            if (Files.exists(folder.resolve("jspdl")) && Files.exists(folder.resolve("mvnw"))) {
                return folder;
            }
        }
        throw new IllegalStateException(
                "the tests run outside of the repository, in " + Path.of("").toAbsolutePath());
    }
}
