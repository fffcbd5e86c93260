package org.jspdl.media.encode;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspdl.input.MediaException;
import org.jspdl.media.internal.ffmpeg.AvCodec;
import org.jspdl.media.internal.ffmpeg.AvIo;
import org.jspdl.media.internal.ffmpeg.AvMux;
import org.jspdl.media.internal.ffmpeg.AvPacket;
import org.jspdl.media.internal.ffmpeg.AvStream;
import org.jspdl.media.internal.ffmpeg.FfmpegLibraries;
import org.jspdl.media.internal.lifetime.NativeHandle;
import org.jspdl.media.stream.Demuxer;
import org.jspdl.media.stream.Packet;
import org.jspdl.media.stream.Packets;
import org.jspdl.media.stream.Rational;
import org.jspdl.media.stream.StreamInfo;
import org.jspdl.media.stream.TimeWindow;

/// Writes packets of one or more streams to a container.
///
/// Add the streams, [#open], write, [#finish]. Owned by whoever made it, who closes it; used by one thread at a time.
@SuppressWarnings("exports") // users see only close() of the handle
public final class Muxer extends NativeHandle {
    private static final int BUFFER_BYTES = 1 << 16;

    private final MediaTarget target;
    private final AvIo io;
    private final List<Target> streams = new ArrayList<>();
    private boolean opened;
    private boolean finished;

    /// A stream of the container, and the unit in which packets for it count time.
    private record Target(MemorySegment stream, Rational timeBase) {}

    private Muxer(MemorySegment context, MediaTarget target, AvIo io) {
        super(context);
        this.target = target;
        this.io = io;
    }

    /// A muxer for a format, by FFmpeg's name such as `mp4`, or, if that is empty, by the target's name. The muxer
    /// owns the target from here.
    ///
    /// @throws IllegalArgumentException if there is no such format
    public static Muxer create(MediaTarget target, String format) {
        FfmpegLibraries.require();
        AvIo io = AvIo.writing(target.bytes(), BUFFER_BYTES);
        MemorySegment context = AvMux.open(format, target.name(), io);
        if (context.address() == 0) {
            io.close();
            target.close();
            throw new IllegalArgumentException(
                    format.isEmpty()
                            ? "the name " + target.name() + " tells no format"
                            : "there is no format " + format);
        }
        return new Muxer(context, target, io);
    }

    /// Opens an encoder in the way that the format wants, and adds its stream. The caller owns the encoder.
    public Encoder add(EncoderSpec spec) {
        Encoder encoder = Encoder.open(spec, AvMux.wantsGlobalHeader(pointer()));
        add(encoder.stream());
        return encoder;
    }

    /// Adds a stream for packets that are already encoded; its number.
    public int add(StreamInfo stream) {
        if (opened) {
            throw new IllegalStateException("streams are added before " + this + " is opened");
        }
        Rational unit = stream.timeBase();
        streams.add(new Target(
                AvMux.addStream(pointer(), stream.parameters(), (int) unit.numerator(), (int) unit.denominator()),
                unit));
        return streams.size() - 1;
    }

    /// Writes the header.
    ///
    /// @throws MediaException if the format refuses a stream, or it can't be written
    public void open() {
        open(Map.of());
    }

    /// Writes the header, with options of FFmpeg's muxer such as `movflags`.
    ///
    /// @throws MediaException if the format refuses a stream, or it can't be written
    public void open(Map<String, String> options) {
        check(AvMux.writeHeader(pointer(), options));
        opened = true;
    }

    /// Writes packets to a stream by its number, and takes them.
    ///
    /// @throws MediaException if they can't be written
    public void write(int stream, Packets packets) {
        if (!opened || finished) {
            throw new IllegalStateException(this + (opened ? " is finished" : " is not open"));
        }
        Target to = streams.get(stream);
        Rational unit = Rational.of(AvStream.timeBaseNumerator(to.stream), AvStream.timeBaseDenominator(to.stream));
        Rational scale = packets.stream().timeBase().dividedBy(unit);
        packets.drain("a muxer", packet -> {
            MemorySegment raw = packet.nativePacket();
            AvPacket.times(
                    raw, scaled(packet.pts(), scale), scaled(packet.dts(), scale), scaled(packet.duration(), scale));
            AvPacket.place(raw, stream, AvPacket.flags(raw));
            AvPacket.timeBase(raw, (int) unit.numerator(), (int) unit.denominator());
            check(AvMux.write(pointer(), raw));
        });
    }

    private static long scaled(long ticks, Rational scale) {
        return ticks == AvPacket.NO_TIME
                ? ticks
                : Rational.of(ticks).times(scale).round();
    }

    /// Writes what remains and the index. The target is complete then.
    ///
    /// @throws MediaException if it can't be written
    public void finish() {
        if (opened && !finished) {
            finished = true;
            check(AvMux.writeTrailer(pointer()));
        }
    }

    private void check(int status) {
        Throwable cause = io.failure();
        if (cause != null) {
            throw MediaException.of(target.name(), "cannot be written: " + cause.getMessage(), cause);
        }
        if (status < 0) {
            throw MediaException.of(target.name(), "cannot be written: " + AvCodec.errorText(status));
        }
    }

    /// Copies streams of a container to another one without decoding.
    ///
    /// @throws MediaException if a packet can't be read or written
    public static void remux(Demuxer from, Muxer to, StreamInfo... streams) {
        from.select(streams);
        for (StreamInfo stream : streams) {
            to.add(stream);
        }
        to.open();
        try (Packet packet = Packet.create()) {
            while (from.read(packet)) {
                for (int i = 0; i < streams.length; i++) {
                    if (streams[i].index() == packet.stream()) {
                        Packets one = new Packets(streams[i], TimeWindow.all());
                        one.add(packet);
                        to.write(i, one);
                    }
                }
            }
        }
        to.finish();
    }

    @Override
    protected void free(MemorySegment context) {
        AvMux.free(context);
        io.close();
        target.close();
    }

    @Override
    public String toString() {
        return "muxer of " + target.name();
    }
}
