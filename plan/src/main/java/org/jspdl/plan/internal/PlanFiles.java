package org.jspdl.plan.internal;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/// Where a plan may write: who wrote it may be somebody else than who runs it.
public final class PlanFiles {
    /// No program takes a file of this name for commands.
    private static final String ENDING = ".jsonl";

    private PlanFiles() {}

    /// The quarantine file that a plan calls `name`: beneath `folder`, whatever links lead there, and of a name
    /// that means nothing to other programs.
    public static Path quarantine(Path folder, String name) throws IOException {
        Path root = folder.toRealPath();
        Path file = root.resolve(path(name)).normalize();
        Path parent = file.getParent();
        Path last = file.getFileName();
        if (parent == null
                || last == null
                || !last.toString().endsWith(ENDING)
                || last.toString().startsWith(".")) {
            throw new FileSystemException(
                    name,
                    null,
                    "a quarantine is a file whose name ends in " + ENDING + " and does not begin with a dot");
        }
        Path there = parent.toRealPath();
        if (!there.startsWith(root)) {
            throw new FileSystemException(
                    name,
                    null,
                    "a plan writes only beneath " + root + "; name another folder with PlanContext.quarantineFolder or"
                            + " --quarantine-dir");
        }
        return there.resolve(last);
    }

    private static Path path(String name) throws FileSystemException {
        try {
            return Path.of(name);
        } catch (InvalidPathException impossible) {
            throw new FileSystemException(name, null, impossible.getReason());
        }
    }
}
