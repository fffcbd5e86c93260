package org.jspdl.media.image;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import org.jspdl.files.InputFile;
import org.jspdl.input.DecodeException;
import org.jspdl.media.ImageInfo;
import org.jspdl.media.internal.lifetime.SingleUse;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.SegmentBuffers;
import org.jspdl.memory.Tensor;

/// One image at a time, in one line. For many, keep an [ImageDecoder] and a [BufferPool].
public final class Images {
    private Images() {}

    /// Decodes the image in a file; the caller owns the tensor, whose memory is freed when it is closed.
    ///
    /// @throws DecodeException if it cannot be decoded; the message begins with the path
    /// @throws UncheckedIOException if it cannot be read
    public static Tensor load(Path path, ImageSpec spec) {
        try (ImageDecoder decoder = ImageDecoder.create(spec);
                Arena arena = Arena.ofConfined()) {
            return SingleUse.tensor("image " + path, pool -> decoder.decode(read(path, arena), pool));
        } catch (DecodeException damaged) {
            throw damaged.withSource(path.toString());
        }
    }

    /// What the header of a file says; decodes nothing.
    ///
    /// @throws DecodeException if it is no image; the message begins with the path
    /// @throws UncheckedIOException if it cannot be read
    public static ImageInfo probe(Path path) {
        try (Arena arena = Arena.ofConfined()) {
            return ImageDecoder.probe(read(path, arena));
        } catch (DecodeException damaged) {
            throw damaged.withSource(path.toString());
        }
    }

    private static MemorySegment read(Path path, Arena arena) {
        try (FileChannel channel = InputFile.open(path)) {
            MemorySegment bytes = arena.allocate(Math.max(1, channel.size()));
            return bytes.asSlice(0, SegmentBuffers.read(channel, 0, bytes));
        } catch (IOException unreadable) {
            throw InputFile.unreadable(path, unreadable);
        }
    }
}
