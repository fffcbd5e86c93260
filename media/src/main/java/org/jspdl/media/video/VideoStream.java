package org.jspdl.media.video;

import java.util.Optional;
import org.jspdl.input.MediaException;
import org.jspdl.media.frame.Decoder;
import org.jspdl.media.frame.Frame;
import org.jspdl.media.internal.pixels.FrameConverter;
import org.jspdl.media.stream.DemuxOptions;
import org.jspdl.media.stream.Demuxer;
import org.jspdl.media.stream.MediaSource;
import org.jspdl.media.stream.Packet;
import org.jspdl.media.stream.StreamInfo;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Tensor;

/// All frames of a video of any length, some at a time, in constant memory.
///
/// Owned by whoever opened it, who closes it; used by one thread at a time.
public final class VideoStream implements AutoCloseable {
    private final VideoSpec spec;
    private final int frames;
    private final Demuxer demuxer;
    private final StreamInfo stream;
    private final Decoder decoder;
    private final FrameConverter converter;
    private final Packet packet = Packet.create();
    private final Frame frame = Frame.create();
    private boolean ended;

    private VideoStream(
            VideoSpec spec, int frames, Demuxer demuxer, StreamInfo stream, FrameConverter converter, Decoder decoder) {
        this.spec = spec;
        this.frames = frames;
        this.demuxer = demuxer;
        this.stream = stream;
        this.converter = converter;
        this.decoder = decoder;
    }

    /// Opens a source; each tensor has `frames` frames, the last one maybe fewer.
    ///
    /// @param spec without a window, a frame rate or a number of frames
    /// @throws org.jspdl.input.MediaException if it cannot be opened, or there is no video in it
    public static VideoStream open(MediaSource source, VideoSpec spec, int frames) {
        if (frames < 1
                || spec.frames() > 0
                || spec.frameRate().isPresent()
                || !spec.window().isAll()) {
            throw new IllegalArgumentException(
                    "a stream needs pieces of at least 1 frame and a spec without window, rate and frames, but got "
                            + frames + " and " + spec);
        }
        Demuxer demuxer = Demuxer.open(
                source, DemuxOptions.standard().limits(spec.decoding().limits()));
        try {
            StreamInfo stream = demuxer.info().require(StreamInfo.Kind.VIDEO);
            demuxer.select(stream);
            FrameConverter converter = new FrameConverter(spec.frame());
            try {
                return new VideoStream(spec, frames, demuxer, stream, converter, Decoder.open(stream, spec.decoding()));
            } catch (Throwable failure) {
                converter.close();
                throw failure;
            }
        } catch (Throwable failure) {
            demuxer.close();
            throw failure;
        }
    }

    /// The next frames, owned by the caller; empty at the end.
    ///
    /// @throws org.jspdl.input.MediaException if the source can't be read or decoded
    public Optional<Tensor> next(BufferPool pool) {
        long[] numbers = new long[frames];
        for (int i = 0; i < frames; i++) {
            numbers[i] = i;
        }
        ClipBuilder.Destination destination = ClipBuilder.Destination.of(spec, stream, pool);
        try (ClipBuilder clip = new ClipBuilder(
                spec, RowPlan.of(numbers), stream, converter, destination, Placing.of(spec.frame(), null))) {
            int count = 0;
            while (count < frames && receive()) {
                clip.add(frame, count++);
            }
            if (count == 0) {
                return Optional.empty();
            }
            return Optional.of(count == frames ? clip.take() : clip.takeFirst(count, destination));
        }
    }

    private boolean receive() {
        while (!decoder.receive(frame)) {
            if (ended) {
                return false;
            }
            demuxer.checkDeadline();
            if (demuxer.read(packet)) {
                if (packet.stream() == stream.index()) {
                    decoder.send(packet);
                }
            } else {
                ended = true;
                decoder.sendEnd();
            }
        }
        return true;
    }

    @Override
    public void close() {
        frame.close();
        packet.close();
        converter.close();
        decoder.close();
        demuxer.close();
    }
}
