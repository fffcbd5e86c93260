package org.jspdl.files;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;

/// Opens files to read, and nothing else that a path may name: a named pipe without a writer would be waited for
/// forever, and a folder fails later, by a reason that does not name it.
public final class InputFile {
    private InputFile() {}

    /// Opens a file to read; the caller closes it. Links are followed.
    ///
    /// @throws java.nio.file.NoSuchFileException if there is none
    /// @throws FileSystemException if it is a folder, a pipe, a socket or a device, or may not be read
    public static FileChannel open(Path file) throws IOException {
        check(file);
        return FileChannel.open(file, StandardOpenOption.READ);
    }

    /// The bytes of a file, from its beginning on; the caller closes them. Links are followed. Interrupts do not
    /// end reading, as they do that of [#open].
    ///
    /// @throws FileSystemException as [#open] does
    public static InputStream stream(Path file) throws IOException {
        check(file);
        return Files.newInputStream(file);
    }

    /// Refuses what [#open] refuses.
    static void check(Path file) throws IOException {
        BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
        if (attributes.isDirectory()) {
            throw new FileSystemException(file.toString(), null, "it is a folder, not a file");
        }
        if (attributes.isOther()) {
            throw new FileSystemException(file.toString(), null, "it is no file but a pipe, a socket or a device");
        }
    }

    /// The text of a file in UTF-8. Links are followed.
    ///
    /// @param mostBytes that it may have, below 2 GiB
    /// @throws FileSystemException as [#open] does, and if it is larger, or no such text
    public static String text(Path file, int mostBytes) throws IOException {
        try (InputStream opened = stream(file)) {
            byte[] bytes = opened.readNBytes(mostBytes);
            if (opened.read() >= 0) {
                throw new FileSystemException(
                        file.toString(),
                        null,
                        "it has " + Files.size(file) + " bytes, and " + mostBytes + " at most are read");
            }
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException binary) {
            throw new FileSystemException(file.toString(), null, "it is not text in UTF-8");
        }
    }

    /// What to throw where `file` could not be read: names it, and why.
    public static UncheckedIOException unreadable(Path file, IOException why) {
        return new UncheckedIOException("cannot read " + file + reason(file, why), why);
    }

    private static String reason(Path file, IOException why) {
        if (!Files.exists(file)) {
            return ": there is no such file";
        }
        if (why instanceof AccessDeniedException) {
            return ": permission denied";
        }
        String said = why instanceof FileSystemException named ? named.getReason() : why.getMessage();
        return said == null ? "" : ": " + said;
    }
}
