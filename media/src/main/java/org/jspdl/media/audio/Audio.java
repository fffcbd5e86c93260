package org.jspdl.media.audio;

import java.nio.file.Path;
import org.jspdl.input.MediaException;
import org.jspdl.media.internal.lifetime.SingleUse;
import org.jspdl.media.stream.MediaSource;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Tensor;

/// One sound at a time, in one line. For many, keep an [AudioDecoder] and a [BufferPool].
public final class Audio {
    private Audio() {}

    /// The sound in a file as floats from -1 to 1, `[C, N]`, at its own rate; the caller owns the tensor, whose
    /// memory is freed when it is closed.
    ///
    /// @throws MediaException if it cannot be read or decoded
    public static Tensor load(Path path) {
        return load(path, AudioSpec.original());
    }

    /// What `spec` makes of the sound in a file; the caller owns the tensor.
    ///
    /// @throws MediaException if it cannot be read or decoded
    public static Tensor load(Path path, AudioSpec spec) {
        return load(MediaSource.of(path), spec);
    }

    /// What `spec` makes of the sound in a source; the caller owns the tensor.
    ///
    /// @throws MediaException if it cannot be read or decoded
    public static Tensor load(MediaSource source, AudioSpec spec) {
        try (AudioDecoder decoder = AudioDecoder.create(spec)) {
            return SingleUse.largeTensor("audio " + source.name(), pool -> decoder.decode(source, pool));
        }
    }
}
