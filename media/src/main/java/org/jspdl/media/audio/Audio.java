package org.jspdl.media.audio;

import java.nio.file.Path;
import org.jspdl.media.stream.MediaException;
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
        BufferPool pool = BufferPool.create("audio " + source.name(), Long.MAX_VALUE);
        try (AudioDecoder decoder = AudioDecoder.create(spec)) {
            return decoder.decode(source, pool);
        } finally {
            retire(pool);
        }
    }

    /// Closes a pool whose one lease may be out: its memory is then freed when the lease is closed.
    private static void retire(BufferPool pool) {
        try {
            pool.close();
        } catch (IllegalStateException leased) {
            assert pool.outstanding() == 1 : leased;
        }
    }
}
