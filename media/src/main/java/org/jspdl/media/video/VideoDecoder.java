package org.jspdl.media.video;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspdl.input.MediaException;
import org.jspdl.media.image.Isolation;
import org.jspdl.media.image.IsolationStats;
import org.jspdl.media.internal.isolation.MediaIsolation;
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
/// platform threads. The owner closes the decoder; calls still running then finish and free theirs, but those in helper
/// processes fail.
///
/// Files that crashed or exceeded the deadline before, or all if asked for, are decoded in helper processes
/// ([Isolation]), with the same pixels and errors.
public final class VideoDecoder implements AutoCloseable {
    private final VideoSpec spec;
    private final ContextPool<VideoDecodeContext> contexts;
    private final MediaIsolation isolation;

    private VideoDecoder(VideoSpec spec, MediaIsolation isolation) {
        this.spec = spec;
        this.contexts = new ContextPool<>(() -> new VideoDecodeContext(spec));
        this.isolation = isolation;
    }

    /// A decoder that decodes files in helper processes that crashed or took 10 minutes before.
    public static VideoDecoder create(VideoSpec spec) {
        return create(spec, Isolation.forMedia());
    }

    /// A decoder that decodes some files, or all, in helper processes.
    public static VideoDecoder create(VideoSpec spec, Isolation isolation) {
        return create(spec, new MediaIsolation(isolation, "video", VideoHelper::command));
    }

    /// A decoder that owns `isolation`.
    static VideoDecoder create(VideoSpec spec, MediaIsolation isolation) {
        return new VideoDecoder(spec, isolation);
    }

    /// What the decoder makes of each video.
    public VideoSpec spec() {
        return spec;
    }

    /// What happened to helper processes so far.
    public IsolationStats isolation() {
        return isolation.stats();
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
        return decoded(source, pool, null);
    }

    /// As [#decode], with random augmentation, sampled once for all frames.
    public Tensor decode(MediaSource source, BufferPool pool, RandomGenerator random) {
        return decoded(source, pool, random);
    }

    private Tensor decoded(MediaSource source, BufferPool pool, @Nullable RandomGenerator random) {
        Placing placing = Placing.of(spec.frame(), random);
        return isolation.run(
                source, () -> windowHere(source, to(pool), placing), () -> VideoCall.window(spec, placing, pool));
    }

    private ClipBuilder.Destination to(BufferPool pool) {
        return shape -> Tensor.allocate(spec.frame().elements(), shape, pool);
    }

    /// The frames of the spec's window, decoded in this process.
    Tensor windowHere(MediaSource source, ClipBuilder.Destination into, Placing placing) {
        return run(
                source,
                (context, demuxer, stream) ->
                        context.window(demuxer, stream, ClipBuilder.Destination.of(spec, stream, into), placing));
    }

    /// When each frame is presented and which are key frames, to be kept for sampling. [FrameIndex#of] does the
    /// same, always in this process.
    ///
    /// @throws MediaException if the video can't be read, or its packets have no times
    public FrameIndex index(MediaSource source) {
        return isolation.run(source, () -> FrameIndex.of(source), () -> VideoCall.index(spec));
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
        checkIndices(indices);
        Placing placing = Placing.of(spec.frame(), random);
        return isolation.run(
                source,
                () -> framesHere(source, index, indices, to(pool), placing),
                () -> VideoCall.frames(spec, index, indices, placing, pool));
    }

    /// The frames at `indices`, decoded in this process.
    Tensor framesHere(
            MediaSource source, FrameIndex index, int[] indices, ClipBuilder.Destination into, Placing placing) {
        return run(
                source,
                (context, demuxer, stream) -> context.frames(
                        demuxer, stream, index, indices, ClipBuilder.Destination.of(spec, stream, into), placing));
    }

    private static void checkIndices(int[] indices) {
        if (indices.length == 0) {
            throw new IllegalArgumentException("no indices make no tensor");
        }
    }

    /// As [#frames], reading the index first, which costs one pass over the file without decoding.
    public Tensor frames(MediaSource source, int[] indices, BufferPool pool) {
        checkIndices(indices);
        return clips(source, _ -> List.of(indices), pool).getFirst();
    }

    /// Frames chosen when their number is known: the function gets the index and gives the clips, each the numbers
    /// of its frames; all must have as many. The tensor has their frames one clip after the other, and is the
    /// caller's.
    public List<Tensor> clips(MediaSource source, ClipChoice choice, BufferPool pool) {
        Placing placing = Placing.of(spec.frame(), null);
        return isolation.run(
                source,
                () -> clipsHere(source, choice, to(pool), placing),
                () -> VideoCall.clips(spec, choice, placing, pool));
    }

    /// Clips that are chosen when the index is known, decoded in this process.
    List<Tensor> clipsHere(MediaSource source, ClipChoice choice, ClipBuilder.Destination into, Placing placing) {
        return run(source, (context, demuxer, stream) -> {
            FrameIndex index = FrameIndex.of(demuxer, stream);
            List<Tensor> clips = new ArrayList<>();
            try {
                for (int[] indices : choice.choose(index)) {
                    clips.add(context.frames(
                            demuxer, stream, index, indices, ClipBuilder.Destination.of(spec, stream, into), placing));
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
        isolation.close();
    }
}
