package org.jspdl.cli.probe;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspdl.files.MappedInput;
import org.jspdl.media.image.ImageDecoder;

/// Looks into files. The content tells what a file is; only safetensors is known by the name, having no mark of its
/// own.
public final class FileProbe {
    private static final int TAR_MARK = 257;

    private FileProbe() {}

    /// What is inside of a file; what no parser of ours knows is left to FFmpeg.
    ///
    /// @throws org.jspdl.input.DecodeException for a picture that is damaged
    /// @throws org.jspdl.input.FormatException for damaged arrays and archives
    /// @throws org.jspdl.input.MediaException if nobody knows what the file is, or there is none
    /// @throws IOException if it can't be read
    public static Findings of(Path file) throws IOException {
        if (!Files.exists(file)) {
            return MediaFindings.of(file);
        }
        try (MappedInput mapped = MappedInput.open(file)) {
            Optional<Findings> found = mapped.read(() -> of(file, mapped.bytes()));
            if (found.isPresent()) {
                return found.get();
            }
        } catch (UncheckedIOException shorter) {
            throw new IOException(shorter.getMessage(), shorter.getCause());
        }
        return MediaFindings.of(file);
    }

    private static Optional<Findings> of(Path file, MemorySegment bytes) {
        if (ImageDecoder.format(bytes).isPresent()) {
            return Optional.of(PictureFindings.of(file, ImageDecoder.probe(bytes)));
        }
        if (begins(bytes, 0, "\u0093NUMPY")) {
            return Optional.of(ArrayFindings.ofNpy(file, bytes));
        }
        if (file.toString().endsWith(".safetensors")) {
            return Optional.of(ArrayFindings.ofSafetensors(file, bytes));
        }
        if (begins(bytes, 0, "PK\u0003\u0004") || begins(bytes, 0, "PK\u0005\u0006")) {
            return Optional.of(
                    file.toString().endsWith(".npz")
                            ? ArrayFindings.ofNpz(file, bytes)
                            : ArchiveFindings.ofZip(file, bytes));
        }
        return begins(bytes, TAR_MARK, "ustar") ? Optional.of(ArchiveFindings.ofTar(file, bytes)) : Optional.empty();
    }

    private static boolean begins(MemorySegment bytes, long at, String mark) {
        byte[] wanted = mark.getBytes(StandardCharsets.ISO_8859_1);
        return bytes.byteSize() >= at + wanted.length
                && MemorySegment.ofArray(wanted).mismatch(bytes.asSlice(at, wanted.length)) == -1;
    }
}
