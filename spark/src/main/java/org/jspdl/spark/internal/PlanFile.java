package org.jspdl.spark.internal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspdl.files.InputFile;

/// A plan in a file, as programs that are submitted get it.
///
/// @param name   what messages call it
/// @param text   in YAML, or in JSON if the name ends in `.json`
/// @param folder where its relative paths begin; empty for the root
public record PlanFile(String name, String text, Optional<Path> folder) {
    /// Far more than a plan may have, which says so itself.
    private static final int MOST_BYTES = 64 << 20;

    /// Reads a plan.
    ///
    /// @throws IllegalArgumentException if there is none, or it is no file: a plan is read more than once, which a
    ///     pipe can't be
    public static PlanFile read(Path plan) throws IOException {
        Path file = plan.toAbsolutePath();
        if (!Files.exists(file)) {
            throw new IllegalArgumentException("there is no plan at " + file);
        }
        if (!Files.isRegularFile(file)) {
            throw new IllegalArgumentException("the plan " + file
                    + " is no file but a folder, a pipe, a socket or a device; write it to a file and name that");
        }
        return new PlanFile(plan.toString(), InputFile.text(file, MOST_BYTES), Optional.ofNullable(file.getParent()));
    }
}
