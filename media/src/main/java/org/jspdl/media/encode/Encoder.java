package org.jspdl.media.encode;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import org.jspdl.media.frame.FilterGraph;
import org.jspdl.media.frame.Frame;
import org.jspdl.media.frame.Frames;
import org.jspdl.media.internal.ffmpeg.AvCodec;
import org.jspdl.media.internal.ffmpeg.AvCoder;
import org.jspdl.media.internal.ffmpeg.AvError;
import org.jspdl.media.internal.ffmpeg.AvFrame;
import org.jspdl.media.internal.ffmpeg.AvNames;
import org.jspdl.media.internal.ffmpeg.AvPacket;
import org.jspdl.media.internal.ffmpeg.AvParameters;
import org.jspdl.media.internal.ffmpeg.FfmpegLibraries;
import org.jspdl.media.internal.lifetime.NativeHandle;
import org.jspdl.media.stream.Packet;
import org.jspdl.media.stream.Packets;
import org.jspdl.media.stream.Rational;
import org.jspdl.media.stream.StreamInfo;
import org.jspdl.media.stream.TimeWindow;

/// Encodes frames as packets of one stream. Frames are converted to the encoder's format, size, rate and number of
/// samples.
///
/// Owned by whoever opened it, who closes it; used by one thread at a time.
@SuppressWarnings("exports") // users see only close() of the handle
public final class Encoder extends NativeHandle {
    private final EncoderSpec spec;
    private final StreamInfo stream;
    private final FilterGraph conversion;
    private long pictures;

    private Encoder(MemorySegment context, EncoderSpec spec, StreamInfo stream, FilterGraph conversion) {
        super(context);
        this.spec = spec;
        this.stream = stream;
        this.conversion = conversion;
    }

    static Encoder open(EncoderSpec spec, boolean headersApart) {
        FfmpegLibraries.require();
        MemorySegment codec = AvCoder.encoder(spec.encoder());
        if (codec.address() == 0) {
            throw new IllegalArgumentException("this build of FFmpeg has no encoder '" + spec.encoder() + "'");
        }
        boolean isVideo = spec.kind() == StreamInfo.Kind.VIDEO;
        int format = isVideo ? AvNames.pixelFormat(spec.format()) : AvNames.sampleFormat(spec.format());
        if (format < 0) {
            throw new IllegalArgumentException("there is no format '" + spec.format() + "'");
        }
        AvParameters parameters = isVideo
                ? AvParameters.ofPictures(AvCoder.codecOf(codec), format, spec.width(), spec.height(), spec.bitRate())
                : AvParameters.ofSound(
                        AvCoder.codecOf(codec), format, spec.channels(), spec.sampleRate(), spec.bitRate());
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment slot = arena.allocate(8, 8);
            MemorySegment context = AvCoder.context(codec, parameters, slot);
            try {
                Rational unit = spec.timeBase();
                AvCoder.timeBase(context, (int) unit.numerator(), (int) unit.denominator());
                if (isVideo) {
                    AvCoder.frameRate(context, (int) unit.denominator(), (int) unit.numerator());
                }
                if (headersApart) {
                    AvCoder.globalHeader(context);
                }
                Map<String, String> options = new HashMap<>(spec.options());
                options.putIfAbsent("threads", "1");
                int status = AvCoder.open(context, codec, options);
                if (status < 0) {
                    throw new IllegalArgumentException(
                            "encoder " + spec.encoder() + " refuses " + spec + ": " + AvCodec.errorText(status));
                }
                AvParameters opened = AvCoder.parameters(context, parameters, slot);
                StreamInfo stream = StreamInfo.ofEncoder("encoder " + spec.encoder(), unit, opened);
                return new Encoder(context, spec, stream, FilterGraph.of(filters(spec, AvCoder.frameSize(context))));
            } catch (Throwable failure) {
                AvCodec.freeContext(context, slot);
                throw failure;
            }
        }
    }

    private static String filters(EncoderSpec spec, int frameSize) {
        if (spec.kind() == StreamInfo.Kind.VIDEO) {
            return "scale=" + spec.width() + ":" + spec.height() + ",format=" + spec.format();
        }
        return "aformat=sample_fmts=" + spec.format() + ":sample_rates=" + spec.sampleRate() + ":channel_layouts="
                + (spec.channels() == 1 ? "mono" : spec.channels() == 2 ? "stereo" : spec.channels() + "c")
                + (frameSize > 0 ? ",asetnsamples=n=" + frameSize + ":p=0" : "");
    }

    /// What the packets are, for decoders and muxers.
    public StreamInfo stream() {
        return stream;
    }

    /// Encodes frames, which it takes, into the packets that are ready; the caller owns these. Pictures follow each
    /// other at the spec's rate.
    ///
    /// @throws IllegalArgumentException if the frames can't be converted or encoded
    public Packets encode(Frames frames) {
        try (Frames converted = conversion.filter(frames)) {
            return encodeConverted(converted, false);
        }
    }

    /// The packets that remain; the encoder can't be used after this.
    public Packets flush() {
        try (Frames rest = conversion.flush()) {
            return encodeConverted(rest, true);
        }
    }

    private Packets encodeConverted(Frames frames, boolean ends) {
        Packets packets = new Packets(stream, TimeWindow.all());
        try {
            for (Frame frame : frames) {
                MemorySegment raw = frame.nativeFrame();
                AvFrame.clearPictureType(raw);
                if (spec.kind() == StreamInfo.Kind.VIDEO) {
                    AvFrame.times(raw, pictures++, 1);
                } else {
                    AvFrame.times(raw, pictures, frame.samples());
                    pictures += frame.samples();
                }
                check(AvCoder.sendFrame(pointer(), raw));
                receive(packets);
            }
            if (ends) {
                check(AvCoder.sendFrame(pointer(), MemorySegment.NULL));
                receive(packets);
            }
            return packets;
        } catch (Throwable failure) {
            packets.close();
            throw failure;
        }
    }

    private void receive(Packets into) {
        try (Packet packet = Packet.create()) {
            int status = AvCoder.receivePacket(pointer(), packet.nativePacket());
            while (status >= 0) {
                if (AvPacket.duration(packet.nativePacket()) == 0 && spec.kind() == StreamInfo.Kind.VIDEO) {
                    // Without one the last picture would be cut off by containers that say how long
                    // they are.
                    AvPacket.times(packet.nativePacket(), packet.pts(), packet.dts(), 1);
                }
                AvPacket.place(packet.nativePacket(), 0, AvPacket.flags(packet.nativePacket()));
                into.add(packet);
                status = AvCoder.receivePacket(pointer(), packet.nativePacket());
            }
            if (status != AvError.AGAIN && status != AvError.END) {
                check(status);
            }
        }
    }

    private void check(int status) {
        if (status < 0) {
            throw new IllegalArgumentException("encoder " + spec.encoder() + " failed: " + AvCodec.errorText(status));
        }
    }

    @Override
    protected void free(MemorySegment context) {
        AvCodec.freeContext(context);
        conversion.close();
    }

    @Override
    public String toString() {
        return "encoder " + spec.encoder();
    }
}
