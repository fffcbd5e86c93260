package org.jspdl.media.video;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspdl.input.MediaException;
import org.jspdl.media.internal.lifetime.ContextPool;
import org.jspdl.media.stream.DemuxOptions;
import org.jspdl.media.stream.Demuxer;
import org.jspdl.media.stream.MediaSource;
import org.jspdl.media.stream.StreamInfo;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Tensor;
import org.jspecify.annotations.Nullable;

/// Decodes videos as one [VideoSpec] says.
///
/// Any number of threads may use a decoder at once. Each call borrows a context (codec contexts, conversion tables) and
/// returns it, so memory grows with the number of calls at once. Calls are native for most of their time: run them on
/// platform threads. The owner closes the decoder; calls still running then finish and free theirs.
public final class VideoDecoder implements AutoCloseable {
    private final VideoSpec spec;
    private final ContextPool<VideoDecodeContext> contexts;

    private VideoDecoder(VideoSpec spec) {
        this.spec = spec;
        this.contexts = new ContextPool<>(() -> new VideoDecodeContext(spec));
    }

    /// A decoder.
    public static VideoDecoder create(VideoSpec spec) {
        return new VideoDecoder(spec);
    }

    /// What the decoder makes of each video.
    public VideoSpec spec() {
        return spec;
    }

    /// Work with a borrowed context and an open file.
    private interface Work<T> {
        T with(VideoDecodeContext context, Demuxer demuxer, StreamInfo stream);
    }

    private <T> T run(MediaSource source, Work<T> work) {
        return contexts.with(context -> {
            try (Demuxer demuxer = Demuxer.open(
                    source, DemuxOptions.standard().limits(spec.decoding().limits()))) {
                StreamInfo stream = demuxer.info().require(StreamInfo.Kind.VIDEO);
                return work.with(context, demuxer, stream);
            } catch (ArithmeticException beyond) {
                throw MediaException.of(
                        source.name(), "has times, or is asked for some, that are beyond what can be counted", beyond);
            }
        });
    }

    /// The frames of the spec's window, at its rate and number; the caller owns the tensor.
    ///
    /// @throws MediaException if the video can't be read or decoded, or is beyond a limit
    public Tensor decode(MediaSource source, BufferPool pool) {
        return run(
                source,
                (context, demuxer, stream) ->
                        context.window(demuxer, stream, ClipBuilder.Destination.of(spec, stream, pool), null));
    }

    /// As [#decode], with random augmentation, sampled once for all frames.
    public Tensor decode(MediaSource source, BufferPool pool, RandomGenerator random) {
        return run(
                source,
                (context, demuxer, stream) ->
                        context.window(demuxer, stream, ClipBuilder.Destination.of(spec, stream, pool), random));
    }

    /// The frames at `indices`, in this order, whatever the spec's window, rate and number are; the caller owns the
    /// tensor. Only the groups of pictures that they are in are decoded.
    ///
    /// @throws IndexOutOfBoundsException if there is no such frame
    /// @throws MediaException if the video can't be read or decoded, or is beyond a limit
    public Tensor frames(MediaSource source, FrameIndex index, int[] indices, BufferPool pool) {
        return framesAt(source, index, indices, pool, null);
    }

    /// As [#frames], with random augmentation, sampled once for all frames.
    public Tensor frames(MediaSource source, FrameIndex index, int[] indices, BufferPool pool, RandomGenerator random) {
        return framesAt(source, index, indices, pool, random);
    }

    private Tensor framesAt(
            MediaSource source, FrameIndex index, int[] indices, BufferPool pool, @Nullable RandomGenerator random) {
        if (indices.length == 0) {
            throw new IllegalArgumentException("no indices make no tensor");
        }
        return run(
                source,
                (context, demuxer, stream) -> context.frames(
                        demuxer, stream, index, indices, ClipBuilder.Destination.of(spec, stream, pool), random));
    }

    /// As [#frames], reading the index first, which costs one pass over the file without decoding.
    public Tensor frames(MediaSource source, int[] indices, BufferPool pool) {
        if (indices.length == 0) {
            throw new IllegalArgumentException("no indices make no tensor");
        }
        return run(source, (context, demuxer, stream) -> {
            FrameIndex index = FrameIndex.of(demuxer, stream);
            return context.frames(
                    demuxer, stream, index, indices, ClipBuilder.Destination.of(spec, stream, pool), null);
        });
    }

    /// Frames chosen when their number is known: the function gets the index and gives the clips, each the numbers
    /// of its frames; all must have as many. The tensor has their frames one clip after the other, and is the
    /// caller's.
    public List<Tensor> clips(MediaSource source, ClipChoice choice, BufferPool pool) {
        return run(source, (context, demuxer, stream) -> {
            FrameIndex index = FrameIndex.of(demuxer, stream);
            List<Tensor> clips = new ArrayList<>();
            try {
                for (int[] indices : choice.choose(index)) {
                    clips.add(context.frames(
                            demuxer, stream, index, indices, ClipBuilder.Destination.of(spec, stream, pool), null));
                }
                return List.copyOf(clips);
            } catch (Throwable failure) {
                clips.forEach(Tensor::close);
                throw failure;
            }
        });
    }

    /// Chooses frames of a video.
    @FunctionalInterface
    public interface ClipChoice {
        /// The clips to take, each as the numbers of its frames, such as [FrameSampling] makes them.
        List<int[]> choose(FrameIndex index);
    }

    @Override
    public void close() {
        contexts.close();
    }
}
