package org.jspdl.media.video;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspdl.input.MediaException;
import org.jspdl.media.frame.DecodeOptions;
import org.jspdl.media.frame.Decoder;
import org.jspdl.media.frame.DecoderCache;
import org.jspdl.media.frame.Frame;
import org.jspdl.media.internal.lifetime.ContextPool;
import org.jspdl.media.internal.pixels.FrameConverter;
import org.jspdl.media.stream.Demuxer;
import org.jspdl.media.stream.Packet;
import org.jspdl.media.stream.Packets;
import org.jspdl.media.stream.Rational;
import org.jspdl.media.stream.StreamInfo;
import org.jspdl.media.stream.TimeWindow;
import org.jspdl.memory.Tensor;

/// Everything that one decoding call needs to itself: decoders, conversion tables, a packet and a frame. Used by one
/// thread at a time.
final class VideoDecodeContext implements ContextPool.Context {
    /// Before the first packet of any file, in seconds.
    private static final Rational FIRST = Rational.of(-1_000_000_000);

    private final VideoSpec spec;
    private final DecoderCache decoders;
    private final FrameConverter converter;
    private final Packet packet = Packet.create();
    private final Frame frame = Frame.create();

    VideoDecodeContext(VideoSpec spec) {
        this.spec = spec;
        this.decoders = new DecoderCache(spec.decoding());
        this.converter = new FrameConverter(spec.frame());
    }

    /// The frames of the spec's window.
    Tensor window(Demuxer demuxer, StreamInfo stream, ClipBuilder.Destination destination, Placing placing) {
        try (Packets packets = demuxer.packets(stream, spec.window())) {
            long[] ticks = packets.timestamps();
            if (packets.isTimed() && isStrictlyAscending(ticks)) {
                RowPlan plan = plan(ticks, packets.lastDuration(), stream);
                try (ClipBuilder clip = builder(plan, stream, destination, placing)) {
                    if (decode(packets, stream, demuxer, clip, true)) {
                        return clip.take();
                    }
                }
            }
            if (spec.window().isAll()) {
                return asItComes(packets, demuxer, stream, destination, placing);
            }
        }
        TimeWindow window = new TimeWindow(FIRST, spec.window().end());
        try (Packets packets = demuxer.packets(stream, window)) {
            return asItComes(packets, demuxer, stream, destination, placing);
        }
    }

    /// The frames that come out of all packets from the first one on, where that isn't what the packets say: looks
    /// first, then decodes again.
    private Tensor asItComes(
            Packets packets, Demuxer demuxer, StreamInfo stream, ClipBuilder.Destination destination, Placing placing) {
        long[] seen = framesOf(packets, stream, demuxer);
        RowPlan plan = plan(seen, lastDuration(seen), stream);
        try (ClipBuilder clip = builder(plan, stream, destination, placing)) {
            if (!decode(packets, stream, demuxer, clip, false)) {
                throw incomplete(clip, stream);
            }
            return clip.take();
        }
    }

    private static boolean isStrictlyAscending(long[] ticks) {
        return IntStream.range(1, ticks.length).allMatch(i -> ticks[i - 1] < ticks[i]);
    }

    private static long lastDuration(long[] ticks) {
        return ticks.length < 2 ? 1 : ticks[ticks.length - 1] - ticks[ticks.length - 2];
    }

    private RowPlan plan(long[] ticks, long lastDuration, StreamInfo stream) {
        return RowPlan.of(ticks, Math.max(1, lastDuration), stream, spec);
    }

    private ClipBuilder builder(RowPlan plan, StreamInfo stream, ClipBuilder.Destination destination, Placing placing) {
        return new ClipBuilder(spec, plan, stream, converter, destination, placing);
    }

    /// Rows that no frame came for hold whatever the memory held.
    private static MediaException incomplete(ClipBuilder clip, StreamInfo stream) {
        return stream.failure("the frame at "
                + Rational.of(clip.firstMissing()).times(stream.timeBase()).toDouble() + " s could not be decoded");
    }

    /// Decodes packets into a clip; whether it is complete. A decoder that fails is not used again.
    private boolean decode(Packets packets, StreamInfo stream, Demuxer demuxer, ClipBuilder clip, boolean skips) {
        Decoder decoder = decoders.borrow(stream);
        try {
            FrameClock clock = new FrameClock(stream, spec.window(), !skips);
            UnreferencedPictures unreferenced = UnreferencedPictures.of(stream);
            for (int i = 0; i < packets.count() && !clip.isComplete(); i++) {
                demuxer.checkDeadline();
                packets.get(i, packet);
                decoder.skipUnreferenced(skips && !clip.wants(packet.pts()) && unreferenced.maySkip(packet));
                decoder.send(packet);
                receive(decoder, clock, clip);
            }
            if (!clip.isComplete() || isStrict()) {
                decoder.sendEnd();
                receive(decoder, clock, clip);
            }
        } catch (Throwable failure) {
            decoder.close();
            throw failure;
        }
        decoders.release(decoder);
        return clip.isComplete();
    }

    private void receive(Decoder decoder, FrameClock clock, ClipBuilder clip) {
        while ((!clip.isComplete() || isStrict()) && decoder.receive(frame)) {
            clip.add(frame, clock.tick(frame));
        }
    }

    /// Whether frames that nobody wants are looked at too: one that is damaged may be shown later than frames that
    /// refer to it.
    private boolean isStrict() {
        return spec.decoding().damage() == DecodeOptions.Damage.REFUSED;
    }

    /// The times of the frames that come out of packets.
    private long[] framesOf(Packets packets, StreamInfo stream, Demuxer demuxer) {
        Decoder decoder = decoders.borrow(stream);
        long[] ticks = new long[packets.count() + 1];
        int count = 0;
        try {
            FrameClock clock = new FrameClock(stream, spec.window(), true);
            for (int i = 0; i <= packets.count(); i++) {
                demuxer.checkDeadline();
                if (i < packets.count()) {
                    packets.get(i, packet);
                    decoder.send(packet);
                } else {
                    decoder.sendEnd();
                }
                while (decoder.receive(frame)) {
                    long tick = clock.tick(frame);
                    if (tick != FrameClock.OUTSIDE) {
                        ticks = count == ticks.length ? Arrays.copyOf(ticks, 2 * count) : ticks;
                        ticks[count++] = tick;
                    }
                }
            }
        } catch (Throwable failure) {
            decoder.close();
            throw failure;
        }
        decoders.release(decoder);
        return Arrays.copyOf(ticks, count);
    }

    /// The frames at `indices`, in their order; decodes only from the key frames before them.
    Tensor frames(
            Demuxer demuxer,
            StreamInfo stream,
            FrameIndex index,
            int[] indices,
            ClipBuilder.Destination destination,
            Placing placing) {
        if (!index.timeBase().equals(stream.timeBase())) {
            throw new IllegalArgumentException("the frame index is of another file than " + stream);
        }
        if (index.lacksFrames() && isStrict()) {
            throw stream.failure("the container says that bytes are lost or damaged, so that frames are missing"
                    + " or have other numbers; DecodeOptions.Damage.SKIPPED takes those that are there");
        }
        for (int i : indices) {
            if (index.isTied(i)) {
                throw stream.failure("frame " + i + " and another one are shown at the same time, tick "
                        + index.ticks(i) + ", so that their times don't tell which one is wanted; decode all frames");
            }
        }
        RowPlan plan = RowPlan.of(IntStream.of(indices).mapToLong(index::ticks).toArray());
        demuxer.select(stream);
        try (ClipBuilder clip = builder(plan, stream, destination, placing)) {
            Decoder decoder = decoders.borrow(stream);
            try {
                GroupReader reader = new GroupReader(demuxer, stream, index, packet);
                FrameClock clock = new FrameClock(stream, TimeWindow.all(), false);
                UnreferencedPictures unreferenced = UnreferencedPictures.of(stream);
                for (GroupReader.Group group : GroupReader.groups(index, indices)) {
                    reader.seek(group);
                    while (reader.next(group)) {
                        decoder.skipUnreferenced(!clip.wants(packet.pts()) && unreferenced.maySkip(packet));
                        decoder.send(packet);
                        receive(decoder, clock, clip);
                    }
                    decoder.sendEnd();
                    receive(decoder, clock, clip);
                    decoder.reset();
                }
            } catch (Throwable failure) {
                decoder.close();
                throw failure;
            }
            decoders.release(decoder);
            if (!clip.isComplete()) {
                throw incomplete(clip, stream);
            }
            return clip.take();
        }
    }

    @Override
    public void close() {
        decoders.close();
        converter.close();
        packet.close();
        frame.close();
    }
}
