package org.jspdl.media.video;

import java.nio.file.Path;
import org.jspdl.input.MediaException;
import org.jspdl.media.internal.lifetime.SingleUse;
import org.jspdl.media.stream.MediaSource;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Tensor;

/// One video at a time, in one line. For many, keep a [VideoDecoder] and a [BufferPool].
public final class Video {
    private Video() {}

    /// All frames of a file as RGB bytes, `[N, H, W, 3]`; the caller owns the tensor, whose memory is freed when it
    /// is closed.
    ///
    /// @throws MediaException if it cannot be read or decoded
    public static Tensor load(Path path) {
        return load(path, VideoSpec.original());
    }

    /// What `spec` makes of a file; the caller owns the tensor, whose memory is freed when it is closed.
    ///
    /// @throws MediaException if it cannot be read or decoded
    public static Tensor load(Path path, VideoSpec spec) {
        return load(MediaSource.of(path), spec);
    }

    /// What `spec` makes of a source; the caller owns the tensor, whose memory is freed when it is closed.
    ///
    /// @throws MediaException if it cannot be read or decoded
    public static Tensor load(MediaSource source, VideoSpec spec) {
        return alone(source, spec, (decoder, pool) -> decoder.decode(source, pool));
    }

    /// The frames at `indices`, counted from 0 in the order of presentation, as RGB bytes; the caller owns the
    /// tensor.
    ///
    /// @throws IndexOutOfBoundsException if there is no such frame
    /// @throws MediaException if it cannot be read or decoded
    public static Tensor frames(Path path, int... indices) {
        return frames(MediaSource.of(path), VideoSpec.original(), indices);
    }

    /// The frames at `indices` as `spec` wants them; the caller owns the tensor.
    ///
    /// @throws IndexOutOfBoundsException if there is no such frame
    /// @throws MediaException if it cannot be read or decoded
    public static Tensor frames(MediaSource source, VideoSpec spec, int... indices) {
        return alone(source, spec, (decoder, pool) -> decoder.frames(source, indices, pool));
    }

    /// When each frame is presented and which are key frames, to be kept for sampling.
    ///
    /// @throws MediaException if it cannot be read
    public static FrameIndex index(Path path) {
        try (VideoDecoder decoder = VideoDecoder.create(VideoSpec.original())) {
            return decoder.index(MediaSource.of(path));
        }
    }

    private interface Call {
        Tensor with(VideoDecoder decoder, BufferPool pool);
    }

    private static Tensor alone(MediaSource source, VideoSpec spec, Call call) {
        try (VideoDecoder decoder = VideoDecoder.create(spec)) {
            return SingleUse.largeTensor("video " + source.name(), pool -> call.with(decoder, pool));
        }
    }
}
