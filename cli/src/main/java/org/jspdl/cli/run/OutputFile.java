package org.jspdl.cli.run;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspdl.data.storage.FailureReasons;
import org.jspdl.files.FreshFile;

/// A file of results: afterwards it is complete, or what was there before is.
///
/// It is written beside its place and then moved there. What is no regular file, such as a pipe, is written as it is.
public final class OutputFile {
    private OutputFile() {}

    /// Writes a file where it is told.
    @FunctionalInterface
    public interface Content {
        void writeTo(Path file) throws IOException;
    }

    /// Writes `text` to `file`.
    ///
    /// @throws IOException which names the file; nothing of it is left
    public static void write(Path file, String text) throws IOException {
        write(file, target -> Files.writeString(target, text));
    }

    /// Writes `content` to `file`.
    ///
    /// @throws IOException which names the file, unless the thread was interrupted; nothing of it is left
    public static void write(Path file, Content content) throws IOException {
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            try {
                content.writeTo(file);
            } catch (IOException failure) {
                throw named(file, failure);
            }
            return;
        }
        Path place = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
        Path unfinished = place.resolveSibling(
                "." + place.getFileName() + "." + ProcessHandle.current().pid() + ".part");
        try {
            content.writeTo(FreshFile.create(unfinished));
            FreshFile.move(unfinished, place);
        } catch (IOException failure) {
            throw named(file, failure);
        } finally {
            Files.deleteIfExists(unfinished);
        }
    }

    private static IOException named(Path file, IOException failure) {
        if (failure instanceof ClosedByInterruptException) {
            return failure;
        }
        return new IOException("cannot write " + file + ": " + FailureReasons.of(failure), failure);
    }
}
